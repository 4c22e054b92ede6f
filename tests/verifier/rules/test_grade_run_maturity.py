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


def test_a_maturity_that_stands_is_fine() -> None:
    assert found(_ID) == []
