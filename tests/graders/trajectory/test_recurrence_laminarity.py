import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.graders.trajectory.recurrence_laminarity import measure
from tests.graders.trajectory.plot import recurrent, vertical_runs
from tests.graders.trajectory.samples import BOUND, check_bound, states


@pytest.mark.parametrize(
    ("visits", "value"),
    [("aaaa", 0.833333), ("abcd", 0), ("ababab", 0), ("abbacc", 0), ("ababccca", 0.285714)],
)
def test_reference_values(visits: str, value: float) -> None:
    assert measure(states(visits), {}).value == pytest.approx(value, abs=1e-6)


def test_fewer_than_four_visits() -> None:
    assert measure(states("aba"), {}) == (None, "fewer than 4 visits to states")


@given(st.text("abc", min_size=4, max_size=40))
def test_counting_gives_what_the_plot_gives(visits: str) -> None:
    points = recurrent(visits)
    expected = sum(vertical_runs(points, len(visits))) / len(points) if points else 0
    assert measure(states(visits), {}).value == pytest.approx(expected)


def test_bound() -> None:
    # A pair of a persists in the columns of all other pairs' a; its own column breaks it.
    points = 3332 * 3331 + 1666 * 1665 + 2
    check_bound(measure, states("aab" * (BOUND // 3) + "cc"), "states", 3332 * 1665 * 2 / points)
