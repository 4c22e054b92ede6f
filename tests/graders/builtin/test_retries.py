from opvalue.graders.builtin.retries import measure
from tests.graders.samples import lookups


def test_counted() -> None:
    assert measure(lookups(retries=3, collected=frozenset({"mcp"}))).value == 3


def test_zero_where_a_retry_would_have_shown() -> None:
    assert measure(lookups(collected=frozenset({"mcp"}))) == (0, None)


def test_unavailable_where_none_could_show() -> None:
    assert measure(lookups(collected=frozenset({"agent"}))) == (None, "the MCP gateway's events were not collected")
