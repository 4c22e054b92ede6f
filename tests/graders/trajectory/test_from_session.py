"""What of a session becomes its projection, and what does not."""

import copy
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.graders.metadata import TRAJECTORY
from opvalue.graders.registry import registered
from opvalue.graders.trajectory import Projection, project
from opvalue.graders.trajectory.projection import past_bound
from tests.graders.trajectory.samples import BOUND
from tests.support.sessions import events as made_up

Event = dict[str, Any]

_COMPONENTS = {"tool": "agent", "assistant": "agent", "user": "agent", "session": "agent", "mcp": "mcp"}


def event(kind: str, time: float | None = None, *, phase: str = "agent", path: str = "a.jsonl", **data: Any) -> Event:
    component = _COMPONENTS.get(kind.partition(".")[0], "safe_output")
    provenance: Event = {"component": component, "phase": phase, "path": path, "index": 0}
    return {"type": kind, "data": data, "provenance": provenance | ({} if time is None else {"timestampMs": time})}


def start(name: str, call: str | None = None, **data: Any) -> Event:
    named: Event = {"toolCallId": call} if call else {}
    return event("tool.execution_start", toolName=name, **named, **data)


def done(call: str | None = None, name: str | None = None, **data: Any) -> Event:
    named: Event = ({"toolCallId": call} if call else {}) | ({"toolName": name} if name else {})
    return event("tool.execution_complete", **named, **({"success": True} | data))


def outcomes(*events: Event) -> list[tuple[str, bool | None, bool | None]]:
    """Return name, completed and success of each call."""
    calls: Any = project(events).tool_calls
    return [(call["name"], call.get("completed"), call.get("success")) for call in calls]


def test_every_collection() -> None:
    session = [
        event("session.start", sessionId="s"),
        event("user.message", content="go"),
        start("search", "c1", input={"q": "x", "n": 1}),
        event("assistant.message", content="hm"),
        done("c1"),
        event("safe_output.result", type="create_issue"),
    ]
    assert project(session) == Projection(
        events=(
            {"index": 0, "kind": "message"},
            {"index": 1, "kind": "tool_call", "ref": "search"},
            {"index": 2, "kind": "message"},
            {"index": 3, "kind": "observation"},
            {"index": 4, "kind": "safe_output"},
        ),
        states=('search {"n":number,"q":string,}',),
        tool_calls=(
            {
                "id": "call-1",
                "eventIndex": 1,
                "name": "search",
                "argumentsText": '{"n":1,"q":"x"}',
                "completed": True,
                "success": True,
            },
        ),
        observations=({"id": "observation-3", "eventIndex": 3, "sourceToolCallId": "call-1"},),
        consumption_recorded=False,
    )


@pytest.mark.parametrize(
    "session", [[], [event("session.start", sessionId="s")], [event("assistant.message", phase="evals")]]
)
def test_a_session_that_shows_nothing(session: list[Event]) -> None:
    assert project(session) == Projection()


MISSING: Final = {
    "policy-near-miss": "the session records no objectives",
    "skill-constraint-coverage": "there are no tool calls and no actions",
    "exploration-error": "the session records no objectives",
    "exploitation-error": "the session records no objectives",
    "state-revisit-probability-rep": "the session records no states",
    "recurrence-determinism": "the session records no states",
    "recurrence-laminarity": "the session records no states",
    "recurrence-trapping-time": "the session records no states",
    "recurrence-rate": "the session records no states",
    "event-entropy-rate": "the session records no events",
    "lempel-ziv-trajectory-complexity": "the session records no events",
    "tool-output-consumption-rate": "the session records no observations",
    "end-to-end-lineage-completeness": "the session records no events",
    "action-provenance-coverage": "the session records no actions",
    "premature-termination-gap": "the session records no objectives",
    "evidence-saturation-stopping-lag": "the session records no objectives",
    "dependency-order-violation-rate": "the session records no objectives",
    "objective-coverage": "the session records no objectives",
    "grounding-accuracy": "the session records no actions",
    "tool-wise-score": "the session records no reference tool calls",
    "trajectory-ndtw": "the reference has no states",
    "code-search-recall": "the reference has no files",
}


@pytest.mark.parametrize("grader", [row.id for row in TRAJECTORY])
def test_every_grader_is_unavailable_on_an_empty_session(grader: str) -> None:
    config: Any = {"constraints": [{"pattern": "x"}]}
    assert registered(grader).measure(project([]), config) == (None, MISSING[grader])


