"""Every default's number can be told from the events behind it."""

from collections import Counter

import pytest

from opvalue.graders.metadata import DEFAULTS
from opvalue.limits import Limits
from opvalue.session import lookups_of
from opvalue.session.evidence import Row, events_behind
from tests.session.events import Event, answered, asked, done, event, row, start
from tests.support import sessions


def words(session: list[Event], grader: str) -> list[tuple[int, str]]:
    return [(found.index, found.contribution) for found in events_behind(session, grader)]


CALLS = [
    start("a", "1", at=1, input={"x": 1}),
    done("a", "1", at=2),
    start("a", "2", at=3, input={"x": 1.0}),
    done("a", "2", at=4, success=False),
    start("b", "3", at=5),
    done("c", "9", at=6),
    asked("d", 1, at=7),
    answered(1, at=8, error="x"),
    asked("e", 2, at=9),
    answered(2, at=9),
    asked("b", 3, at=9, server=None),
    start("a", "1", at=1, input={"x": 1}, agentId="child"),
    done("a", "1", at=2, agentId="child"),
    start("a", "4", at=11, input={"x": "***"}),
    start("a", "5", at=12, input={"x": "***"}),
]


def test_calls() -> None:
    assert words(CALLS, "tool-success-rate") == [
        (0, "call of a"),
        (1, "success of a"),
        (2, "call of a"),
        (3, "failure of a"),
        (4, "call of b: never ended, so it failed"),
        (5, "call of c, seen only complete: success"),
        (6, "call of d that only the gateway saw: failed"),
        (7, "says that the gateway's call failed"),
        (8, "call of e that only the gateway saw"),
        (11, "call of a"),
        (12, "success of a"),
        (13, "call of a: never ended, so it failed"),
        (14, "call of a: never ended, so it failed"),
    ]
    assert [index for index, _ in words(CALLS, "tool-failure-count")] == [3, 4, 6, 7, 13, 14]
    assert words(CALLS, "loops") == [
        (2, "call of a: repeats the call before it"),
        (14, "call of a: nothing shows whether it repeats the call before it"),
    ]
    names = Counter(text for _, text in words(CALLS, "trajectory-efficiency"))
    assert sum(names.values()) == lookups_of(CALLS).calls.total
    assert sum(count for text, count in names.items() if text.endswith("its first")) == 5


def test_a_name_that_speaks_of_failure_is_no_failure() -> None:
    session = [
        *(start("failover", "1", at=1), done("failover", "1", at=2)),
        done("failing", "2", at=3),
        *(asked("unfailing", 3, at=4), answered(3, at=5)),
        *(start("failover", "4", at=6), done("failover", "4", at=7, success=False)),
    ]
    assert words(session, "tool-failure-count") == [(6, "failure of failover")]


def test_calls_that_are_given_up_never_ended() -> None:
    session = [start("a", str(number)) for number in range(50)]
    limits = Limits(session_open_calls=10)
    assert lookups_of(session, limits=limits).calls.failed == 50
    assert [found.index for found in events_behind(session, "tool-failure-count", limits=limits)] == [*range(50)]


def test_requests() -> None:
    session = [row("a", 1, 1, durationMs=5), row("a", 2, 2, durationMs=7), row(None, None, None, durationMs=None)]
    assert words(session, "execution-step-count") == [(1, "model request"), (2, "model request")]
    assert words(session, "execution-duration") == [(1, "7 ms"), (2, "no usable duration")]
    assert words(session, "working-set-rebuild-factor") == [(1, "2 tokens of input"), (2, "no tokens shown of input")]
    assert words(session, "context-growth") == [(1, "4 tokens"), (2, "no tokens shown")]
    paths = [row("a", 1, 1, path="b"), row("a", 2, 2, path="a")]
    assert words(paths, "context-growth") == [(0, "2 tokens")]


def test_without_the_proxy() -> None:
    session = [
        event("session.result", {"numTurns": 2}, component="agent"),
        event("usage.report", {"usage": {"totalTokens": 5}}),
    ]
    assert words(session, "context-growth") == [
        (0, "the main session's own figures"),
        (1, "figures of the usage report"),
    ]


def test_observations() -> None:
    session = [event("mcp.event", {"event": "retry"}), event("safe_output.result"), event("x.y"), session_start()]
    assert events_behind(session, "retries") == (Row(0, "mcp.event", None, "retry observation"),)
    assert events_behind(session, "artifact-production") == (Row(1, "safe_output.result", None, "safe-output result"),)


def session_start() -> Event:
    return event("session.start", {"sessionId": "s"}, component="agent")


def test_of_another_grader() -> None:
    with pytest.raises(KeyError):
        events_behind([], "recurrence-rate")


def test_each_default_on_a_realistic_session() -> None:
    session = list(sessions.events(900))
    found = lookups_of(session)
    sizes = {grader.id: len(events_behind(session, grader.id)) for grader in DEFAULTS}
    assert sizes["execution-step-count"] == found.requests.count
    assert sizes["retries"] == found.retries
    assert sizes["loops"] == found.calls.repeated
    assert sizes["artifact-production"] == found.safe_output_results
    assert sizes["tool-failure-count"] == found.calls.failed
    assert sizes["trajectory-efficiency"] == found.calls.total
