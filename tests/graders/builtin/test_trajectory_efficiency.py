from opvalue.graders.builtin.trajectory_efficiency import measure
from tests.graders.samples import EVERYTHING, calls, lookups


def test_read_write_read_read() -> None:
    assert measure(calls(4, distinct_names=2)).value == 0.5


def test_every_call_another_tool() -> None:
    assert measure(calls(3, distinct_names=3)).value == 1


def test_never_above_one() -> None:
    assert measure(calls(1, distinct_names=2)).value == 1


def test_unavailable_where_calls_could_not_be_told_apart() -> None:
    found = calls(3)
    assert measure(found._replace(calls=found.calls._replace(uncertain=True))).value is None


def test_without_a_call_there_is_no_ratio() -> None:
    assert measure(lookups(collected=EVERYTHING)) == (None, "the session holds no tool call")
