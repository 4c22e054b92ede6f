"""What must change no result: order of untimed sources, key order, unknown events and fields, white space, twins."""

import copy
import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.conclusion.replay import replay
from opvalue.conclusion.selection import context_of
from opvalue.graders.configuration import defaults
from opvalue.session import lookups_of, read_events, scan
from opvalue.strictjson import JsonObject, dumps
from tests.graders.events import Event, collection, complete, event, gateway, mcp, request, safe_output, start

CALLS = st.sampled_from(["c1", "c2", "c3", None])
NAMES = st.sampled_from(["read", "write", "search_code"])
ARGUMENTS = st.sampled_from([None, {}, {"q": 1, "r": [True, "x"]}, {"r": [True, "x"], "q": 1.0}, {"q": None}, "ls -l"])
TOKENS = st.one_of(st.none(), st.integers(0, 10**6), st.sampled_from([-1, 1.5, "9", True, "***REDACTED***"]))
NATIVE = st.one_of(
    st.builds(start, NAMES, CALLS, ARGUMENTS),
    st.builds(complete, NAMES, CALLS, success=st.sampled_from([True, False, None])),
)
ANY_EVENT = st.one_of(
    NATIVE,
    st.builds(gateway, NAMES),
    st.builds(mcp, event=st.sampled_from(["retry", "log"]), message=st.sampled_from(["Retrying", "ok", ""])),
    st.builds(request, TOKENS, TOKENS, duration=TOKENS),
    st.builds(safe_output),
    st.builds(collection, st.sampled_from(["mcp", "agent", "eval"])),
    st.builds(
        lambda turns, took: event("session.result", {"numTurns": turns, "durationMs": took}, "agent"), TOKENS, TOKENS
    ),
)
SESSIONS = st.lists(ANY_EVENT, max_size=25)


def document(events: list[Event]) -> str:
    found = lookups_of(events)
    return dumps(replay(found, None, defaults(), context_of(found)).document)


def of_bytes(data: bytes) -> str:
    found = scan([data[place : place + 997] for place in range(0, len(data), 997)])
    assert found == lookups_of(read_events([data]))
    return dumps(replay(found, None, defaults(), context_of(found)).document)


def written(events: list[Event], **how: Any) -> list[bytes]:
    return [json.dumps(one, **how).encode() for one in events]


def reversed_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return [reversed_keys(item) for item in value] if isinstance(value, list) else value


@given(session=SESSIONS)
def test_key_order_changes_nothing(session: list[Event]) -> None:
    assert document([reversed_keys(one) for one in session]) == document(session)


@given(session=SESSIONS, where=st.randoms(use_true_random=False))
def test_unknown_events_and_fields_change_nothing(session: list[Event], where: random.Random) -> None:
    strange: list[JsonObject] = [
        {"type": "vendor.novelty", "data": {"toolName": "read", "success": False}, "provenance": {"component": "agent"}}
    ]
    more = [{**one, "x": [1], "data": {**one["data"], "zz": {"toolName": "n"}}} for one in session]
    expected = document([*session, *(strange if session else [])])
    more.insert(where.randint(0, len(more)), strange[0])
    assert document(more) == (expected if session else document(strange))


@given(session=SESSIONS)
def test_white_space_and_line_endings_change_nothing(session: list[Event]) -> None:
    expected = document(session)
    lines, loose = written(session), written(session, separators=(" , ", " :\t"))
    for data in (
        b"".join(b"%b\n" % line for line in lines),
        b"".join(b"%b\r\n" % line for line in loose),
        b"\n \n".join(loose),
        b"[" + b",\n".join(lines) + b"]",
        b" \n[\r\n" + b" , ".join(loose) + b" ] \n",
    ):
        assert of_bytes(data) == expected


@given(
    session=st.lists(NATIVE, max_size=12),
    others=st.lists(st.builds(request, TOKENS, TOKENS), max_size=6),
    mixed=st.randoms(),
)
def test_where_untimed_events_of_different_sources_stand_changes_nothing(
    session: list[Event], others: list[Event], mixed: random.Random
) -> None:
    expected = document([*session, *others])
    merged: list[Event] = []
    one, two = list(session), list(others)
    while one or two:
        merged.append((one if one and (not two or mixed.random() < 0.5) else two).pop(0))
    assert document(merged) == expected


@given(natives=st.lists(st.tuples(NAMES, ARGUMENTS, st.booleans()), min_size=1, max_size=8))
def test_duplicate_gateway_evidence_changes_nothing(natives: list[tuple[str, Any, bool]]) -> None:
    plain: list[Event] = [mcp(event="log")]
    twice: list[Event] = [mcp(event="log")]
    for number, (name, arguments, success) in enumerate(natives):
        opened = start(name, f"c{number}", arguments, mcpServerName="github")
        done = complete(None, f"c{number}", success=success)
        plain += [opened, done]
        twice += [opened, gateway(name), done]
    assert document(twice) == document(plain)


@settings(max_examples=30)
@given(session=SESSIONS)
def test_the_session_is_never_mutated(session: list[Event]) -> None:
    before = copy.deepcopy(session)
    document(session)
    assert session == before
