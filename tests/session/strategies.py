"""Sessions that no collector would write, and those that one would: small ids, few names, every kind that matters.

An event is made of one number, which is quick; what shrinks is how many events there are.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final

from hypothesis import strategies as st

Event = dict[str, Any]
_Fields = Mapping[str, Sequence[Any]]

_NAMES: Final = ("bash", "view", "github-list_issues", "list_issues", "List_Issues", "mcp__github__list_issues", "")
_SERVERS: Final = ("github", "GitHub", "other", "", None)
_IDS: Final = ("c1", "c2", "c3", "", None, "x" * 300)
_TIMES: Final = (None, None, 0, 1, 2, 3, 4, 5, 2.5, 9e15, "1", True)
_ODD: Final[tuple[Any, ...]] = (
    *(None, "", "text", 0, 1, 1.0, -1, 2**63, 1e300, True, False),
    *([], [1, {"a": [2]}], {}, {"a": 1}),
)
_LONG: Final = "x" * 2000
_ARGUMENTS: Final[tuple[Any, ...]] = (
    *(None, "", "  ", "\n", "a", "***", {}, {"a": 1}, {"a": 1.0}, {"a": True}, {"b": 1, "a": 2}, {"a": 2, "b": 1}),
    *({"a": "***"}, {"***": 1}, [1], 7, False, {"a": _LONG}, {"a": f"{_LONG}***"}, {"a": {"b": "\u00e9\ud800"}}),
)
_CORRELATION: Final[_Fields] = {
    "sessionId": ("s1", "s2", "", 5),
    "agentId": ("a1", ""),
    "parentToolUseId": ("p1", 3),
    "parentToolCallId": ("p2",),
    "turnId": _ODD,
}
_CALL: Final[_Fields] = {"toolCallId": _IDS, "toolName": _NAMES, "mcpServerName": _SERVERS}
_OUTCOME: Final[_Fields] = {
    "success": (True, True, True, False, None, "yes"),
    "output": _ODD,
    "error": (None, None, None, "no", {"code": 1}, ["a"], ""),
    "isError": (True, False, None),
    "status": ("ok", "failed", "error", 200, None),
    "exitCode": (0, 1, 0.0, "1", None),
}
_RECORD: Final[_Fields] = {
    "serverName": _SERVERS,
    "toolName": _NAMES,
    "toolCallId": _IDS,
    "rpcId": (0, 1, 2, "1", 1.0, True, None, [1]),
    "requestId": ("r1", 5, None),
    "method": ("tools/call", "tools/call", "tools/list", None),
    "error": (None, None, {"code": -1, "message": "x"}, "bad", [1e300]),
    "status": ("ok", "error", 500, None),
}
_TOKENS: Final = (0, 1, 10, 1000, 1000.0, 2**53, 2**70, -5, 1.5, "9", True, None)
_NAMES_OF_TOKENS: Final = (
    "totalTokens",
    "inputTokens",
    "outputTokens",
    "cacheReadInputTokens",
    "cacheCreationInputTokens",
)
_USAGES: Final = (
    *({name: _TOKENS[(3 * index + step) % 12] for step, name in enumerate(_NAMES_OF_TOKENS)} for index in range(12)),
    *(
        {"inputTokens": 5, "cacheReadInputTokens": 3, "inputTokensIncludeCache": flag}
        for flag in (True, False, None, 0)
    ),
    *({"outputTokens": 7}, {"odd": 1, "inputTokens": 4}, {}, None, 5),
    *({"inputTokens": 9, "overflowedTokens": names} for names in ([], ["inputTokens"], [1], "x", None)),
)
_DURATIONS: Final = (0, 1, 0.1, 1000, -1, None, "7", True, 1e308)

PAYLOADS: Final[Mapping[str, _Fields]] = {
    "tool.execution_start": {**_CALL, **_CORRELATION, "input": _ARGUMENTS, "command": ("", "ls", 1)},
    "tool.execution_complete": {**_CALL, **_CORRELATION, **_OUTCOME},
    "mcp.rpc.request": _RECORD,
    "mcp.rpc.response": {**_RECORD, "exitCode": (1,)},
    "mcp.tool_call": {**_RECORD, "success": (True, False)},
    "mcp.event": {"event": ("retry", "x", 1), "message": ("Retrying", "", [1]), "retry": _ODD},
    "firewall.token_usage": {"requestId": ("q1", "q2", "", 3), "durationMs": _DURATIONS, "usage": _USAGES},
    "usage.report": {"usage": _USAGES},
    "session.start": _CORRELATION,
    "session.init": _CORRELATION,
    "session.result": {**_CORRELATION, "numTurns": _TOKENS, "durationMs": _DURATIONS, "usage": _USAGES},
    "session.collection": {
        "sources": ([], [{"component": "mcp", "phase": "evals"}], [{"component": "x"}, 5], 7),
        "absentComponents": ([], ["mcp", "firewall"], ["eval", 3], None),
    },
    "workflow.info": {"runId": ("7", 8, -1, True), "runAttempt": (1, "2", 0, "x")},
    "experiment.state": {"runId": ("9",), "assignments": ({"e": "v"}, {"e": 1}, 4)},
    "experiment.assignment": {"assignments": ({"e": "w", "f": "z"}, *_ODD)},
    "eval.result": {"id": ("q1", 1), "answer": ("yes", " NO ", "maybe", 1)},
    "safe_output.result": {"type": ("create_issue",)},
    "assistant.message": {"content": _ODD, "messageId": ("m",), "model": _ODD},
    "assistant.turn_end": {"turnId": _ODD},
    "firewall.http_access": {"host": ("h",), "status": _ODD, "odd": _ODD},
    "mcp.difc.filtered": _RECORD,
    "copilot.something": {"deep": _ODD},
    "x.y": {},
}
_ODD_PROVENANCE: Final[_Fields] = {
    "component": ("agent", "mcp", "firewall", "safe_output", "other", "", 5),
    "phase": ("agent", "agent", "agent", "agent", "detection", "evals", "other", None),
    "path": ("a", "a", "a", "b", "p" * 300, 7),
    "index": (0, 1, 2.0),
    "timestampMs": _TIMES,
    "native": _ODD,
}
_ODD_ENVELOPE: Final[_Fields] = {
    "id": ("e1", "e2", "e3", "e4", "", 5),
    "agentId": ("a1", "a2", "", 7),
    "timestamp": _ODD,
    "extra": _ODD,
}
_OFTEN: Final = (
    "tool.execution_start",
    "tool.execution_complete",
    "mcp.rpc.request",
    "mcp.rpc.response",
    "mcp.tool_call",
)
_KINDS: Final = (*_OFTEN * 6, *PAYLOADS)


def event_of(number: int) -> Event:
    """Return the event that a number stands for."""
    chance = random.Random(number)  # noqa: S311 - repeatable, for tests
    kind = chance.choice(_KINDS)
    event = {"type": kind, "data": _some(chance, PAYLOADS[kind], 0.5)}
    event["provenance"] = _usual(chance) if chance.random() < 0.7 else _some(chance, _ODD_PROVENANCE, 0.7)
    return event | _some(chance, _ODD_ENVELOPE, 0.15)


_ERRORS: Final = (None, None, None, "no", {"code": 1, "message": "x"}, [{"a": [1]}], 5)
_TAME_RECORD: Final[_Fields] = {
    "serverName": ("github", "other", ""),
    "toolName": _NAMES,
    "toolCallId": ("c1", "c2", ""),
    "rpcId": (0, 1, 2, "1", None),
    "requestId": ("r1", None),
    "method": ("tools/call", "tools/call", "tools/list"),
    "error": _ERRORS,
    "status": ("ok", "error", 500, None),
    "durationMs": (1, 0.5),
}
_TAME: Final[Mapping[str, _Fields]] = {
    "tool.execution_start": {
        **_CALL,
        "sessionId": ("s1", ""),
        "agentId": ("a1",),
        "input": _ARGUMENTS,
        "command": ("", "ls"),
    },
    "tool.execution_complete": {
        **_CALL,
        "parentToolCallId": ("p2", None),
        "success": (True, True, True, False, None),
        "output": ("text", None, {"a": [1, "b"]}, [1, {"c": 1e300}], 5, True),
        "error": _ERRORS,
        "isError": (True, False, None),
        "status": ("ok", "failed", None),
        "exitCode": (0, 1, 0.0, None),
    },
    "mcp.rpc.request": _TAME_RECORD,
    "mcp.rpc.response": _TAME_RECORD,
    "mcp.tool_call": _TAME_RECORD,
    "mcp.event": {"event": ("retry", "x", 1), "message": ("Retrying", ""), "retry": (True, False, None)},
    "firewall.token_usage": {
        "requestId": ("q1", "q2", ""),
        "durationMs": (0, 1, 0.1, -1, -0.0, None),
    },
    "assistant.message": {"content": ("text", None), "turnId": (1, "2")},
}
_WHOLE: Final = (0, 1, 10, 2**53 - 1, 2**53, -5, None)
_PLAIN: Final[Mapping[str, Event]] = {
    "tool.execution_start": {"toolCallId": "c1", "toolName": "bash", "input": {"a": 1}},
    "tool.execution_complete": {"toolCallId": "c1", "toolName": "bash", "success": True},
    "firewall.token_usage": {"durationMs": 1, "usage": {"inputTokens": 5, "outputTokens": 7}},
}
_PLAIN_RECORD: Final = {"serverName": "github", "toolName": "view", "rpcId": 1, "method": "tools/call"}


def tame_pairs() -> Iterator[list[Event]]:
    """Yield short sessions of one frequent kind each, in which any two fields have any two of their values."""
    for kind, fields in _TAME.items():
        plain = _PLAIN.get(kind, _PLAIN_RECORD if kind.startswith("mcp.") else {})
        for data in _in_pairs({**fields, **_USAGE} if kind == "firewall.token_usage" else fields):
            usage = {name: data.pop(name) for name in _USAGE if name in data}
            changed = plain | data | ({"usage": plain["usage"] | usage} if usage else {})
            yield [_agents("mcp.rpc.request", _PLAIN_RECORD), _agents(kind, changed), _agents(kind, plain)]


_USAGE: Final[_Fields] = dict.fromkeys(_NAMES_OF_TOKENS, _WHOLE) | {"inputTokensIncludeCache": (True, False)}


def _in_pairs(fields: _Fields) -> Iterator[Event]:
    for one, other in combinations(fields, 2):
        for value, another in product(fields[one], fields[other]):
            yield {one: value, other: another}


def _agents(kind: str, data: Event) -> Event:
    return {"type": kind, "data": data, "provenance": {"component": "agent", "phase": "agent", "path": "a"}}


def tame_of(number: int) -> Event:
    """Return an event of a frequent kind whose fields are of the kinds that the fast pass knows."""
    chance = random.Random(number)  # noqa: S311 - repeatable, for tests
    kind = chance.choice(list(_TAME))
    fields = dict(_TAME[kind])
    if kind == "firewall.token_usage":
        usage = _some(chance, dict.fromkeys(_NAMES_OF_TOKENS, _WHOLE), 0.6)
        fields["usage"] = (None, usage, usage | {"inputTokensIncludeCache": chance.random() < 0.5})
    where = _usual(chance) | ({"timestampMs": 9e15} if chance.random() < 0.1 else {})
    event: Event = {"type": kind, "data": _some(chance, fields, 0.7), "provenance": where}
    return event | _some(chance, {"id": ("e1", "e2", "e3", ""), "agentId": ("a1", "")}, 0.2)


def _some(chance: random.Random, fields: _Fields, share: float) -> Event:
    return {name: chance.choice(values) for name, values in fields.items() if chance.random() < share}


def _usual(chance: random.Random) -> Event:
    place = {
        "component": chance.choice(("agent", "mcp", "firewall")),
        "phase": chance.choice(("agent", "agent", "agent", "detection")),
        "path": chance.choice("ab"),
        "index": chance.randrange(9),
    }
    return place | ({"timestampMs": chance.randrange(7)} if chance.random() < 0.5 else {})


EVENTS: Final = st.integers(0, 2**32).map(event_of)
TAME_SESSIONS: Final = st.lists(st.integers(0, 2**32).map(tame_of), max_size=20)
SESSIONS: Final = st.lists(EVENTS, max_size=16)


def line(event: Event, *, ascii_: bool = True, spaces: bool = False) -> bytes:
    """Return an event as a line, without its LF; lone surrogates escaped in either case."""
    separators = (" , ", "\t:  ") if spaces else (",", ":")
    text = json.dumps(event, ensure_ascii=ascii_, separators=separators)
    return text.encode("utf-8", "backslashreplace")


_BASE = b'{"type":"x.y","data":{"a":%s},"provenance":{"component":"agent","phase":"agent","path":"a"}}'
_START = (
    b'{"type":"tool.execution_start","data":{"toolName":"bash","input":%s},'
    b'"provenance":{"component":"agent","phase":"agent","path":"a"}}'
)
_DONE = (
    b'{"type":"tool.execution_complete","data":{"toolName":"bash","success":true,"output":%s},'
    b'"provenance":{"component":"agent","phase":"agent","path":"a"}}'
)
_VALUES = (
    b"1e400",
    b"-1E+400",
    b"1e308",
    b"1e-400",
    b"[1e400]",
    b'{"b":[0, 1e0400 ]}',
    b"1" * 309,
    b"1" * 308,
    b"-" + b"9" * 400,
    b"1" * 5000,
    b"0." + b"1" * 5000,
    b"[" * 125 + b"]" * 125,
    b"[" * 126 + b"]" * 126,
    b"[" * 127 + b"]" * 127,
    b"[" * 130 + b"]" * 130,
    b"[" * 3_000,
    b'{"a":' * 200 + b"1" + b"}" * 200,
    b"NaN",
    b"-Infinity",
    b"01",
    b"1.",
    b"-0",
    b"-0.0",
    b'"\xff"',
    b'"\xed\xa0\x80"',
    b'"\\ud800"',
    b'"\\ud83d\\ude00"',
    b'"\\q"',
    b'"a\tb"',
    b'"\x7f"',
    b'"1e400, 2e999"',
    b'", e, "',
    b"[1,]",
    b"1} {",
    b'{"k":1,"k":2}',
    b'"\xe2\x80\xa8"',
    b"true",
    b"nul",
    b"[1\n2]",
)
HOSTILE: tuple[bytes, ...] = (
    *(shape % value for shape in (_BASE, _START, _DONE) for value in _VALUES),
    b"",
    b"   ",
    b"\r",
    b"\x00",
    b"[]",
    b"{}",
    b"null",
    b"\xef\xbb\xbf{}",
    _BASE % b"1" + b" " + _BASE % b"2",
    _BASE % b"1" + b"\r",
    b"  " + _BASE % b"1" + b"\t",
    b"\x0b" + _BASE % b"1",
    b'{"type":"x.y","type":"z.z","data":{},"provenance":{}}',
    b'{"data":{},"provenance":{},"type":"x.y","data":[]}',
    b'{"type":"xy","data":{},"provenance":{}}',
    b'{"type":"x.y","data":null,"provenance":{}}',
    b'{"type":"x.y","data":{}}',
    b'{"\\u0074ype":"tool.execution_start","data":{"toolName":"a"},"provenance":{}}',
    b'{"type":"tool.execution_start","data":{"toolName":"a","toolName":"b"},"provenance":{}}',
)
