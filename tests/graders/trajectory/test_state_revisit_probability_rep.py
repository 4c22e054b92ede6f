import pytest

from opvalue.graders.trajectory.state_revisit_probability_rep import measure
from tests.graders.trajectory.samples import BOUND, check_bound, made, states


@pytest.mark.parametrize(
    ("visits", "value"),
    [("aaaa", 0.75), ("abcd", 0), ("ababab", 2 / 3), ("abbacc", 0.5), ("ababccca", 0.625), ("aba", 1 / 3), ("ab", 0)],
)
def test_reference_values(visits: str, value: float) -> None:
    assert measure(states(visits), {}).value == pytest.approx(value)


def test_fewer_than_two_visits() -> None:
    assert measure(states("a"), {}) == (None, "fewer than 2 visits to states")
    assert measure(made(states=()), {}).value is None
    assert measure(made(), {}) == (None, "the session records no states")


def test_bound() -> None:
    check_bound(measure, states("ab" * (BOUND // 2)), "states", (BOUND - 2) / BOUND)