@pytest.mark.parametrize("grader", [row.id for row in TRAJECTORY])
def test_every_grader_is_unavailable_past_the_bound(grader: str) -> None:
    session = [start("a", f"c{number}") for number in range(BOUND + 1)]
    config: Any = {"constraints": [{"pattern": "x"}]}
    assert registered(grader).measure(project(session), config) == (None, "events holds more than 5,000 items")


DERIVABLE = {
    "skill-constraint-coverage",
    "state-revisit-probability-rep",
    "recurrence-determinism",
    "recurrence-laminarity",
    "recurrence-trapping-time",
    "recurrence-rate",
    "event-entropy-rate",
    "lempel-ziv-trajectory-complexity",
}


def test_what_a_session_can_show() -> None:
    projection = project(made_up(400))
    config: Any = {"constraints": [{"pattern": "search"}]}
    values = {row.id: registered(row.id).measure(projection, config) for row in TRAJECTORY}
    assert {grader for grader, measured in values.items() if measured.value is not None} == DERIVABLE
    assert all((measured.value is None) is (measured.message is not None) for measured in values.values())


@pytest.mark.parametrize("phase", ["detection", "evals"])
def test_other_agents_show_nothing(phase: str) -> None:
    assert project([start("a") | {"provenance": start("a")["provenance"] | {"phase": phase}}]) == Projection()


@pytest.mark.parametrize(
    "odd",
    [
        event("assistant.message_delta"),
        event("assistant.message", partial=True),
        event("tool.execution_start"),
        event("tool.execution_start", toolName=""),
        event("mcp.rpc.request", method="tools/list", toolName="x"),
        event("mcp.rpc.request", method="tools/call"),
        {"type": "tool.execution_start", "data": None, "provenance": {"component": "agent"}},
        {"type": "tool.execution_start", "data": {"toolName": "x"}, "provenance": None},
        {"type": 7, "data": {}, "provenance": {}},
        {},
    ],
)
def test_what_shows_nothing(odd: Event) -> None:
    assert project([odd]) == Projection()


class TestPairing:
    """By id, else the oldest open call of the name; never across two different ids."""

    def test_by_id(self) -> None:
        assert outcomes(start("a", "1"), start("a", "2"), done("2"), done("1", success=False)) == [
            ("a", True, False),
            ("a", True, True),
        ]

    def test_without_ids_the_oldest_first(self) -> None:
        assert outcomes(start("a"), start("a"), done(name="a"), done(name="a", success=False)) == [
            ("a", True, True),
            ("a", True, False),
        ]

    def test_only_the_completions_lack_ids(self) -> None:
        assert outcomes(start("a", "1"), start("a"), done(name="a", success=False)) == [
            ("a", True, False),
            ("a", False, None),
        ]

    def test_only_the_starts_lack_ids(self) -> None:
        assert outcomes(start("a"), done("1", "a")) == [("a", True, True)]

    def test_never_across_two_different_ids(self) -> None:
        assert outcomes(start("a", "1"), done("2", "a")) == [("a", False, None), ("a", True, True)]

    def test_a_call_ends_once(self) -> None:
        assert outcomes(start("a", "1"), done(name="a"), done("1", "a", success=False)) == [
            ("a", True, True),
            ("a", True, False),
        ]

    def test_one_id_twice(self) -> None:
        assert outcomes(start("a", "1"), start("a", "1"), done("1"), done("1", success=False)) == [
            ("a", True, False),
            ("a", True, True),
        ]

    def test_a_completion_alone(self) -> None:
        assert outcomes(done(name="a")) == [("a", True, True)]
        projection = project([done()])
        assert (projection.tool_calls, projection.observations) == ((), ({"id": "observation-0", "eventIndex": 0},))

    @pytest.mark.parametrize("apart", ["path", "session", "owner"])
    def test_scopes_are_apart(self, apart: str) -> None:
        one, other = start("a", "1"), done("1", "a")
        for each, name in ((one, "first"), (other, "second")):
            if apart == "path":
                each["provenance"]["path"] = name
            elif apart == "session":
                each["data"]["sessionId"] = name
            else:
                each["agentId"] = name
        assert outcomes(one, other) == [("a", False, None), ("a", True, True)]

    def test_what_was_seen_before_is_left_out(self) -> None:
        again = [start("a", "1") | {"id": "e1"}, done("1", "a")]
        assert outcomes(*again, *again) == [("a", True, True)]
        projection = project([*again, *again])
        assert [one["kind"] for one in projection.events or () if isinstance(one, dict)] == ["tool_call", "observation"]

    def test_the_latest_session_of_a_source_is_meant(self) -> None:
        first, second = event("session.start", sessionId="s1"), event("session.init", sessionId="s2")
        late = done("1") | {"data": {"toolCallId": "1", "toolName": "a", "sessionId": "s1", "success": True}}
        assert outcomes(first, start("a", "1"), second, done("1", "a"), late) == [("a", True, True), ("a", True, True)]


