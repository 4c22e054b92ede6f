"""Metrics that do not tell attained from missed."""

import pytest

from tests.verifier.running import found

_ID = "metric-examples"


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (('"reopened" then 0', '"reopened" then 1'), "gives 1 for targetAttained and 1 for targetMissed"),
        (('"completed" then 1', '"completed" then 2'), "gives no number for the example targetAttained"),
        (('"reopened" then 0', '"reopened" then null'), "gives null for the example targetMissed"),
        (("--metric) metric ;;", "--metric) metric; exit 4 ;;"), "exit status 4"),
        (("--metric) metric ;;", "--metric) metric | jq '., .' ;;"), "more than one value"),
    ],
)
def test_examples_that_do_not_differ_are_errors(edit: tuple[str, str], text: str) -> None:
    first = found(_ID, edit)[0]
    assert first.startswith("error: --metric")
    assert text in first


def test_examples_that_differ_are_fine() -> None:
    assert found(_ID) == []
    assert found(_ID, ('"completed" then 1', '"completed" then 1e-07')) == []
