"""Main-agent figures leave detection and evals out, and nothing is counted twice (Graders Specification 2)."""

from typing import Any

import pytest

from opvalue.records import Status
from tests.graders.events import Event, called, collection, complete, event, gateway, mcp, request, safe_output, start
from tests.graders.sessions import replayed, values


def elsewhere(events: list[Event], phase: str) -> list[Event]:
    return [one | {"provenance": one["provenance"] | {"phase": phase}} for one in events]


AGENT = [
    *called("a", input={"q": 1}),
    *called("a", input={"q": 1}),
    start("b", "x"),
    mcp(event="retry"),
    request(100, 20, duration=500),
    request(300, 30, duration=700),
    safe_output(),
]


@pytest.mark.parametrize("phase", ["detection", "evals"])
def test_what_other_phases_used_is_left_out(phase: str) -> None:
    others = elsewhere([*AGENT, start("c"), mcp(message="retrying"), request(9000, 9, duration=9)], phase)
    without = [one for one in others if one["type"] != "safe_output.result"]
    assert values([*AGENT, *without]) == values(AGENT)


@pytest.mark.parametrize("phase", ["detection", "evals"])
def test_what_other_phases_collected_shows_no_zero(phase: str) -> None:
    found = values(elsewhere([*called("a"), mcp(event="log"), request(1, 1)], phase))
    for grader in ("tool-failure-count", "loops", "retries", "execution-step-count"):
        assert found[grader] is None, grader


def test_twins_at_the_gateway_change_nothing() -> None:
    native = [start("search_code", "x", {"q": 1}, mcpServerName="github"), complete(None, "x", success=True)]
    twin = gateway("search_code", toolCallId="x")
    assert values([native[0], twin, native[1], mcp(event="log")]) == values([*native, mcp(event="log")])


def test_the_proxy_beats_aggregates() -> None:
    aggregates = [
        event("session.result", {"numTurns": 50, "durationMs": 99999, "usage": {"inputTokens": 10**6}}, "agent"),
        event("usage.report", {"usage": {"inputTokens": 10**6, "outputTokens": 7}}, "usage"),
    ]
    proxied = values([*AGENT, *aggregates])
    assert proxied == values(AGENT)
    assert (proxied["execution-step-count"], proxied["execution-duration"]) == (2, 1200)


def test_without_the_proxy_the_main_sessions_own_duration() -> None:
    assert values([event("session.result", {"durationMs": 1500}, "agent")])["execution-duration"] == 1500


@pytest.mark.parametrize("duration", [-1, None, "fast", True])
def test_a_duration_that_is_none(duration: Any) -> None:
    assert values([event("session.result", {"durationMs": duration}, "agent")])["execution-duration"] is None


def test_a_row_that_repeats_counts_once_the_last_one() -> None:
    first, second = request(100, 50, duration=10), request(200, 100, duration=20)
    again = first | {"data": first["data"] | {"usage": {"inputTokens": 150, "outputTokens": 50}}}
    found = values([first, second, again])
    assert found["execution-step-count"] == 2
    assert found["working-set-rebuild-factor"] == 350 / 200


def test_cache_tokens_enter_totals_only_where_the_input_excludes_them() -> None:
    def grown(includes: Any) -> Any:
        rows = [request(100, 0), request(100, 0, cacheReadInputTokens=300, inputTokensIncludeCache=includes)]
        return values(rows)["context-growth"]

    assert (grown(includes=True), grown(includes=None), grown(includes=False)) == (2, 2, 5)


def test_an_empty_session() -> None:
    assert set(values([]).values()) == {None}
    assert {one.status.value for one in replayed([]).graded} == {"unavailable"}


def test_what_the_collector_says_was_collected_shows_zeros() -> None:
    session = [collection("experiment", "grader", "eval")]
    assert {one.status for one in replayed(session).graded if one.value is None} == {Status.UNAVAILABLE}
    found = values(session)
    zeros = [grader for grader, value in found.items() if value == 0]
    assert zeros == ["tool-failure-count", "retries", "loops", "execution-step-count", "artifact-production"]
    assert all(found[grader] is None for grader in found.keys() - set(zeros))


def test_what_the_collector_says_is_absent_shows_nothing() -> None:
    absent = collection("agent", "mcp", "firewall", "safe_output")
    assert set(values([absent]).values()) == {None}
    assert {one.status for one in replayed([absent]).graded} == {Status.UNAVAILABLE}


def test_a_text_about_a_command_is_no_call() -> None:
    said = event(
        "assistant.message", {"content": "I ran `bash rm -rf /` and tool.execution_start", "input": {}}, "agent"
    )
    assert values([said])["tool-failure-count"] == 0
    assert values([said])["tool-success-rate"] is None
