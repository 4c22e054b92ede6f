import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.graders.trajectory.recurrence_determinism import measure
from tests.graders.trajectory.plot import on_diagonals, recurrent
from tests.graders.trajectory.samples import BOUND, check_bound, states


@pytest.mark.parametrize(
    ("visits", "value"),
    [("aaaa", 0.833333), ("abcd", 0), ("ababab", 1), ("abbacc", 0), ("ababccca", 0.571429)],
)
def test_reference_values(visits: str, value: float) -> None:
    assert measure(states(visits), {}).value == pytest.approx(value, abs=1e-6)


def test_fewer_than_four_visits() -> None:
    assert measure(states("aba"), {}) == (None, "fewer than 4 visits to states")


@given(st.text("abc", min_size=4, max_size=40))
def test_counting_gives_what_the_plot_gives(visits: str) -> None:
    points = recurrent(visits)
    expected = len(on_diagonals(points)) / len(points) if points else 0
    assert measure(states(visits), {}).value == pytest.approx(expected)


def test_bound() -> None:
    # The last a continues nothing: 2 * 2499 of (2500 + 2498) * 2499 points.
    check_bound(measure, states("ab" * (BOUND // 2 - 1) + "ca"), "states", 4996 / 4998)
