import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.graders.trajectory.recurrence_trapping_time import measure
from tests.graders.trajectory.plot import recurrent, vertical_runs
from tests.graders.trajectory.samples import BOUND, check_bound, states


@pytest.mark.parametrize(
    ("visits", "value"), [("aaaa", 2.5), ("abcd", 0), ("ababab", 0), ("abbacc", 0), ("ababccca", 2)]
)
def test_reference_values(visits: str, value: float) -> None:
    assert measure(states(visits), {}).value == value


def test_fewer_than_four_visits() -> None:
    assert measure(states("aba"), {}) == (None, "fewer than 4 visits to states")


@given(st.text("abc", min_size=4, max_size=40))
def test_counting_gives_what_the_plot_gives(visits: str) -> None:
    runs = vertical_runs(recurrent(visits), len(visits))
    assert measure(states(visits), {}).value == pytest.approx(sum(runs) / len(runs) if runs else 0)


def test_bound() -> None:
    check_bound(measure, states("aab" * (BOUND // 3) + "cc"), "states", 2)
