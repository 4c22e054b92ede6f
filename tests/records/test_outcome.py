"""A value against its threshold (reference 2.5, end; RS-02)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.records import Outcome, Status, outcome

HIGHER, LOWER = "higher_is_better", "lower_is_better"


@pytest.mark.parametrize(
    ("value", "threshold", "direction", "status", "passed"),
    [
        (None, None, HIGHER, Status.UNAVAILABLE, None),
        (None, 0, HIGHER, Status.UNAVAILABLE, None),
        (None, 0, LOWER, Status.UNAVAILABLE, None),
        (0, None, HIGHER, Status.PASS, None),
        (0.0, None, LOWER, Status.PASS, None),
        (0, 0, HIGHER, Status.PASS, True),
        (0, 0, LOWER, Status.PASS, True),
        (0.5, 0.5, HIGHER, Status.PASS, True),
        (0.5, 0.5, LOWER, Status.PASS, True),
        (1, 1.0, HIGHER, Status.PASS, True),
        (0, 0.1, HIGHER, Status.FAIL, False),
        (0, 0.1, LOWER, Status.PASS, True),
        (0.2, 0.1, HIGHER, Status.PASS, True),
        (0.2, 0.1, LOWER, Status.FAIL, False),
        (0.1, 0, LOWER, Status.FAIL, False),
        (0.2, 0.9, "sideways", Status.PASS, None),
        (0.2, 0.9, "", Status.PASS, None),
    ],
)
def test_outcome(
    value: float | None, threshold: float | None, direction: str, status: Status, passed: bool | None
) -> None:
    assert outcome(value, threshold=threshold, direction=direction) == Outcome(status, passed)


@given(st.floats(0, 1), st.floats(0, 1))
def test_directions_mirror_each_other(value: float, threshold: float) -> None:
    higher = outcome(value, threshold=threshold, direction=HIGHER)
    assert outcome(-value, threshold=-threshold, direction=LOWER) == higher
    assert (higher.status is Status.PASS) is higher.passed


def test_status_words() -> None:
    assert [status.value for status in Status] == ["pass", "fail", "unavailable", "error", "not-observed"]
