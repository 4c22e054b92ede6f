from opvalue.graders.builtin.tool_success_rate import measure
from tests.graders.samples import EVERYTHING, calls, lookups


def test_two_of_three() -> None:
    assert measure(calls(3, failed=1)).value == 2 / 3


def test_all_and_none() -> None:
    assert measure(calls(4)).value == 1
    assert measure(calls(4, failed=4)) == (0, None)


def test_without_a_call_there_is_no_rate_whatever_was_collected() -> None:
    for nothing in (lookups(), lookups(collected=EVERYTHING)):
        assert measure(nothing) == (None, "the session holds no tool call")
