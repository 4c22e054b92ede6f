"""Model requests, tokens and durations: reference 2.4, 3.1 and 8, DESIGN 8, SE-03, AW-05, AW-10."""

import itertools
import math
from typing import Any

import pytest

from opvalue.session import Requests, lookups_of
from tests.session.events import Event, event, row

NONE = Requests("none", 0, None, 0, 0, 0, None, 0)


def requests(*session: Event) -> Requests:
    return lookups_of(session).requests


@pytest.mark.parametrize("turns", [None, 0.5, "2", -1, "***"])
def test_a_session_that_does_not_say_how_many_turns(turns: Any) -> None:
    other = result(numTurns=turns, durationMs=20, sessionId="s2")
    assert requests(result(numTurns=2, durationMs=10, sessionId="s1"), other).count is None
    assert requests(other).count is None
    assert requests(result(status="success", numTurns=turns)).source == "session.result"
    again = result(numTurns=2, sessionId="s2")
    assert requests(again, other).count == (2 if turns is None else None)
    assert requests(other, again).count == 2


def test_nothing_shows_a_request() -> None:
    assert requests() == NONE


def test_rows() -> None:
    found = requests(row("a", 100, 50), row("b", 200, 100))
    assert found == Requests("proxy", 2, 20, 300, 200, 450, 150, 0)


def test_one_row_a_request_id_the_last() -> None:
    found = requests(row("a", 1, 1, durationMs=1), row("b", 5, 5), row("a", 100, 50, durationMs=3), row("a", 10, 5))
    assert found == Requests("proxy", 2, 20, 15, 10, 25, 15, 0)
    assert requests(row(None), row(None)).count == 2
    assert requests(row(""), row(3)).count == 2  # type: ignore[arg-type]
    assert requests(row("x" * 999, 1), row("x" * 999, 2)).input_sum == 2


def test_cache_tokens_never_enter_the_working_set() -> None:
    cached = {"cacheReadInputTokens": 1000, "cacheCreationInputTokens": 7}
    found = requests(row("a", 10, usage=cached), row("b", 20, usage=cached))
    assert (found.input_sum, found.peak_input, found.total_tokens) == (30, 20, 130)


@pytest.mark.parametrize(("says", "expected"), [(False, 1157), (True, 150), (None, 150), (0, 150), ("false", 150)])
def test_cache_tokens_count_where_input_excludes_them(says: Any, expected: int) -> None:
    usage = {"cacheReadInputTokens": 1000, "cacheCreationInputTokens": 7, "inputTokensIncludeCache": says}
    assert requests(row("a", usage=usage)).total_tokens == expected


def test_a_stated_total_wins() -> None:
    usage = {"totalTokens": 9, "cacheReadInputTokens": 1000, "inputTokensIncludeCache": False}
    assert requests(row("a", usage=usage)).total_tokens == 9


@pytest.mark.parametrize("value", [None, "5", -1, 1.5, True, 2**53, 1e300, [], "***"])
def test_what_is_no_count(value: Any) -> None:
    found = requests(row("a", value, value))
    assert (found.input_sum, found.total_tokens, found.first_total, found.without_tokens) == (0, 0, None, 1)
    assert requests(row("a", value, 5)).total_tokens == 5
    assert requests(row("a", usage={"totalTokens": value})).total_tokens == 150


@pytest.mark.parametrize("value", [0, 7, 7.0, 2**53 - 1])
def test_what_is_a_count(value: float) -> None:
    assert requests(row("a", value, 0)).input_sum == value


def test_an_unknown_spelling_is_no_zero() -> None:
    spelled = event("firewall.token_usage", {"requestId": "a", "usage": {"input_tokens": 1000}})
    assert requests(spelled).without_tokens == 1
    assert requests(event("firewall.token_usage", {"usage": "lots"})).without_tokens == 1


@pytest.mark.parametrize("value", [None, -1, "5", True, "***", []])
def test_one_row_without_a_duration(value: Any) -> None:
    assert requests(row("a", durationMs=value)).duration_ms is None
    assert requests(row("a"), row("b", durationMs=value)).duration_ms is None


def test_durations() -> None:
    assert requests(row("a", durationMs=0)).duration_ms == 0
    assert requests(row("a", durationMs=0.1), row("b", durationMs=0.2)).duration_ms == 0.1 + 0.2
    assert requests(row("a", durationMs=1.5), row("b", durationMs=1.5)).duration_ms == 3
    assert requests(row("a", durationMs=1e308), row("b", durationMs=1e308)).duration_ms == math.inf
    assert requests(row("a", durationMs=1e308), row("b", durationMs=1e308), row("c", durationMs=-1)).duration_ms is None
    assert repr(requests(row("a", durationMs=1e308)).duration_ms) == "1e+308"
    assert repr(requests(row("a", durationMs=2**53 - 1)).duration_ms) == "9007199254740991"
    several = [row(str(number), durationMs=value) for number, value in enumerate((0.1, 1e16, 0.3, -0.0, 7))]
    assert len({requests(*order).duration_ms for order in itertools.permutations(several)}) == 1


