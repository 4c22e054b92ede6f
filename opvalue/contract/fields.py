"""The full contract of a schema-4 definition as one table of fields (reference 4.2).

Each row is a path, the rule its value obeys and an example of the right form. Not checked: anything that needs a
repository, a run or the script itself; fields the table does not name are ignored.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from opvalue.contract.values import ABSENT, Absent, is_share, is_slug, is_text, shown
from opvalue.errors import OpvalueError
from opvalue.identity import CommitId, RepoPath
from opvalue.identity.objects import WORKFLOWS
from opvalue.strictjson import JsonObject, JsonValue, kind_of, same

SCHEMA_VERSION: Final = 4
OPERATIONAL_VALUE: Final = "operational-value"
ATTAINMENT_ONLY: Final = "attainment-only"
COMPARABLE: Final = "baseline-comparable"
HIGHER_IS_BETTER: Final = "higher_is_better"
VALIDATION_EXAMPLES: Final = ("targetAttained", "targetMissed", "missing", "malformed")

Found: TypeAlias = "JsonValue | Absent"

# The date and the time of day to the minute; what follows is not looked at.
_DATE_TIME_PREFIX = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]")


class Finding(NamedTuple):
    """One field that breaks the contract."""

    path: str
    """Where, such as ``evidence.zeroRule`` or ``diagnosticMetrics[0].id``."""
    problem: str
    """What is wrong, such as ``is missing``."""
    expected: str
    """The rule."""
    example: str
    """The right form, as JSON."""

    def __str__(self) -> str:
        return f"{self.path} {self.problem}; expected {self.expected}, for example {self.example}"


class Rule(NamedTuple):
    """What a value must be. ``holds`` is given ``ABSENT`` for a key that is not there."""

    expected: str
    holds: Callable[[Found], bool]


class Field(NamedTuple):
    """One row of the contract."""

    path: str
    rule: Rule
    example: str


def _exactly(expected: JsonValue) -> Rule:
    return Rule(shown(expected), lambda value: same(value, expected))


def _one_of(*words: str) -> Rule:
    return Rule(" or ".join(f'"{word}"' for word in words), lambda value: isinstance(value, str) and value in words)


def _is_source_path(value: Found) -> bool:
    if not isinstance(value, str) or not value.startswith(f"{WORKFLOWS}/") or not value.endswith(".md"):
        return False
    try:
        RepoPath.parse(value)
    except OpvalueError:
        return False
    return True


def _is_date_time(value: Found) -> bool:
    return isinstance(value, str) and _DATE_TIME_PREFIX.match(value) is not None


def _are_repositories(value: Found) -> bool:
    return isinstance(value, list) and bool(value) and all(is_slug(item) for item in value)


def _is_provenance(value: Found) -> bool:
    return is_text(value) or (isinstance(value, list | dict) and bool(value))


def _are_examples(value: Found) -> bool:
    return isinstance(value, dict) and all(key in value for key in VALIDATION_EXAMPLES)


def _are_optional_objects(value: Found) -> bool:
    return value in (ABSENT, None) or (isinstance(value, list) and all(isinstance(item, dict) for item in value))


_TEXT = Rule("a text that is not blank", is_text)
_DIRECTION = _exactly(HIGHER_IS_BETTER)

_HEAD = (
    Field("repository", Rule("OWNER/NAME", is_slug), '"acme/widgets"'),
    Field("workflowName", _TEXT, '"Daily triage"'),
    Field(
        "sourcePath",
        Rule(f"a clean path that starts with {WORKFLOWS}/ and ends with .md", _is_source_path),
        '".github/workflows/daily-triage.md"',
    ),
    Field(
        "adoption.commit",
        Rule("a full commit id in lower case", lambda value: CommitId.parse(value) is not None),
        '"3f2a9c61d0b84e7755c1a2e9f60d4b8837ce1a05"',
    ),
    Field("adoption.adoptedAt", Rule("a date and time, YYYY-MM-DDTHH:MM:SSZ", _is_date_time), '"2026-08-23T11:58:00Z"'),
    Field("operationalValue", _TEXT, '"Each assigned issue gets the right label within a week."'),
    Field("evidence.opportunity", _TEXT, '"One open issue without a label."'),
    Field("evidence.assignment", _TEXT, '"The oldest such issue at the run\'s creation."'),
    Field("evidence.accepted", _TEXT, '"Label events in the issue\'s timeline."'),
    Field("evidence.repositories", Rule("an array of at least one OWNER/NAME", _are_repositories), '["acme/widgets"]'),
    Field("evidence.collection", _TEXT, '"The issue timeline, all pages, up to the cutoff."'),
    Field("evidence.maturation", _TEXT, '"Seven days after the run was created."'),
    Field("evidence.zeroRule", _TEXT, '"0 when the issue is proven to have no label at the cutoff."'),
    Field("evidence.missingRule", _TEXT, '"null when the timeline cannot be read."'),
    Field("primaryMetric.id", _TEXT, '"label-attained"'),
    Field("primaryMetric.formula", _TEXT, '"1 when the expected label is present, else 0"'),
    Field("primaryMetric.direction", _DIRECTION, f'"{HIGHER_IS_BETTER}"'),
)
_DIAGNOSTIC_METRICS = Field("diagnosticMetrics", Rule("an array of objects, or nothing", _are_optional_objects), "[]")
_DIAGNOSTIC_METRIC = (
    Field("id", _TEXT, '"label-latency"'),
    Field("name", _TEXT, '"Label latency"'),
    Field("formula", _TEXT, '"1 - hours to the label / 168"'),
    Field("direction", _DIRECTION, f'"{HIGHER_IS_BETTER}"'),
    Field("aggregation", _one_of("latest", "mean"), '"mean"'),
)
_BASELINE_MODE = Field("baseline.mode", _one_of(ATTAINMENT_ONLY, COMPARABLE), f'"{ATTAINMENT_ONLY}"')
_BASELINE: Final = {
    ATTAINMENT_ONLY: (
        Field("baseline.value", Rule("null, written out", lambda value: value is None), "null"),
        Field("baseline.evidenceCutoff", Rule("null", lambda value: value in (ABSENT, None)), "null"),
    ),
    COMPARABLE: (
        Field("baseline.value", Rule("a number in [0, 1]", is_share), "0.25"),
        Field("baseline.evidenceCutoff", _TEXT, '"2026-08-22T00:00:00Z"'),
        Field(
            "baseline.provenance",
            Rule("an array that is not empty", _is_provenance),
            '[{"repository": "acme/widgets", "kind": "commit", "ref": "3f2a9c61d0b84e7755c1a2e9f60d4b8837ce1a05"}]',
        ),
    ),
}
_VALIDATION_EXAMPLES = Field(
    "validationExamples",
    Rule("an object with " + ", ".join(VALIDATION_EXAMPLES), _are_examples),
    '{"targetAttained": {"labelled": true}, "targetMissed": {"labelled": false}, "missing": {}, "malformed": []}',
)


def look_up(document: JsonObject, path: str) -> Found:
    """Return the value at a dotted path, or ``ABSENT``."""
    value: JsonValue = document
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


def baseline_value_rule(mode: str) -> Rule:
    """Return what ``baseline.value`` must be under a known mode."""
    return _BASELINE[mode][0].rule


def definition_findings(document: JsonObject, *, grader: str = OPERATIONAL_VALUE) -> tuple[Finding, ...]:
    """Return every field of ``document`` that breaks the full contract, in the order of reference 4.2.

    ``grader`` is the id the definition must name. An empty result means that the contract holds.
    """
    return tuple(_findings(document, grader))


def _findings(document: JsonObject, grader: str) -> Iterator[Finding]:
    yield from _check(document, Field("schemaVersion", _exactly(SCHEMA_VERSION), shown(SCHEMA_VERSION)))
    yield from _check(document, Field("grader", _exactly(grader), shown(grader)))
    for field in _HEAD:
        yield from _check(document, field)
    yield from _diagnostic_metrics(document)
    yield from _check(document, _BASELINE_MODE)
    mode = look_up(document, "baseline.mode")
    for field in _BASELINE.get(mode, ()) if isinstance(mode, str) else ():
        yield from _check(document, field)
    yield from _check(document, _VALIDATION_EXAMPLES)


def _diagnostic_metrics(document: JsonObject) -> Iterator[Finding]:
    yield from _check(document, _DIAGNOSTIC_METRICS)
    metrics = document.get("diagnosticMetrics")
    taken = [look_up(document, "primaryMetric.id")]
    for index, metric in enumerate(metrics if isinstance(metrics, list) else ()):
        if not isinstance(metric, dict):
            continue
        prefix = f"diagnosticMetrics[{index}]."
        for field in _DIAGNOSTIC_METRIC:
            yield from _check(metric, field, prefix)
        own = metric.get("id", ABSENT)
        if is_text(own) and own in taken:
            yield Finding(f"{prefix}id", f"is {shown(own)} again", "an id no other metric has", '"label-latency"')
        taken.append(own)


def _check(document: JsonObject, field: Field, prefix: str = "") -> Iterator[Finding]:
    value = look_up(document, field.path)
    if not field.rule.holds(value):
        problem = _missing(document, field.path) if value is ABSENT else f"is {shown(value)}"
        yield Finding(prefix + field.path, problem, field.rule.expected, field.example)


def _missing(document: JsonObject, path: str) -> str:
    parent = path.rpartition(".")[0]
    holder = look_up(document, parent) if parent else document
    if holder is ABSENT or isinstance(holder, dict):
        return "is missing"
    return f"is missing, {parent} being of type {kind_of(holder)}"