@pytest.mark.parametrize(
    ("data", "success"),
    [
        ({}, True),
        ({"success": None}, False),
        ({"success": False}, False),
        ({"isError": True}, False),
        ({"status": "failed"}, False),
        ({"status": "error"}, False),
        ({"status": "success"}, True),
        ({"error": {}}, False),
        ({"error": None}, True),
        ({"exitCode": 1}, False),
        ({"exitCode": 0}, True),
        ({"exitCode": True}, True),
    ],
)
def test_any_sign_of_failure_controls(data: Event, success: bool) -> None:
    assert outcomes(start("a", "1"), done("1", **data)) == [("a", True, success)]


class TestStates:
    """A tool's name and the shape of its arguments."""

    def of(self, *starts: Event) -> tuple[Any, ...]:
        states = project(starts).states
        assert states is not None
        return states

    def test_values_and_key_order_do_not_matter(self) -> None:
        one, other = self.of(start("a", input={"x": 1, "y": ["p", "q"]}), start("a", input={"y": ["r"], "x": 2.5}))
        assert one == other == 'a {"x":number,"y":[string],}'

    def test_types_keys_and_names_do(self) -> None:
        shapes: list[Any] = [{"x": 1}, {"x": "1"}, {"x": True}, {"x": None}, {"y": 1}, {"x": [1]}, {"x": {}}, "1"]
        found = self.of(start("b", input={"x": 1}), *(start("a", input=shape) for shape in shapes), start("a"))
        assert len(set(found)) == len(shapes) + 2

    def test_commands(self) -> None:
        commands = [start("a", command="rm"), start("a", input=" ", command="x"), start("a", input=None, command="x")]
        assert set(self.of(*commands)) == {'a {"command":string,}'}
        assert self.of(start("a", input=[]), start("a", input=0)) == ("a []", "a number")

    def test_what_redaction_hides_is_no_revisit(self) -> None:
        hidden = start("a", input="***REDACTED***")
        assert len(set(self.of(hidden, hidden))) == 2
        for touched in ({"q": "***"}, {"q": ["x ***"]}, {"***": 1}, {"q": {"x-***": "y"}}, "ls ***"):
            partly = start("a", input=touched)
            assert len(set(self.of(partly, partly, partly))) == 3, touched
        assert len(set(self.of(start("***", input={"q": 1}), start("***", input={"q": 2})))) == 2
        assert len(set(self.of(*(start("a", command="ls ***") for _ in range(2))))) == 2

    def test_what_nothing_shows_is_no_revisit(self) -> None:
        assert len(set(self.of(done("1", toolName="a"), done("2", toolName="a"), start("a")))) == 3
        assert len(set(self.of(start("a"), start("a")))) == 1, "recorded as absent"

    def test_long_shapes_are_told_apart(self) -> None:
        many = {f"key-{number}": number for number in range(1000)}
        one, other, same = self.of(*(start("a", input=value) for value in (many, many | {"z": 1}, dict(many))))
        assert one == same != other
        assert len(one) < 300


