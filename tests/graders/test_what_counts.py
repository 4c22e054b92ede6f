"""What is evidence in a session that is redacted, or collected in part: a session in, numbers out (decision 0021)."""

from typing import Any

import pytest

from opvalue.conclusion.replay import replay
from opvalue.conclusion.selection import context_of
from opvalue.graders.configuration import defaults
from opvalue.limits import Limits
from opvalue.session import lookups_of
from tests.graders.sessions import values
from tests.session.events import Event, answered, asked, done, event, row, start

OF_CALLS = ("tool-success-rate", "tool-failure-count", "loops", "trajectory-efficiency")


def of_calls(*session: Event) -> tuple[Any, ...]:
    found = values(session)
    return tuple(found[identifier] for identifier in OF_CALLS)


def collection(**data: Any) -> Event:
    return event("session.collection", data, component="collector", phase="conclusion")


def test_a_gateway_alone_says_nothing_of_loops_and_nothing_of_no_failures() -> None:
    passed = [asked("a", 1), answered(1), asked("a", 2), answered(2)]
    assert of_calls(*passed) == (None, None, None, 0.5)
    assert of_calls(*passed, asked("a", 3), answered(3, error="x")) == (2 / 3, 1, None, 1 / 3)
    absent = collection(sources=[], absentComponents=["agent"])
    assert of_calls(*passed, absent) == (None, None, None, 0.5)
    present = collection(sources=[], absentComponents=[])
    assert of_calls(*passed, present) == (1, 0, 0, 0.5)


def test_one_failure_seen_by_two_is_one() -> None:
    both = [start("a", "1", at=1), asked("a", at=2), answered(at=3, error="x"), done("a", "1", at=4, success=False)]
    assert of_calls(*both) == (0, 1, 0, 1)


def test_a_request_stamped_before_the_start_in_its_millisecond() -> None:
    early = [asked("a", at=5), start("a", "1", at=5), answered(at=6), done("a", "1", at=7)]
    assert of_calls(*early) == (1, 0, 0, 1)
    finer = [asked("a", at=5.1), start("a", "1", at=5.4), answered(at=6), done("a", "1", at=7)]
    assert of_calls(*finer) == (1, 0, 0, 1)


def test_duplicate_gateway_evidence_changes_nothing() -> None:
    natives = [start("a", "1", at=1), done("a", "1", at=4), start("b", "2", at=5), done("b", "2", at=6, success=False)]
    records = [asked("a", 1, at=2), answered(1, at=3), asked("b", 2, at=5), answered(2, at=6, error="x")]
    for evidence in (records, records * 2, records * 5):
        session = sorted([*natives, *evidence], key=lambda one: one["provenance"]["timestampMs"])
        assert of_calls(*session) == of_calls(*natives) == (0.5, 1, 0, 1)


@pytest.mark.parametrize("mark", ["***", "***REDACTED***"])
def test_what_redaction_touched_equals_nothing(mark: str) -> None:
    assert of_calls(start("a", "1", input={"q": mark}), start("a", "2", input={"q": mark})) == (0, 2, 0, 0.5)
    assert of_calls(start("a", "1", input={mark: 1}), start("a", "2", input={mark: 1})) == (0, 2, 0, 0.5)
    assert of_calls(start(mark, "1"), start(mark, "2")) == (0, 2, 0, 1)
    assert of_calls(start("a", mark, at=1), start("a", mark, at=1)) == (0, 2, 1, 0.5), "two calls, equal arguments"
    assert values([row(mark, 10, 5), row(mark, 10, 5)])["execution-step-count"] == 2


def test_a_replay_is_of_its_scope() -> None:
    mine = [start("a", "1", at=1), done("a", "1", at=2)]
    assert of_calls(*mine, *mine) == (1, 0, 0, 1)
    others = [start("a", "1", at=1, sessionId="other"), done("a", "1", at=2, sessionId="other")]
    assert of_calls(*mine, *others) == (1, 0, 0, 0.5)


def test_no_turns_is_a_number_of_turns() -> None:
    assert values([event("session.result", {"numTurns": 0})])["execution-step-count"] == 0
    assert values([event("session.result", {"usage": {"totalTokens": 5}})])["execution-step-count"] is None


def test_a_session_that_ran_and_does_not_say_its_turns() -> None:
    ran = event("session.result", {"durationMs": 5})
    proxy = collection(sources=[], absentComponents=[])
    assert values([proxy])["execution-step-count"] == 0
    assert values([ran, proxy])["execution-step-count"] is None
    assert values([event("session.result", {"numTurns": 0}), proxy])["execution-step-count"] == 0


def test_too_many_open_calls_make_no_number() -> None:
    limits = Limits(session_open_calls=10)
    session = [start("a", str(number)) for number in range(50)]
    for ended, expected, reason in (
        ([], (0, 50, 49, 1 / 50), None),
        ([done("a", "0")], (None,) * 4, "which of the recorded tool calls are one and the same cannot be told"),
    ):
        found = lookups_of([*session, *ended], limits=limits)
        graded = {one.entry.id: one for one in replay(found, None, defaults(), context_of(found)).graded}
        assert tuple(graded[identifier].value for identifier in OF_CALLS) == expected
        assert {graded[identifier].message for identifier in OF_CALLS} == {reason}


def test_no_artifact_where_results_were_collected() -> None:
    requested = event("safe_output.request", {"type": "create_issue"})
    failed = event("safe_output.error", {"error": "x"}, phase="safe_outputs")
    result = event("safe_output.result", {"type": "create_issue"}, phase="safe_outputs")
    sources = [{"component": "safe_output", "phase": "agent", "path": "safeoutputs.jsonl", "events": 1}]
    asked_for = collection(sources=sources, absentComponents=[])
    for session, expected in (
        ([], None),
        ([requested], None),
        ([requested, asked_for], None),
        ([requested, failed], 0),
        ([collection(sources=[], absentComponents=[])], 0),
        ([collection(sources=[], absentComponents=["safe_output"])], None),
        ([requested, result, result], 2),
    ):
        assert values(session)["artifact-production"] == expected, session


def test_durations_past_a_number_are_no_number() -> None:
    assert values([row("a", durationMs=1e308), row("b", durationMs=1e308)])["execution-duration"] is None
    assert values([row("a", durationMs=1), row("b", durationMs=None)])["execution-duration"] is None
