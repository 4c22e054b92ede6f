"""Read what ``--definition`` prints: the frozen schema-4 contract of an evaluator (reference 4.1 and 4.2).

Not checked here: whether the definition's repository, workflow or source path are the run's, and whether the
validation examples score as they should.
"""

import enum
from typing import NamedTuple, cast

from opvalue.contract.errors import (
    DefinitionBaselineMode,
    DefinitionBaselineValue,
    DefinitionGrader,
    DefinitionIncomplete,
    DefinitionNotObject,
    DefinitionSchemaVersion,
)
from opvalue.contract.fields import (
    ATTAINMENT_ONLY,
    COMPARABLE,
    OPERATIONAL_VALUE,
    SCHEMA_VERSION,
    baseline_value_rule,
    definition_findings,
    look_up,
)
from opvalue.contract.output import read_output
from opvalue.contract.values import positive_zero, shown
from opvalue.strictjson import JsonObject, JsonValue, kind_of, same


class BaselineMode(enum.Enum):
    """Whether the value has a frozen reference to be compared with."""

    ATTAINMENT_ONLY = ATTAINMENT_ONLY
    COMPARABLE = COMPARABLE


class Adoption(NamedTuple):
    """When and where the workflow was adopted."""

    commit: str
    """Full commit id, lower-case hex."""
    adopted_at: str
    """As written; only its date and time to the minute were checked."""


class Evidence(NamedTuple):
    """What counts as evidence, and how it is found. All texts but ``repositories``."""

    opportunity: str
    assignment: str
    accepted: str
    repositories: tuple[str, ...]
    """``OWNER/NAME`` each; at least one."""
    collection: str
    maturation: str
    zero_rule: str
    missing_rule: str


class PrimaryMetric(NamedTuple):
    """The one metric whose number is the value."""

    id: str
    formula: str
    direction: str


class DiagnosticMetric(NamedTuple):
    """A metric reported beside the value, never merged into it."""

    id: str
    name: str
    formula: str
    direction: str
    aggregation: str
    """``latest`` or ``mean``."""


class Baseline(NamedTuple):
    """The frozen reference, or the statement that there is none."""

    mode: BaselineMode
    value: int | float | None
    """A number in [0, 1] for a comparable baseline, else null."""
    evidence_cutoff: str | None
    """As written, for a comparable baseline."""
    provenance: JsonValue
    """As written: whatever names the evidence of the baseline."""


class Definition(NamedTuple):
    """A definition that fulfils the whole contract."""

    repository: str
    """``OWNER/NAME`` at adoption time; renames are the caller's business."""
    workflow_name: str
    source_path: str
    adoption: Adoption
    operational_value: str
    evidence: Evidence
    primary_metric: PrimaryMetric
    diagnostic_metrics: tuple[DiagnosticMetric, ...]
    baseline: Baseline
    validation_examples: JsonObject
    """Evidence for ``--metric`` under the four names, and any others."""
    document: JsonObject
    """The definition as received, unknown fields included."""


def parse_definition(data: bytes, *, grader: str = OPERATIONAL_VALUE) -> Definition:
    """Return the definition in ``data``, the standard output of ``--definition``.

    ``grader`` is the id it must name. Checks, in this order: 1 one JSON object, 2 ``schemaVersion``, 3 ``grader``,
    4 ``baseline`` (reference 4.1), each with its own error; then the full contract (reference 4.2), all of whose
    findings are raised at once as ``DefinitionIncomplete``. Unknown fields are ignored.
    """
    # 1
    document = read_output(data, mode="--definition")
    if not isinstance(document, dict):
        raise DefinitionNotObject(
            "--definition printed a value that is not an object", expected="an object", found=kind_of(document)
        )
    # 2
    version = look_up(document, "schemaVersion")
    if not same(version, SCHEMA_VERSION):
        raise DefinitionSchemaVersion(
            "the definition has another schema version", expected=str(SCHEMA_VERSION), found=shown(version)
        )
    # 3
    named = look_up(document, "grader")
    if named != grader:
        raise DefinitionGrader("the definition names another grader", expected=shown(grader), found=shown(named))
    # 4
    _check_baseline(document)
    findings = definition_findings(document, grader=grader)
    if findings:
        raise DefinitionIncomplete(findings)
    return _build(document)


def _check_baseline(document: JsonObject) -> None:
    mode = look_up(document, "baseline.mode")
    if mode not in (ATTAINMENT_ONLY, COMPARABLE):
        raise DefinitionBaselineMode(
            "the definition has no known baseline mode",
            expected=f"{ATTAINMENT_ONLY} or {COMPARABLE}",
            found=shown(mode),
        )
    value = look_up(document, "baseline.value")
    rule = baseline_value_rule(mode)
    if not rule.holds(value):
        raise DefinitionBaselineValue(
            f"the definition's baseline value does not fit {mode}", expected=rule.expected, found=shown(value)
        )


def _build(document: JsonObject) -> Definition:
    # The table of fields has vouched for every type used here.
    def text(path: str) -> str:
        return cast("str", look_up(document, path))

    return Definition(
        repository=text("repository"),
        workflow_name=text("workflowName"),
        source_path=text("sourcePath"),
        adoption=Adoption(text("adoption.commit"), text("adoption.adoptedAt")),
        operational_value=text("operationalValue"),
        evidence=Evidence(
            opportunity=text("evidence.opportunity"),
            assignment=text("evidence.assignment"),
            accepted=text("evidence.accepted"),
            repositories=tuple(cast("list[str]", look_up(document, "evidence.repositories"))),
            collection=text("evidence.collection"),
            maturation=text("evidence.maturation"),
            zero_rule=text("evidence.zeroRule"),
            missing_rule=text("evidence.missingRule"),
        ),
        primary_metric=PrimaryMetric(
            text("primaryMetric.id"), text("primaryMetric.formula"), text("primaryMetric.direction")
        ),
        diagnostic_metrics=_diagnostic_metrics(document),
        baseline=_baseline(cast("JsonObject", document["baseline"])),
        validation_examples=cast("JsonObject", document["validationExamples"]),
        document=document,
    )


def _diagnostic_metrics(document: JsonObject) -> tuple[DiagnosticMetric, ...]:
    metrics = cast("list[dict[str, str]] | None", document.get("diagnosticMetrics")) or []
    return tuple(DiagnosticMetric(*(metric[name] for name in DiagnosticMetric._fields)) for metric in metrics)


def _baseline(baseline: JsonObject) -> Baseline:
    value = cast("int | float | None", baseline["value"])
    return Baseline(
        mode=BaselineMode(baseline["mode"]),
        value=None if value is None else positive_zero(value),
        evidence_cutoff=cast("str | None", baseline.get("evidenceCutoff")),
        provenance=baseline.get("provenance"),
    )
