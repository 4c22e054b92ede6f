import json
from typing import Any

import pytest

from opvalue.contract import Finding, definition_findings
from tests.contract.cases import COMPARABLE, DEFINITION, DIAGNOSTIC, REMOVED, bent

BLANK_TEXTS = [REMOVED, None, "", " \t", "\ufeff", 1, True, [], {}, ["x"]]


def paths(document: dict[str, Any]) -> list[str]:
    return [finding.path for finding in definition_findings(document)]


def test_whole_definition_has_no_finding() -> None:
    assert definition_findings(DEFINITION) == ()
    assert definition_findings(DEFINITION | {"baseline": COMPARABLE, "diagnosticMetrics": [DIAGNOSTIC]}) == ()


def test_empty_document_lists_every_field() -> None:
    found = paths({})
    assert found[:3] == ["schemaVersion", "grader", "repository"]
    assert found[-2:] == ["baseline.mode", "validationExamples"]
    assert len(found) == 21


def test_other_grader() -> None:
    assert definition_findings(DEFINITION | {"grader": "value"}, grader="value") == ()
    assert definition_findings(DEFINITION, grader="value") == (
        Finding("grader", 'is "operational-value"', '"value"', '"value"'),
    )


@pytest.mark.parametrize(
    "path",
    [
        "workflowName",
        "operationalValue",
        "evidence.opportunity",
        "evidence.assignment",
        "evidence.accepted",
        "evidence.collection",
        "evidence.maturation",
        "evidence.zeroRule",
        "evidence.missingRule",
        "primaryMetric.id",
        "primaryMetric.formula",
    ],
)
@pytest.mark.parametrize("value", BLANK_TEXTS)
def test_texts(path: str, value: object) -> None:
    assert paths(bent(DEFINITION, {path: value})) == [path]


WRONG_FORMS: dict[str, list[object]] = {
    "schemaVersion": [REMOVED, 3, "4", True, None],
    "repository": [REMOVED, None, "", "acme", "a/b/c", "acme/", "acme/wid gets", "{owner}/{repo}"],
    "sourcePath": [
        REMOVED,
        None,
        "",
        "workflows/x.md",
        ".github/workflows/x.yml",
        "/.github/workflows/x.md",
        ".github/workflows/../../x.md",
        ".github/workflows//x.md",
        ".github/workflows/a\\b.md",
        ".github/workflows/a\n.md",
        5,
    ],
    "adoption.commit": [REMOVED, None, "", "3f2a9c6", "g" * 40, "A" * 40, "a" * 39, "a" * 41, "a" * 40 + "\n", 1],
    "adoption.adoptedAt": [
        REMOVED,
        None,
        "",
        "2026-08-20",
        "2026-08-20 09:00:00Z",
        "2026-13-20T09:00:00Z",
        "2026-08-32T09:00:00Z",
        "2026-08-20T24:00:00Z",
        "20260820T090000Z",
        " 2026-08-20T09:00:00Z",
        "٢٠٢٦-08-20T09:00:00Z",
        1,
    ],
    "evidence.repositories": [REMOVED, None, [], "acme/widgets", ["acme"], ["acme/widgets", 1], {"0": "acme/widgets"}],
    "primaryMetric.direction": [REMOVED, None, "lower_is_better", "", 1],
    "validationExamples": [REMOVED, None, {}, [], "x", {"targetAttained": 1, "targetMissed": 0, "missing": None}],
    "baseline.value": [REMOVED, 0, False, ""],
    "baseline.evidenceCutoff": ["2026-08-19T00:00:00Z", 0, False, ""],
    "diagnosticMetrics": [{}, "x", 1, [1], [DIAGNOSTIC, None]],
}


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, values in WRONG_FORMS.items() for value in values])
def test_fields_with_a_form(path: str, value: object) -> None:
    assert paths(bent(DEFINITION, {path: value})) == [path]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("adoption.adoptedAt", "2026-08-20T09:00:00.000Z"),
        ("adoption.adoptedAt", "2026-08-20T09:00:00+07:00"),
        ("adoption.adoptedAt", "2026-08-20T09:00"),
        ("adoption.commit", "a" * 64),
        ("sourcePath", ".github/workflows/nested/x.md"),
        ("evidence.repositories", ["acme/widgets", "Acme/Tools.js"]),
        ("validationExamples", {"targetAttained": 1, "targetMissed": 0, "missing": None, "malformed": "x", "extra": 1}),
        ("baseline.evidenceCutoff", REMOVED),
        ("baseline.provenance", None),
    ],
)
def test_forms_that_pass(path: str, value: object) -> None:
    assert paths(bent(DEFINITION, {path: value})) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("value", value) for value in (REMOVED, None, 2, -1, True, "0.5")],
        *[("evidenceCutoff", value) for value in (REMOVED, None, "", " ", 1)],
        *[("provenance", value) for value in (REMOVED, None, [], {}, "", " ", 0, True, 1)],
    ],
)
def test_comparable_baseline(name: str, value: object) -> None:
    assert paths(DEFINITION | {"baseline": bent(COMPARABLE, {name: value})}) == [f"baseline.{name}"]


