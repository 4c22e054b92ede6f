import pytest

from opvalue.graders.trajectory.policy_near_miss import measure
from tests.graders.trajectory.samples import BOUND, changed, check_bound, events, kinds, made, objective

OUTPUT = events("safe_output", ["o1"])


def test_unmet_guards() -> None:
    declared = (
        objective(None, description="Verify the build"),
        objective(0, description="Get an APPROVAL"),
        objective(None, description="Write it down"),
    )
    assert measure(made(events=OUTPUT, objectives=declared), {}).value == 0.5


@pytest.mark.parametrize(
    ("description", "guards"),
    [
        ("check it", True),
        ("Tick the checkbox", False),
        ("double-check, then go", True),
        ("VERIFICATION", True),
        ("unauthorized", False),
        ("authorize", True),
        ("authorization", True),
        ("policy", True),
        ("approve", True),
        ("guard", True),
        ("confirm", True),
        ("confirmed", False),
        (7, False),
        (None, False),
    ],
)
def test_what_guards(description: object, guards: bool) -> None:
    measured = measure(made(events=OUTPUT, objectives=(objective(None, description=description),)), {})
    assert measured == ((1, None) if guards else (None, "no objective guards a policy"))


def test_index_0_is_met_and_so_is_what_is_no_index() -> None:
    declared = (objective(0, description="check"), objective(-1, description="check"))
    assert measure(made(events=OUTPUT, objectives=declared), {}).value == 0


def test_unavailable() -> None:
    guard = objective(None, description="check")
    assert measure(made(events=OUTPUT, objectives=()), {}).message == "no objectives are declared"
    assert measure(made(events=OUTPUT, objectives=("check",)), {}).message == "an item of objectives is malformed"
    assert measure(changed(kinds("ab"), objectives=(guard,)), {}).message == "no safe output was produced"
    assert measure(made(objectives=(guard,)), {}).message == "the session records no events"


def test_bound() -> None:
    guards = (objective(0, description="check"), *(objective(None, description="check"),) * (BOUND - 1))
    check_bound(measure, made(events=OUTPUT, objectives=guards), "objectives", (BOUND - 1) / BOUND)
