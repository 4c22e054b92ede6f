import pytest

from opvalue.graders.trajectory.grounding_accuracy import measure
from opvalue.strictjson import JsonObject
from tests.graders.trajectory.samples import BOUND, check_bound, made

VALID: JsonObject = {"validAtIssueTime": True}
INVALID: JsonObject = {"validAtIssueTime": False}


def test_three_of_four() -> None:
    assert measure(made(actions=(VALID, VALID, INVALID, VALID)), {}).value == 0.75


@pytest.mark.parametrize("wrong", [{}, {"validAtIssueTime": 1}, {"validAtIssueTime": None}])
def test_a_flag_that_is_none(wrong: JsonObject) -> None:
    measured = measure(made(actions=(VALID, wrong)), {})
    assert measured == (None, "an item of actions has no validAtIssueTime that is true or false")


def test_unavailable() -> None:
    assert measure(made(actions=()), {}).message == "there are no actions"
    assert measure(made(actions=([],)), {}).message == "an item of actions is malformed"


def test_bound() -> None:
    check_bound(measure, made(actions=(INVALID, *(VALID,) * (BOUND - 1))), "actions", (BOUND - 1) / BOUND)
