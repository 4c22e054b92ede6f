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


def test_the_same_observation_is_fine() -> None:
    assert found(_ID) == []