@pytest.mark.parametrize("provenance", ["commit 3f2a", {"commit": "3f2a"}, ["3f2a"]])
def test_baseline_provenance_may_have_any_shape_with_something_in_it(provenance: object) -> None:
    assert paths(DEFINITION | {"baseline": COMPARABLE | {"provenance": provenance}}) == []


@pytest.mark.parametrize("mode", [REMOVED, None, "frozen", 1, [], {}])
def test_unknown_baseline_mode_is_one_finding(mode: object) -> None:
    assert paths(bent(DEFINITION, {"baseline.mode": mode})) == ["baseline.mode"]


@pytest.mark.parametrize("name", sorted(DIAGNOSTIC))
@pytest.mark.parametrize("value", BLANK_TEXTS)
def test_each_field_of_a_diagnostic_metric(name: str, value: object) -> None:
    metrics = [DIAGNOSTIC | {"id": "other"}, bent(DIAGNOSTIC, {name: value})]
    assert paths(DEFINITION | {"diagnosticMetrics": metrics}) == [f"diagnosticMetrics[1].{name}"]


@pytest.mark.parametrize("aggregation", ["latest", "mean"])
def test_aggregations(aggregation: str) -> None:
    assert paths(DEFINITION | {"diagnosticMetrics": [DIAGNOSTIC | {"aggregation": aggregation}]}) == []


@pytest.mark.parametrize("change", [{"aggregation": "sum"}, {"direction": "lower_is_better"}])
def test_other_words_are_refused(change: dict[str, str]) -> None:
    assert paths(DEFINITION | {"diagnosticMetrics": [DIAGNOSTIC | change]}) == [
        f"diagnosticMetrics[0].{next(iter(change))}"
    ]


def test_ids_are_unique_the_primary_included() -> None:
    metrics = [DIAGNOSTIC, DIAGNOSTIC, DIAGNOSTIC | {"id": "label-attained"}]
    found = definition_findings(DEFINITION | {"diagnosticMetrics": metrics})
    assert [(finding.path, finding.problem) for finding in found] == [
        ("diagnosticMetrics[1].id", 'is "latency" again'),
        ("diagnosticMetrics[2].id", 'is "label-attained" again'),
    ]


def test_parent_of_another_type_is_named() -> None:
    found = definition_findings(DEFINITION | {"adoption": "3f2a"})
    assert [(finding.path, finding.problem) for finding in found] == [
        ("adoption.commit", "is missing, adoption being of type string"),
        ("adoption.adoptedAt", "is missing, adoption being of type string"),
    ]


def test_absent_parent_is_simply_missing() -> None:
    found = definition_findings(bent(DEFINITION, {"adoption": REMOVED}))
    assert {finding.problem for finding in found} == {"is missing"}


def test_a_finding_reads_as_a_sentence() -> None:
    (finding,) = definition_findings(DEFINITION | {"repository": 5})
    assert str(finding) == 'repository is 5; expected OWNER/NAME, for example "acme/widgets"'


def test_every_example_is_itself_accepted() -> None:
    """An author who copies the examples of all findings has a definition that passes."""
    document: dict[str, Any] = {"baseline": {"mode": "baseline-comparable"}, "diagnosticMetrics": [{}]}
    for finding in definition_findings(document):
        *parents, last = finding.path.replace("[0]", ".0").split(".")
        holder: Any = document
        for key in parents:
            holder = holder[0] if key == "0" else holder.setdefault(key, {})
        holder[last] = json.loads(finding.example)
    assert definition_findings(document) == ()
