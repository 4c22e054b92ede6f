"""Gradings that depend on where they are."""

import pytest

from tests.verifier.running import found
from verifier.rule import Profile

_ID = "grade-run-same-elsewhere"
_VALUE = 'value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"'


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ("if git rev-parse HEAD >/dev/null 2>&1; then value=0.25; fi", "value 1 and then 0.25"),
        ("if [[ -f go.mod ]]; then value=0.5; fi", "value 1 and then 0.5"),
        ('if [[ "$TZ" != UTC ]]; then fail "zone"; fi', "fails in another folder"),
        ('value="$(jq -n "$RANDOM / 1e6")"', "value 0"),
    ],
)
def test_another_observation_is_an_error(more: str, text: str) -> None:
    (only,) = found(_ID, (_VALUE, f"{_VALUE}\n  {more}"))
    assert only.startswith("error: a regrade ")
    assert text in only


def test_other_diagnostics_are_a_note() -> None:
    (only,) = found(_ID, ('count="$(mentions "$kept" "$number")"', 'count="$RANDOM"'))
    assert only.startswith("note: message, diagnostics or other fields")


def test_the_thorough_profile_tells_chance_from_place() -> None:
    edit = (_VALUE, f'{_VALUE}\n  value="$(jq -n "$RANDOM / 1e6")"')
    (only,) = found(_ID, edit, profile=Profile.THOROUGH)
    assert "is another each time, everything else the same" in only


@pytest.mark.parametrize(
    ("made", "here", "there"),
    [
        ('$born | sub("[.][0-9]+"; "") | fromdateiso8601 | strflocaltime("%F")', "2026-08-11", "2026-08-10"),
        ('env.LANG // "none"', "none", "C.UTF-8"),
    ],
)
def test_a_case_that_is_made_otherwise_elsewhere_is_an_error(made: str, here: str, there: str) -> None:
    case = f".run.createdAt as $born | {{issue: .event.issue.number, made: ({made})}}"
    (only,) = found(_ID, ("then {issue: .event.issue.number}", f"then {case}"), profile=Profile.THOROUGH)
    assert only == (
        "error: a first grading is another in another folder, zone and locale: "
        f'case {{"issue":42,"made":"{here}"}} and then {{"issue":42,"made":"{there}"}}'
    )


def test_the_same_observation_is_fine() -> None:
    assert found(_ID) == []
