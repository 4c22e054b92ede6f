"""Definitions that are not whole, and what is no definition."""

import pytest

from tests.verifier.running import Edit, found

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


def test_a_whole_definition_is_fine() -> None:
    assert found(_ID) == []
    assert found(_ID, ("validationExamples: {", 'extra: {"more": 1},\n      validationExamples: {')) == []
