"""Failures of evidence that become numbers."""

from typing import Final

import pytest

from tests.verifier.running import Edit, found
from verifier.rule import Profile

_ID = "missing-is-not-zero"
_FAIL = '    fail "the timeline of issue $number cannot be read"'
_ASK = "gh api --paginate \"repos/$REPOSITORY/issues/$1/timeline?per_page=100\" | jq -s 'add // []'"
_FORM = 'if ! jq -e \'type == "array" and length > 0\' <<<"$events" >/dev/null; then'


_ANSWER: Final = 'gh api --paginate "repos/$REPOSITORY/issues/$1/timeline?per_page=100"'
_KEPT: Final = "| map(select((.created_at"
_EVENT: Final = '{"event": "x", "created_at": "2026-08-12T00:00:00Z"}'


@pytest.mark.parametrize(
    ("edits", "texts"),
    [
        (((_FAIL, '    observation 0 "$case" "$times" "" null; return'),), ["status 500", "no connection"]),
        (((_ANSWER, f"({_ANSWER} || echo '[{_EVENT}]')"),), ["no connection"]),
        (
            ((_FORM, "if false; then"), (_KEPT, f'| (if type == "array" then . else [] end) {_KEPT}')),
            ["lists come as an object"],
        ),
    ],
)
def test_a_number_is_an_error(edits: tuple[Edit, ...], texts: list[str]) -> None:
    told = found(_ID, *edits, profile=Profile.DEFAULT)
    assert all(one.startswith("error: the value is ") for one in told)
    assert all(any(text in one for one in told) for text in texts)
    assert len(told) >= len(texts)


def test_null_and_failure_are_fine_in_every_profile() -> None:
    assert found(_ID, profile=Profile.THOROUGH) == []
    assert (
        found(_ID, (_FAIL, '    observation null "$case" "$times" "not read" null; return'), profile=Profile.DEFAULT)
        == []
    )


def test_an_incomplete_search_is_missing_evidence() -> None:
    search = f"gh api -X GET search/issues -f \"q=repo:$REPOSITORY is:issue\" | jq -c '[{_EVENT}]'"
    told = found(_ID, (_ASK, search), profile=Profile.DEFAULT)
    assert any("searches incomplete" in one for one in told)
    checked = search.replace("jq -c '[", 'jq -c \'if .incomplete_results != false then error("partial") else . end | [')
    assert found(_ID, (_ASK, checked), profile=Profile.DEFAULT) == []
