from opvalue.graders.trajectory.exploration_error import measure
from tests.graders.trajectory.samples import BOUND, changed, check_bound, events, made, objective

UNMET = (objective(None),)


def test_distinct_refs_of_changes() -> None:
    changes = events("state_change", ["root", "readme", "root"])
    assert measure(made(events=changes, objectives=UNMET, observations=({},)), {}).value == 0.5


def test_states_where_no_change_has_a_ref() -> None:
    projection = made(states=("a", "b"), objectives=UNMET, observations=({},))
    assert measure(projection, {}).value == 0.5
    assert measure(changed(projection, events=events("state_change", [None, ""])), {}).value == 0.5


def test_more_observations_than_states() -> None:
    assert measure(made(states=("a",), objectives=UNMET, observations=({},) * 3), {}).value == 0


def test_nothing_unmet() -> None:
    assert measure(made(states=("a", "b"), objectives=(objective(0), objective(-1))), {}).value == 0


def test_unavailable() -> None:
    assert measure(made(states=("a",)), {}).message == "the session records no objectives"
    assert measure(made(objectives=UNMET, observations=({},)), {}).message == "no states are recorded"


def test_bound() -> None:
    full = made(states=tuple(map(str, range(BOUND))), objectives=UNMET, observations=({},))
    check_bound(measure, full, "states", 1 - 1 / BOUND)
