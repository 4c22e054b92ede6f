from opvalue.graders.builtin.loops import measure
from tests.graders.samples import calls, lookups


def test_counted() -> None:
    assert measure(calls(4, repeated=2)).value == 2


def test_redaction_hides_whether_two_are_equal_so_they_are_not() -> None:
    hidden = calls(4, repeated=1)
    assert measure(hidden._replace(calls=hidden.calls._replace(undecided=2))).value == 1


def test_zero() -> None:
    assert measure(calls(4)) == (0, None)
    assert measure(lookups(collected=frozenset({"agent"}))) == (0, None)


def test_unavailable_where_no_call_could_show() -> None:
    assert measure(lookups(collected=frozenset({"mcp"}))) == (None, "the agent's events were not collected")
    gateway = calls(4)._replace(collected=frozenset({"mcp"}))
    assert measure(gateway) == (None, "the agent's events were not collected")


def test_unavailable_where_calls_could_not_be_told_apart() -> None:
    found = calls(4, repeated=2)
    assert measure(found._replace(calls=found.calls._replace(uncertain=True))).value is None
