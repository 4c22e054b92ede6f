import pytest

from opvalue.graders.trajectory.recurrence_rate import measure
from tests.graders.trajectory.samples import BOUND, check_bound, states


@pytest.mark.parametrize(
    ("visits", "value"),
    [("aaaa", 1), ("abcd", 0), ("ababab", 0.4), ("abbacc", 0.2), ("ababccca", 0.25), ("aba", 1 / 3)],
)
def test_reference_values(visits: str, value: float) -> None:
    assert measure(states(visits), {}).value == pytest.approx(value)


def test_fourteen_of_fifty_six_points() -> None:
    assert measure(states("ababccca"), {}).value == 14 / 56


def test_fewer_than_two_visits() -> None:
    assert measure(states("a"), {}) == (None, "fewer than 2 visits to states")


def test_bound() -> None:
    check_bound(measure, states("ab" * (BOUND // 2)), "states", 2499 / 4999)
