"""Schema-4 contracts: definition, request, observation, score; and the session contract's metrics array. Pure.

Bytes and explicit times go in, values come out; every way in which an evaluator can break its contract is a class in
``opvalue.contract.errors``.
"""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.contract.definition import (
        Adoption,
        Baseline,
        BaselineMode,
        Definition,
        DiagnosticMetric,
        Evidence,
        PrimaryMetric,
        parse_definition,
    )
    from opvalue.contract.errors import ContractBroken, DefinitionIncomplete
    from opvalue.contract.fields import Finding, definition_findings
    from opvalue.contract.observation import Observation, parse_observation
    from opvalue.contract.request import Subject, build_request, encode
    from opvalue.contract.score import Metric, parse_metrics, parse_score

__all__ = [
    "Adoption",
    "Baseline",
    "BaselineMode",
    "ContractBroken",
    "Definition",
    "DefinitionIncomplete",
    "DiagnosticMetric",
    "Evidence",
    "Finding",
    "Metric",
    "Observation",
    "PrimaryMetric",
    "Subject",
    "build_request",
    "definition_findings",
    "encode",
    "parse_definition",
    "parse_metrics",
    "parse_observation",
    "parse_score",
]

__getattr__ = names_of(
    __name__,
    {
        "definition": (
            "Adoption",
            "Baseline",
            "BaselineMode",
            "Definition",
            "DiagnosticMetric",
            "Evidence",
            "PrimaryMetric",
            "parse_definition",
        ),
        "errors": ("ContractBroken", "DefinitionIncomplete"),
        "fields": ("Finding", "definition_findings"),
        "observation": ("Observation", "parse_observation"),
        "request": ("Subject", "build_request", "encode"),
        "score": ("Metric", "parse_metrics", "parse_score"),
    },
)
