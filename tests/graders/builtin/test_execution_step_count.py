from opvalue.graders.builtin.execution_step_count import measure
from tests.graders.samples import NO_REQUESTS, lookups, requests


def test_counted() -> None:
    assert measure(requests(count=7)).value == 7


def test_the_main_sessions_turns() -> None:
    assert measure(lookups(requests=NO_REQUESTS._replace(source="session.result", count=4))).value == 4
    assert measure(lookups(requests=NO_REQUESTS._replace(source="session.result", count=0))) == (0, None)


def test_totals_do_not_say_how_many() -> None:
    totals = lookups(
        requests=NO_REQUESTS._replace(source="session.result", count=None), collected=frozenset({"firewall"})
    )
    assert measure(totals) == (None, "the session does not say how many requests there were")


def test_zero_where_a_request_would_have_shown() -> None:
    assert measure(lookups(collected=frozenset({"firewall"}))) == (0, None)


def test_unavailable_where_none_could_show() -> None:
    assert measure(lookups(collected=frozenset({"agent"}))) == (None, "the proxy's telemetry was not collected")
