"""The chain end to end: from a run's archive and its evidence to a new observation (DESIGN 4)."""

from opvalue.regrade.chain import Defined, Regraded, define, grade, regrade, verify_run
from opvalue.regrade.evidence import Evidence
from opvalue.regrade.instant import evidence_instant
from opvalue.regrade.offline import regrade_offline
from opvalue.regrade.request import Contract, RegradeRequest

__all__ = [
    "Contract",
    "Defined",
    "Evidence",
    "RegradeRequest",
    "Regraded",
    "define",
    "evidence_instant",
    "grade",
    "regrade",
    "regrade_offline",
    "verify_run",
]
