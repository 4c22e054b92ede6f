"""Failures, one kind at a time."""

import json

import pytest

from opvalue.errors import OpvalueError
from tests.verifier.simulated.asking import SETTING, answer, ask, query
from verifier.simulated import Failing, FailureKind, Simulated

_SEARCH = "/search/issues?q=repo:octo-org/widgets"


def _failing(kind: FailureKind) -> Failing:
    return Failing(Simulated(SETTING, 0), SETTING, kind)


@pytest.mark.parametrize(
    ("kind", "status"), [(FailureKind.REFUSED, 500), (FailureKind.DENIED, 403), (FailureKind.LIMITED, 429)]
)
def test_statuses(kind: FailureKind, status: int) -> None:
    source = _failing(kind)
    found = answer(source, "issues/42")
    assert found.status == status
    assert "message" in json.loads(found.body)
    assert source.hit


def test_queries_are_refused_with_errors() -> None:
    assert "errors" in query(_failing(FailureKind.REFUSED), "{ viewer { login } }")
    assert query(_failing(FailureKind.ODD_SHAPE), "{ viewer { login } }") == {"data": None}


def test_no_connection() -> None:
    source = _failing(FailureKind.CUT)
    with pytest.raises(OpvalueError):
        answer(source, "issues/42")
    assert source.hit


def test_lists_and_searches_of_another_form() -> None:
    single = _failing(FailureKind.ODD_SHAPE)
    assert ask(single, "issues/42")["number"] == 42
    assert not single.hit
    source = _failing(FailureKind.ODD_SHAPE)
    assert ask(source, "issues") == {"message": "Server Error"}
    assert ask(source, _SEARCH)["incomplete_results"] is True
    assert source.hit
    assert "items" not in ask(_failing(FailureKind.SHAPELESS_SEARCH), _SEARCH)
    assert ask(_failing(FailureKind.SHAPELESS_SEARCH), "issues/42")["number"] == 42


def test_answers_that_are_cut_and_later_ones_that_fail() -> None:
    with pytest.raises(json.JSONDecodeError):
        ask(_failing(FailureKind.HALF), "issues/42")
    source = _failing(FailureKind.LATER)
    assert answer(source, "issues/42").status == 200
    assert answer(source, "issues/42/events").status == 502
    assert answer(source, "issues/42").status == 200