@pytest.mark.parametrize("phase", ["detection", "evals"])
def test_rows_of_other_phases(phase: str) -> None:
    assert requests(row("a", phase=phase)) == NONE


def test_the_first_request_and_the_last_row_of_untimed_sources() -> None:
    early, late = row("a", 1, 0, path="a"), row("b", 2, 0, path="b")
    assert requests(early, late).first_total == requests(late, early).first_total == 1
    assert requests(late, early, row("c", 3, 0, at=5)).first_total == 3
    both = row("a", 1, 0, path="a"), row("a", 2, 0, path="b")
    assert requests(*both) == requests(*reversed(both))
    assert requests(*both).input_sum == 2
    assert requests(row("a", 5, 0, at=1), both[0]).input_sum == 1


def result(**data: Any) -> Event:
    more = {key: data.pop(key) for key in ("agentId", "phase") if key in data}
    return event("session.result", data, component="agent", path="a.jsonl", **more)


def test_the_session_speaks_where_the_proxy_is_silent() -> None:
    usage = {"inputTokens": 10, "outputTokens": 5}
    found = requests(result(numTurns=3, usage=usage))
    assert found == Requests("session.result", 3, None, 10, 0, 15, None, 0)
    assert requests(result(numTurns=3, usage=usage), row("a")).source == "proxy"
    assert requests(result(durationMs=5)) == Requests("session.result", None, None, 0, 0, 0, None, 1)


@pytest.mark.parametrize("mark", ["***", "***REDACTED***", "req_***", f"***{'x' * 300}"])
def test_ids_that_redaction_touched(mark: str) -> None:
    assert requests(row(mark, 10, 2, at=1), row(mark, 20, 2, at=2)) == Requests("proxy", 2, 20, 30, 20, 34, 12, 0)
    assert requests(row(mark, 10, 2), row(mark, 20, 2)).count == 2
    assert requests(result(numTurns=3, sessionId=mark)).count == 3
    for other in ({"sessionId": mark}, {"sessionId": "s"}, {}):
        found = lookups_of(
            [result(numTurns=3, durationMs=5, sessionId=mark), result(numTurns=4, durationMs=6, **other)]
        )
        assert (found.requests, found.session_duration_ms) == (
            Requests("session.result", None, None, 0, 0, 0, None, 0),
            None,
        )


def test_turns() -> None:
    assert requests(result(numTurns=0)) == Requests("session.result", 0, None, 0, 0, 0, None, 1)
    assert requests(result(usage={"totalTokens": 7})).count is None
    half = [result(numTurns=3, sessionId="a"), result(usage={"totalTokens": 7}, sessionId="b")]
    assert requests(*half).count is None, "a sum of one of two sessions would be short"


def test_durations_of_several_sessions() -> None:
    huge = [result(durationMs=1e308, sessionId=name) for name in "ab"]
    assert lookups_of(huge).session_duration_ms == math.inf
    assert lookups_of([huge[0], result(numTurns=1, sessionId="b")]).session_duration_ms is None


def test_the_latest_value_of_each_field() -> None:
    session = [result(numTurns=1, durationMs=5), result(numTurns=2), result(usage={"totalTokens": 7})]
    found = lookups_of(session)
    assert (found.requests.count, found.requests.total_tokens, found.session_duration_ms) == (2, 7, 5)
    several = lookups_of([result(numTurns=1, durationMs=5, sessionId=name) for name in "abb"])
    assert (several.requests.count, several.session_duration_ms) == (2, 10)
    assert several.requests.without_tokens == 2


def test_of_untimed_results_that_of_the_last_path_counts() -> None:
    one, other, timed = result(numTurns=1), result(numTurns=2), result(numTurns=3)
    other["provenance"] = one["provenance"] | {"path": "b.jsonl"}
    timed["provenance"] = one["provenance"] | {"timestampMs": 5}
    assert requests(one, other).count == requests(other, one).count == 2
    assert requests(timed, one).count == 1


@pytest.mark.parametrize("value", ["5", -1, True, []])
def test_a_duration_that_is_none(value: Any) -> None:
    assert lookups_of([result(durationMs=value)]).session_duration_ms is None
    assert lookups_of([result(durationMs=5), result(durationMs=value)]).session_duration_ms is None
    assert lookups_of([result(durationMs=5), result(durationMs=None)]).session_duration_ms == 5


@pytest.mark.parametrize(
    "of_another", [{"agentId": "x"}, {"parentToolUseId": "x"}, {"parentAgentId": "x"}, {"phase": "detection"}]
)
def test_results_of_others(of_another: Event) -> None:
    found = lookups_of([result(numTurns=1, durationMs=5, **of_another)])
    assert (found.requests, found.session_duration_ms) == (NONE, None)


def test_the_usage_report_comes_last() -> None:
    report = event("usage.report", {"usage": {"inputTokens": 10, "outputTokens": 5}})
    assert requests(report, report) == Requests("usage.report", None, None, 20, 0, 30, None, 0)
    assert requests(event("usage.report", {})) == Requests("usage.report", None, None, 0, 0, 0, None, 1)
    assert requests(report, result(numTurns=1)).source == "session.result"
