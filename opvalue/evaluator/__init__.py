"""A script and its modes, run privately (DESIGN 4.8, 4.9). Trust is not decided here, evidence is not gathered here."""

from opvalue.evaluator.environment import PLACEHOLDER_TOKEN
from opvalue.evaluator.errors import BadLayout, CannotLay, Changed, ExitStatus, Killed, NotBash, SyntaxInvalid
from opvalue.evaluator.probe import Probe
from opvalue.evaluator.runner import Runner
from opvalue.evaluator.shfmt import parse_with_shfmt
from opvalue.evaluator.staged import Staged
from opvalue.evaluator.stand_in import StandIn
from opvalue.evaluator.tools import Interpreter, Tools, interpreter

__all__ = [
    "PLACEHOLDER_TOKEN",
    "BadLayout",
    "CannotLay",
    "Changed",
    "ExitStatus",
    "Interpreter",
    "Killed",
    "NotBash",
    "Probe",
    "Runner",
    "Staged",
    "StandIn",
    "SyntaxInvalid",
    "Tools",
    "interpreter",
    "parse_with_shfmt",
]
