import pytest

from opvalue.graders.trajectory.premature_termination_gap import measure
from tests.graders.trajectory.samples import BOUND, check_bound, made, objective


def test_unmet_objectives() -> None:
    assert measure(made(objectives=(objective(0), objective(None), {}, objective(3.0))), {}).value == 2


@pytest.mark.parametrize("index", [-1, 1.5, True, "3", 2**53, 1e300, []])
def test_what_is_no_index(index: object) -> None:
    measured = measure(made(objectives=(objective(index),)), {})
    assert measured == (None, "an objective is satisfied at what is no event index")


def test_unavailable() -> None:
    assert measure(made(objectives=()), {}).message == "no objectives are declared"
    assert measure(made(objectives=(None,)), {}).message == "an item of objectives is malformed"


def test_bound() -> None:
    check_bound(measure, made(objectives=(objective(None),) * BOUND), "objectives", BOUND)
