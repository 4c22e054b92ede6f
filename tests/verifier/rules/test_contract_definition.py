"""Definitions that are not whole, and what is no definition."""

import pytest

from tests.verifier.running import Edit, edited, found, running
from verifier.registry import rule

_ID = "contract-definition"
_RUN = "--definition) definition ;;"


def test_every_field_is_told_at_once_with_an_example() -> None:
    edits = (
        ('workflowName: "Issue triage",', ""),
        ('direction: "higher_is_better"', 'direction: "lower_is_better"'),
        ("missing: {},", ""),
    )
    assert [one.split(" in the definition, ")[1].split(" ")[0] for one in found(_ID, *edits)] == [
        "workflowName",
        "primaryMetric.direction",
        "validationExamples",
    ]


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        ((_RUN, "--definition) echo no ;;"), "is not JSON"),
        ((_RUN, "--definition) definition; definition ;;"), "more than one value"),
        ((_RUN, "--definition) : ;;"), "printed nothing"),
        ((_RUN, "--definition) definition; exit 3 ;;"), "exit status 3"),
        ((_RUN, "--definition) definition; sleep 30 & ;;"), "processes running"),
        ((_RUN, "--definition) echo '[]' ;;"), "not an object"),
    ],
)
def test_what_is_no_definition_is_an_error(edit: Edit, text: str) -> None:
    only = found(_ID, edit)
    assert len(only) == 1
    assert only[0].startswith("error: --definition")
    assert text in only[0]


@pytest.mark.parametrize(
    ("edit", "advice"),
    [
        (("value: null, ", ""), 'Write "value": null.'),
        (('direction: "higher_is_better"', ""), 'Write "direction": "higher_is_better".'),
        (('workflowName: "Issue triage",', ""), 'Write a text that is not blank, for example "Daily triage".'),
    ],
)
def test_what_to_write_is_told(edit: Edit, advice: str) -> None:
    with running(edited(edit)) as (made, runs):
        (only,) = rule(_ID).check(made, runs)
    assert only.advice == advice


def test_a_whole_definition_is_fine() -> None:
    assert found(_ID) == []
    assert found(_ID, ("validationExamples: {", 'extra: {"more": 1},\n      validationExamples: {')) == []


def test_what_bash_does_not_read_has_no_definition_to_judge() -> None:
    assert found(_ID, (_RUN, "--definition) definition ;; fi")) == []
