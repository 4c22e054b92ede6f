import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.contract import BaselineMode, DiagnosticMetric, errors, parse_definition
from opvalue.contract.definition import Adoption, Baseline, Evidence, PrimaryMetric
from opvalue.contract.errors import ContractBroken
from opvalue.errors import Kind, OpvalueError
from tests.contract.cases import COMMIT, COMPARABLE, DEFINITION, DIAGNOSTIC, REMOVED, bent, encoded


def test_whole_definition() -> None:
    document = DEFINITION | {"extra": {"kept": True}, "diagnosticMetrics": [DIAGNOSTIC]}
    definition = parse_definition(encoded(document))
    assert definition.repository == "acme/widgets"
    assert definition.workflow_name == "Daily triage — 🏷"
    assert definition.source_path == ".github/workflows/daily-triage.md"
    assert definition.adoption == Adoption(COMMIT, "2026-08-20T09:00:00Z")
    assert definition.operational_value == "Each assigned issue gets the right label within a week."
    assert definition.evidence == Evidence(
        opportunity="One open issue without a label.",
        assignment="The oldest one.",
        accepted="Label events.",
        repositories=("acme/widgets",),
        collection="The timeline, all pages.",
        maturation="Seven days.",
        zero_rule="0 when proven unlabelled.",
        missing_rule="null when unreadable.",
    )
    assert definition.primary_metric == PrimaryMetric("label-attained", "labelled", "higher_is_better")
    assert definition.diagnostic_metrics == (
        DiagnosticMetric("latency", "Latency", "1 - hours / 168", "higher_is_better", "mean"),
    )
    assert definition.baseline == Baseline(BaselineMode.ATTAINMENT_ONLY, None, None, [])
    assert definition.validation_examples == DEFINITION["validationExamples"]
    assert definition.document == document


def test_comparable_baseline() -> None:
    definition = parse_definition(encoded(DEFINITION | {"baseline": COMPARABLE}))
    assert definition.baseline == Baseline(
        BaselineMode.COMPARABLE, 0.25, "2026-08-19T00:00:00Z", COMPARABLE["provenance"]
    )


def test_baseline_of_minus_zero_is_zero() -> None:
    definition = parse_definition(encoded(DEFINITION | {"baseline": COMPARABLE | {"value": -0.0}}))
    assert definition.baseline.value is not None
    assert math.copysign(1, definition.baseline.value) == 1


def test_baseline_may_leave_out_what_is_null_anyway() -> None:
    definition = parse_definition(encoded(DEFINITION | {"baseline": {"mode": "attainment-only", "value": None}}))
    assert definition.baseline == Baseline(BaselineMode.ATTAINMENT_ONLY, None, None, None)


@pytest.mark.parametrize("metrics", [None, []])
def test_no_diagnostic_metrics(metrics: object) -> None:
    assert parse_definition(encoded(DEFINITION | {"diagnosticMetrics": metrics})).diagnostic_metrics == ()
    assert parse_definition(encoded(DEFINITION)).diagnostic_metrics == ()


def test_first_generation_names_another_grader() -> None:
    document = encoded(DEFINITION | {"grader": "value"})
    assert parse_definition(document, grader="value").repository == "acme/widgets"
    with pytest.raises(errors.DefinitionGrader) as caught:
        parse_definition(document)
    assert (caught.value.expected, caught.value.found) == ('"operational-value"', '"value"')


@pytest.mark.parametrize("spelling", [b"4", b"4.0", b"4e0"])
def test_one_version_several_spellings(spelling: bytes) -> None:
    document = encoded(DEFINITION).replace(b'"schemaVersion": 4', b'"schemaVersion": ' + spelling)
    assert parse_definition(document).document["schemaVersion"] == 4


NO_SHARES: list[object] = [None, 2, -0.1, True, "0.5", []]
REFUSED: list[tuple[str, type[ContractBroken], str, list[Any]]] = [
    (
        "schemaVersion",
        errors.DefinitionSchemaVersion,
        "definition-schema-version",
        [REMOVED, 3, 5, "4", None, True, [4]],
    ),
    ("grader", errors.DefinitionGrader, "definition-grader", [REMOVED, "value", "Operational-Value", None, 1, []]),
    ("baseline", errors.DefinitionBaselineMode, "definition-baseline-mode", [REMOVED, None, [], "attainment-only", {}]),
    ("baseline.mode", errors.DefinitionBaselineMode, "definition-baseline-mode", [REMOVED, None, "frozen", 1, [], {}]),
    ("baseline.value", errors.DefinitionBaselineValue, "definition-baseline-value", [REMOVED, 0, 0.5, False, "", {}]),
    (
        "baseline",
        errors.DefinitionBaselineValue,
        "definition-baseline-value",
        [COMPARABLE | {"value": value} for value in NO_SHARES] + [{"mode": "baseline-comparable"}],
    ),
]


