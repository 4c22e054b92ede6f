"""Maturities that move, and values that change after them."""

import pytest

from tests.verifier.running import found

_ID = "grade-run-maturity"
_MATURES = "($created + $days * 86400) as $matures"


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ("($evidence + $days * 86400) as $matures", "of one run"),
        ("($created + (if .case then 1 else 2 end) * 86400) as $matures", "of one run"),
        ("($created - 60) as $matures", "mature before it was created"),
    ],
)
def test_a_maturity_that_moves_is_an_error(new: str, text: str) -> None:
    (only,) = found(_ID, (_MATURES, new))
    assert only.startswith("error: ")
    assert text in only


def test_a_value_that_changes_after_maturity_is_an_error() -> None:
    edits = (
        (
            'kept="$(before "$events" "$(jq -r \'.cutoff\' <<<"$times")")"',
            'kept="$(before "$events" "$(jq -r .evidenceAt <<<"$request")")"',
        ),
        ('value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"', 'value="$(jq -c \'length / 100\' <<<"$kept")"'),
    )
    (only,) = found(_ID, *edits)
    assert only.startswith("error: what is graded a day after maturity changes within a month: value 0.")


def test_a_state_that_is_undone_after_maturity_is_told() -> None:
    """What was closed is opened again a week after maturity: compared with evidenceAt, the value falls."""
    edit = (
        'kept="$(before "$events" "$(jq -r \'.cutoff\' <<<"$times")")"',
        'kept="$(before "$events" "$(jq -r .evidenceAt <<<"$request")")"',
    )
    (only,) = found(_ID, edit)
    assert only == "error: what is graded a day after maturity changes within a month: value 1 and then 0"


def test_a_key_out_of_the_clock_is_another_rules_finding() -> None:
    """It is another in every run, whatever the run is for."""
    edit = (
        '"$value" "$case" "$times" ""',
        '"$value" "$(jq -c --arg at "$SECONDS$RANDOM" ".at = \\$at" <<<"$case")" "$times" ""',
    )
    assert found(_ID, edit) == found("grade-run-replay", edit) == []
    (only,) = found("grade-run-same-elsewhere", edit)
    assert only.startswith("error: a regrade is another in another folder, zone and locale: case ")


def test_a_maturity_that_stands_is_fine() -> None:
    assert found(_ID) == []
