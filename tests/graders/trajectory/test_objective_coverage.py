from opvalue.graders.trajectory.objective_coverage import measure
from tests.graders.trajectory.samples import BOUND, check_bound, made, objective


def test_met_of_declared() -> None:
    assert measure(made(objectives=(objective(0), objective(None), objective(9), {})), {}).value == 0.5


def test_unavailable() -> None:
    for declared in ((), None, (3,), (objective(0), objective(-1))):
        assert measure(made(objectives=declared), {}).value is None


def test_bound() -> None:
    full = made(objectives=(objective(None), *(objective(0),) * (BOUND - 1)))
    check_bound(measure, full, "objectives", (BOUND - 1) / BOUND)
