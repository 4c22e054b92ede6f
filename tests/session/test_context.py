"""Components, runs, experiments, evals, counts: reference 1.4 and 5.2, DESIGN 8."""

from typing import Any

import pytest

from opvalue.limits import Limits
from opvalue.session import Evals, lookups_of
from tests.session.events import Event, event

SEVEN = {"agent", "mcp", "firewall", "safe_output", "experiment", "grader", "eval"}


def collected(*session: Event) -> set[str]:
    return set(lookups_of(session).collected) - {"session"}


def collection(**data: Any) -> Event:
    return event("session.collection", data)


def test_components_of_events() -> None:
    assert collected() == set()
    assert collected(event("x.y", component="mcp"), event("x.y", component="odd")) == {"mcp", "odd"}
    assert collected(event("x.y", component="", phase="agent")) == set()


@pytest.mark.parametrize("phase", ["detection", "evals"])
def test_components_of_other_phases(phase: str) -> None:
    assert collected(event("x.y", component="mcp", phase=phase)) == set()
    assert collected(event("x.y", component="firewall", phase=phase), event("x.y", component="firewall")) == {
        "firewall"
    }
    assert collected(event("x.y", component="eval", phase=phase)) == {"eval"}
    requested: Event = {"component": "safe_output", "phase": "agent"}
    assert collected(event("safe_output.request", **requested)) == set()
    assert collected(collection(sources=[requested], absentComponents=[])) == SEVEN - {"safe_output"}
    carried_out = requested | {"phase": "safe_outputs"}
    assert collected(event("safe_output.error", **carried_out)) == {"safe_output"}
    assert collected(collection(sources=[requested, carried_out], absentComponents=[])) == SEVEN
    mcp = {"component": "mcp", "phase": phase}
    assert collected(collection(sources=[mcp], absentComponents=[])) == SEVEN - {"mcp"}


def test_what_the_collector_says() -> None:
    assert collected(collection()) == set()
    assert collected(collection(absentComponents=[])) == SEVEN
    assert collected(collection(absentComponents=["mcp", "agent"])) == SEVEN - {"mcp", "agent"}
    assert collected(collection(sources=[{"component": "mcp", "phase": "agent", "events": 0}])) == {"mcp"}
    assert collected(collection(sources="x", absentComponents="y")) == set()
    absent = collection(sources=[5], absentComponents=["mcp", 7])
    assert collected(event("x.y", component="mcp"), absent) == SEVEN


def test_the_run() -> None:
    info = event("workflow.info", {"runId": 12, "runAttempt": "2"}, component="workflow", phase="activation")
    state = event("experiment.state", {"runId": "13"}, component="experiment")
    for session in ([info, state], [state, info], [info, info]):
        found = lookups_of(session)
        assert (found.run_id, found.attempt) == ("12", 2)
    assert lookups_of([state]).run_id == "13"
    assert lookups_of([]).run_id is None


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"runId": ""}, (None, None)),
        ({"runId": "***"}, (None, None)),
        ({"runId": -1, "runAttempt": 0}, (None, None)),
        ({"runId": True, "runAttempt": True}, (None, None)),
        ({"runId": [1], "runAttempt": "x"}, (None, None)),
        ({"runId": 12.0, "runAttempt": 2.0}, ("12", 2)),
        ({"runId": 1e17, "runAttempt": 1e17}, (None, None)),
        ({"runId": "7", "attempt": 3}, ("7", 3)),
        ({"runId": "7", "attempt": 3, "runAttempt": 2}, ("7", 2)),
        ({"runId": "7", "runAttempt": "9" * 40}, ("7", None)),
    ],
)
def test_runs_that_are_none(data: Event, expected: tuple[str | None, int | None]) -> None:
    found = lookups_of([event("workflow.info", data)])
    assert (found.run_id, found.attempt) == expected


def test_experiments() -> None:
    first = event("experiment.state", {"assignments": {"b": "x", "a": "y", "c": 5}})
    found = lookups_of([first, event("experiment.assignment", {"assignments": {"b": "z"}})]).experiments
    assert list(found.items()) == [("a", "y"), ("b", "z")]
    assert lookups_of([event("experiment.assignment", {"assignments": []})]).experiments == {}


def test_evals() -> None:
    answers = [("q1", "yes"), ("q2", " No "), ("q3", "perhaps"), ("q1", "no"), (7, 8)]
    session = [event("eval.result", {"id": name, "answer": said}, phase="evals") for name, said in answers]
    by_question = {"q1": "NO", "q2": "NO", "q3": "UNKNOWN", "": "UNKNOWN"}
    assert lookups_of(session).evals == Evals(5, 1, 2, 2, by_question)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"event": "retry"}, 1),
        ({"retry": True}, 1),
        ({"message": "Retrying request"}, 1),
        ({"message": "will RETRY", "event": "retry"}, 1),
        ({"message": ["retry"]}, 0),
        ({"event": "Retry"}, 0),
        ({"retry": 1}, 0),
        ({"reason": "retry"}, 0),
    ],
)
def test_retries(data: Event, expected: int) -> None:
    assert lookups_of([event("mcp.event", data)]).retries == expected
    assert lookups_of([event("mcp.event", data, phase="detection")]).retries == 0
    assert lookups_of([event("firewall.event", data)]).retries == 0


def test_safe_outputs() -> None:
    session = [
        event("safe_output.result", phase="safe_outputs"),
        event("safe_output.request"),
        event("safe_output.error"),
    ]
    assert lookups_of(session).safe_output_results == 1


def test_counts() -> None:
    session = [event("a.b"), event("a.b", phase="x"), event("mcp.event")]
    del session[2]["provenance"]["phase"]
    found = lookups_of(session)
    assert (found.events, found.by_type, found.phases) == (3, {"a.b": 2, "mcp.event": 1}, {"agent": 1, "x": 1, "": 1})


def test_many_kinds_are_counted_together() -> None:
    session = [event(f"k.{number}") for number in range(9)] + [event("mcp.event"), event("k.0")]
    found = lookups_of(session, limits=Limits(session_kinds=3))
    assert found.by_type == {"k.0": 2, "k.1": 1, "k.2": 1, "": 6, "mcp.event": 1}