class TestGateway:
    """What the gateway saw stands in where the agent's own calls are not recorded."""

    REQUEST = event("mcp.rpc.request", method="tools/call", toolName="x", serverName="s", rpcId=1)

    def test_natives_win(self) -> None:
        assert outcomes(self.REQUEST, start("a", "1"), done("1")) == [("a", True, True)]

    def test_alone(self) -> None:
        def response(rpc: Any, **data: Any) -> Event:
            return event("mcp.rpc.response", rpcId=rpc, serverName="s", **data)

        assert outcomes(self.REQUEST) == [("x", None, None)]
        assert outcomes(self.REQUEST, response(1)) == [("x", True, True)]
        assert outcomes(self.REQUEST, response(1, error={"code": 1})) == [("x", True, False)]
        assert outcomes(self.REQUEST, response("1")) == [("x", None, None)]
        assert project([response(1)]) == Projection(
            events=(), states=(), tool_calls=(), observations=(), consumption_recorded=False
        )
        assert outcomes(event("mcp.tool_call", toolName="y")) == [("y", None, None)]
        assert outcomes(event("mcp.tool_call", toolName="y", error={})) == [("y", None, False)]

    def test_it_shows_no_arguments_so_no_states(self) -> None:
        assert project([self.REQUEST, self.REQUEST]).states is None
        assert project([start("a", "1"), self.REQUEST]).states == ("a ",)

    def test_one_call_recorded_in_both_ways_counts_once(self) -> None:
        record = event("mcp.tool_call", toolName="x", serverName="s")
        assert outcomes(record, self.REQUEST) == [("x", None, None)]
        assert outcomes(record, self.REQUEST, record) == [("x", None, None)] * 2

    def test_a_request_that_is_repeated_counts_once(self) -> None:
        assert outcomes(self.REQUEST, self.REQUEST) == [("x", None, None)]


class TestOrder:
    """Timed events by time, untimed ones by source, outputs last."""

    def kinds(self, *events: Event) -> list[str]:
        found: Any = project(events).events
        return [one.get("ref", one["kind"]) for one in found]

    def test_time_decides(self) -> None:
        late, early = (event("tool.execution_start", time, toolName=name) for time, name in ((2, "b"), (1, "a")))
        output, untimed = event("safe_output.result", 0), start("c")
        assert self.kinds(output, untimed, late, early) == ["a", "b", "c", "safe_output"]

    def test_names_that_redaction_touched_are_no_one_symbol(self) -> None:
        assert self.kinds(start("***"), start("***"), start("a"), start("a")) == ["*** 0", "*** 1", "a", "a"]

    def test_where_untimed_sources_stand_does_not_matter(self) -> None:
        one = [event("tool.execution_start", path="1", toolName=name) for name in "ab"]
        other = [event("tool.execution_start", path="2", toolName=name) for name in "cd"]
        expected = list("abcd")
        assert self.kinds(*one, *other) == self.kinds(*other, *one) == expected
        assert self.kinds(other[0], one[0], other[1], one[1]) == expected


def _bounded(make: Callable[[int], Event]) -> None:
    assert past_bound(project(make(number) for number in range(BOUND))) is None
    assert past_bound(project(make(number) for number in range(BOUND + 1))) == "events"


def test_the_bound_holds_in_memory_too() -> None:
    _bounded(lambda number: start("a", f"c{number}", input={"n": number}))
    _bounded(lambda number: event("mcp.tool_call", toolName=f"t{number % 7}"))
    projection = project(start("a", f"c{number}") for number in range(3 * BOUND))
    assert projection == Projection(beyond={"events": 3 * BOUND})


def test_gateway_events_do_not_count_where_natives_are() -> None:
    session = [event("mcp.tool_call", toolName="x")] * (BOUND + 1) + [start("a")]
    assert outcomes(*session) == [("a", False, None)]


def test_a_large_output_is_not_kept() -> None:
    projection = project([start("a", "1", input={"text": "x" * 10**6}), done("1", output="y" * 10**6)])
    assert len(repr(projection)) < 10_000


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)
_EVENTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["tool.execution_start", "tool.execution_complete", "mcp.rpc.request", "x.y"]),
        "data": st.dictionaries(
            st.sampled_from(["toolName", "toolCallId", "input", "success", "rpcId", "serverName", "method", "error"]),
            _VALUES,
        ),
        "provenance": st.fixed_dictionaries(
            {"component": st.sampled_from(["agent", "mcp"])},
            optional={"phase": _VALUES, "path": _VALUES, "timestampMs": _VALUES},
        ),
    },
    optional={"agentId": _VALUES},
)


@given(st.lists(_EVENTS, max_size=8))
def test_any_events_are_projected_and_none_is_changed(session: list[Any]) -> None:
    before = copy.deepcopy(session)
    projection = project(session)
    assert session == before
    unknown: list[Any] = [{"type": "z.z", "data": {}, "provenance": {}}]
    noise: list[Any] = [one | {"extra": 1} for one in session]
    assert project([*unknown, *noise, *unknown]) == projection
    for row in TRAJECTORY:
        registered(row.id).measure(projection, {"constraints": [{"pattern": "a"}]})
