"""Scripts that see what came later."""

import pytest

from tests.verifier.running import found
from verifier.rule import Profile

_ID = "no-look-ahead"
_BEFORE = "select((.created_at | seconds) as $at | $at != null and $at <= $end_of_evidence)"
_ASK = "gh api --paginate \"repos/$REPOSITORY/issues/$1/timeline?per_page=100\" | jq -s 'add // []'"
_NOW = 'gh api "repos/$REPOSITORY/issues/$1" | jq -c \'[{event: (if %s then "closed" else "opened" end), created_at}]\''

_PULL = (
    'gh api "repos/$REPOSITORY/pulls/43"'
    ' | jq -c \'[{event: (if .merged then "closed" else "opened" end), created_at}]\''
)
_COMPARED = (
    'gh api "repos/$REPOSITORY/issues/$1"'
    ' | jq -c \'[{event: "closed", created_at: (.closed_at // "2999-01-01T00:00:00Z")}]\''
)


@pytest.mark.parametrize(
    "edit",
    [
        (_BEFORE, "select(true)"),
        (_ASK, _NOW % '.state == "closed"'),
        (_ASK, _NOW % ".closed_at != null"),
        (_ASK, _PULL),
    ],
)
def test_what_comes_later_is_an_error(edit: tuple[str, str]) -> None:
    (only,) = found(_ID, edit, profile=Profile.DEFAULT)
    assert only.startswith("error: what came after the cutoff (2026-08-14T21:30:00.000Z) counts: ")


def test_what_only_comes_later_is_found_where_one_thing_is_enough() -> None:
    """Where something is there in time, one more that came later changes nothing."""
    comments = ('/issues/$1/timeline?per_page=100"', '/issues/$1/comments?per_page=100"')
    closed = ("{events: .}", '{events: [.[] | {event: "closed", created_at}]}')
    (only,) = found(_ID, comments, closed, (_BEFORE, "select(true)"), profile=Profile.DEFAULT)
    assert only.endswith("counts: with it and without, value 1 and then null")


def test_times_compared_with_the_cutoff_are_fine() -> None:
    assert found(_ID, profile=Profile.THOROUGH) == []
    assert found(_ID, (_ASK, _COMPARED), profile=Profile.DEFAULT) == []
