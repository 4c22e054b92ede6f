import math

from opvalue.graders.builtin.execution_duration import measure
from tests.graders.samples import NO_REQUESTS, lookups, requests


def test_the_proxys_sum_beats_the_sessions_own() -> None:
    assert measure(requests(count=2, duration_ms=1500.5)._replace(session_duration_ms=9)).value == 1500.5


def test_a_request_without_a_duration_is_not_passed_over() -> None:
    short = requests(count=2)._replace(session_duration_ms=9)
    assert measure(short) == (None, "a request of the proxy's shows no usable duration")


def test_without_the_proxy_the_main_sessions_own() -> None:
    assert measure(lookups(session_duration_ms=1200)).value == 1200
    totals = lookups(requests=NO_REQUESTS._replace(source="session.result", count=4), session_duration_ms=7)
    assert measure(totals).value == 7


def test_zero_is_a_duration() -> None:
    assert measure(lookups(session_duration_ms=0)) == (0, None)
    assert measure(requests(count=1, duration_ms=0)) == (0, None)


def test_unavailable_where_nothing_shows_one() -> None:
    assert measure(lookups()) == (None, "neither the proxy nor the main session shows a usable duration")


def test_a_sum_beyond_a_number() -> None:
    reason = "the durations add up to more than a number can hold"
    assert measure(requests(count=2, duration_ms=math.inf)) == (None, reason)
    assert measure(lookups(session_duration_ms=math.inf)) == (None, reason)
    assert measure(requests(count=1, duration_ms=1e308)).value == 1e308