@pytest.mark.parametrize(
    ("path", "value", "refused", "code"),
    [(path, value, refused, code) for path, refused, code, values in REFUSED for value in values],
)
def test_each_first_check_has_its_own_error(path: str, value: Any, refused: type[ContractBroken], code: str) -> None:
    with pytest.raises(refused) as caught:
        parse_definition(encoded(bent(DEFINITION, {path: value})))
    assert type(caught.value) is refused
    assert caught.value.code == f"contract.{code}"
    assert caught.value.kind is Kind.EVALUATOR
    assert caught.value.expected
    assert caught.value.found


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "contract.output-empty"),
        (b"usage: evaluator --grade-run", "contract.output-not-json"),
        (b"\x1b[1m{}", "contract.output-escape"),
        (encoded(DEFINITION) * 2, "contract.output-more-than-one-value"),
        (encoded(DEFINITION).replace(b'"grader"', b'"grader": 1, "grader"'), "contract.output-not-json"),
        (b"[" * 100_000, "contract.output-not-json"),
        (b"[]", "contract.definition-not-object"),
        (b"null", "contract.definition-not-object"),
        (b"4", "contract.definition-not-object"),
    ],
)
def test_one_object(data: bytes, code: str) -> None:
    with pytest.raises(ContractBroken) as caught:
        parse_definition(data)
    assert caught.value.code == code


def test_first_checks_run_in_the_documented_order() -> None:
    document: dict[str, Any] = {}
    mends: list[tuple[str, dict[str, Any]]] = [
        ("contract.definition-schema-version", {"schemaVersion": 4}),
        ("contract.definition-grader", {"grader": "operational-value"}),
        ("contract.definition-baseline-mode", {"baseline": {"mode": "attainment-only"}}),
        ("contract.definition-baseline-value", {"baseline": {"mode": "attainment-only", "value": None}}),
        ("contract.definition-incomplete", DEFINITION),
    ]
    for code, mend in mends:
        with pytest.raises(ContractBroken) as caught:
            parse_definition(encoded(document))
        assert caught.value.code == code
        document |= mend
    assert parse_definition(encoded(document)).repository == "acme/widgets"


def test_all_missing_fields_are_listed_at_once_with_an_example() -> None:
    bare = {"schemaVersion": 4, "grader": "operational-value", "baseline": {"mode": "attainment-only", "value": None}}
    with pytest.raises(errors.DefinitionIncomplete) as caught:
        parse_definition(encoded(bare))
    assert [finding.path for finding in caught.value.findings] == [
        "repository",
        "workflowName",
        "sourcePath",
        "adoption.commit",
        "adoption.adoptedAt",
        "operationalValue",
        "evidence.opportunity",
        "evidence.assignment",
        "evidence.accepted",
        "evidence.repositories",
        "evidence.collection",
        "evidence.maturation",
        "evidence.zeroRule",
        "evidence.missingRule",
        "primaryMetric.id",
        "primaryMetric.formula",
        "primaryMetric.direction",
        "validationExamples",
    ]
    lines = caught.value.message.split("\n")
    assert lines[0] == "the definition breaks the contract in 18 fields:"
    assert len(lines) == 19
    assert '  - repository is missing; expected OWNER/NAME, for example "acme/widgets"' in lines
    assert all("is missing; expected" in line and ", for example " in line for line in lines[1:])


def test_one_missing_field_is_one_field() -> None:
    with pytest.raises(errors.DefinitionIncomplete) as caught:
        parse_definition(encoded(bent(DEFINITION, {"evidence.zeroRule": REMOVED})))
    assert caught.value.message.startswith("the definition breaks the contract in 1 field:\n  - evidence.zeroRule is")
    assert "opvalue schema definition" in caught.value.diagnostics()


def test_untrusted_text_in_a_finding_cannot_steer_a_terminal() -> None:
    with pytest.raises(errors.DefinitionIncomplete) as caught:
        parse_definition(json.dumps(DEFINITION | {"repository": "\x1b[31m\u202e"}).encode())
    assert "\x1b" not in caught.value.diagnostics()
    assert "\u202e" not in caught.value.diagnostics()


_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)
_PATHS = ["repository", "adoption", "evidence", "evidence.repositories", "baseline", "baseline.provenance"]


@given(
    st.dictionaries(
        st.sampled_from(_PATHS + sorted(DEFINITION)),
        st.recursive(_LEAVES, lambda x: st.lists(x, max_size=2) | st.dictionaries(st.text(max_size=3), x, max_size=2)),
        max_size=1,
    ),
    st.lists(st.dictionaries(st.sampled_from(sorted(DIAGNOSTIC)), _LEAVES), max_size=2),
)
def test_any_change_is_accepted_or_refused_by_name(changes: dict[str, Any], metrics: list[Any]) -> None:
    document = bent(DEFINITION | {"diagnosticMetrics": metrics}, changes)
    try:
        definition = parse_definition(json.dumps(document).encode())
    except OpvalueError as error:
        assert error.code.startswith("contract.")  # noqa: PT017 - other exceptions must fail the test
        return
    assert definition.document == document
