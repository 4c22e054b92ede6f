from opvalue.graders.builtin.tool_failure_count import measure
from tests.graders.samples import calls, lookups


def test_counted() -> None:
    assert measure(calls(5, failed=3)).value == 3


def test_zero_of_calls_that_were_seen() -> None:
    assert measure(calls(5)) == (0, None)


def test_what_a_gateway_shows_of_failures() -> None:
    only = frozenset({"mcp"})
    assert measure(calls(5)._replace(collected=only)) == (None, "the agent's events were not collected")
    assert measure(calls(5, failed=1)._replace(collected=only)) == (1, None)


def test_unavailable_where_calls_could_not_be_told_apart() -> None:
    found = calls(5, failed=3)
    reason = "which of the recorded tool calls are one and the same cannot be told"
    assert measure(found._replace(calls=found.calls._replace(uncertain=True))) == (None, reason)


def test_zero_where_a_call_would_have_shown() -> None:
    assert measure(lookups(collected=frozenset({"agent"}))) == (0, None)


def test_unavailable_where_none_could_show() -> None:
    for collected in (frozenset[str](), frozenset({"mcp", "firewall", "safe_output"})):
        assert measure(lookups(collected=collected)) == (None, "the agent's events were not collected")
