"""Sessions that no collector would write, and those that one would: small ids, few names, every kind that matters."""

import json
from typing import Any

from hypothesis import strategies as st

Event = dict[str, Any]

NAMES = ("bash", "view", "github-list_issues", "list_issues", "List_Issues", "mcp__github__list_issues", "")
SERVERS = ("github", "GitHub", "other", "", None)
IDS = st.sampled_from(["c1", "c2", "c3", "", None, "x" * 300])
TIMES = st.sampled_from([None, None, 0, 1, 2, 3, 4, 5, 2.5, 9e15, "1", True])
ODD = st.sampled_from([None, "", "text", 0, 1, 1.0, -1, 2**63, 1e300, True, False, [], [1, {"a": [2]}], {}, {"a": 1}])
ARGUMENTS = st.sampled_from(
    [None, "", "  ", "\n", "a", "***", {}, {"a": 1}, {"a": 1.0}, {"a": True}, {"b": 1, "a": 2}, {"a": 2, "b": 1}]
    + [{"a": "***"}, {"***": 1}, [1], 7, False, {"a": "x" * 2000}, {"a": "x" * 2000 + "***"}, {"a": {"b": "\u00e9\ud800"}}]
)


def _optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Event]:
    return st.fixed_dictionaries({}, optional=fields)


_CORRELATION = {
    "sessionId": st.sampled_from(["s1", "s2", "", 5]),
    "agentId": st.sampled_from(["a1", ""]),
    "parentToolUseId": st.sampled_from(["p1", 3]),
    "parentToolCallId": st.just("p2"),
    "turnId": ODD,
}
_CALL = {"toolCallId": IDS, "toolName": st.sampled_from(NAMES), "mcpServerName": st.sampled_from(SERVERS)}
_OUTCOME = {
    "success": st.sampled_from([True, True, True, False, None, "yes"]),
    "output": ODD,
    "error": st.sampled_from([None, None, None, "no", {"code": 1}, ["a"], ""]),
    "isError": st.sampled_from([True, False, None]),
    "status": st.sampled_from(["ok", "failed", "error", 200, None]),
    "exitCode": st.sampled_from([0, 1, 0.0, "1", None]),
}
_RECORD = {
    "serverName": st.sampled_from(SERVERS),
    "toolName": st.sampled_from(NAMES),
    "toolCallId": IDS,
    "rpcId": st.sampled_from([0, 1, 2, "1", 1.0, True, None, [1]]),
    "requestId": st.sampled_from(["r1", 5, None]),
    "method": st.sampled_from(["tools/call", "tools/call", "tools/list", None]),
    "error": st.sampled_from([None, None, {"code": -1, "message": "x"}, "bad", [1e300]]),
    "status": st.sampled_from(["ok", "error", 500, None]),
}
_TOKENS = st.sampled_from([0, 1, 10, 1000, 1000.0, 2**53, 2**70, -5, 1.5, "9", True, None])
_USAGE = _optional(
    totalTokens=_TOKENS,
    inputTokens=_TOKENS,
    outputTokens=_TOKENS,
    cacheReadInputTokens=_TOKENS,
    cacheCreationInputTokens=_TOKENS,
    inputTokensIncludeCache=st.sampled_from([True, False, None, 0]),
    odd=ODD,
)
_DURATION = st.sampled_from([0, 1, 0.1, 1000, -1, None, "7", True, 1e308])

PAYLOADS: dict[str, st.SearchStrategy[Event]] = {
    "tool.execution_start": _optional(**_CALL, **_CORRELATION, input=ARGUMENTS, command=st.sampled_from(["", "ls", 1])),
    "tool.execution_complete": _optional(**_CALL, **_CORRELATION, **_OUTCOME),
    "mcp.rpc.request": _optional(**_RECORD),
    "mcp.rpc.response": _optional(**_RECORD, exitCode=st.just(1)),
    "mcp.tool_call": _optional(**_RECORD, success=st.sampled_from([True, False])),
    "mcp.event": _optional(event=st.sampled_from(["retry", "x", 1]), message=st.sampled_from(["Retrying", "", [1]]), retry=ODD),
    "firewall.token_usage": _optional(
        requestId=st.sampled_from(["q1", "q2", "", 3]), durationMs=_DURATION, usage=st.one_of(_USAGE, _USAGE, ODD)
    ),
    "usage.report": _optional(usage=_USAGE),
    "session.start": _optional(**_CORRELATION),
    "session.init": _optional(**_CORRELATION),
    "session.result": _optional(**_CORRELATION, numTurns=_TOKENS, durationMs=_DURATION, usage=_USAGE),
    "session.collection": _optional(
        sources=st.lists(_optional(component=st.sampled_from(["mcp", "agent", "x"]), phase=st.just("evals")), max_size=2),
        absentComponents=st.lists(st.sampled_from(["mcp", "firewall", "eval", 3]), max_size=3),
    ),
    "workflow.info": _optional(runId=st.sampled_from(["7", 8, -1, True]), runAttempt=st.sampled_from([1, "2", 0, "x"])),
    "experiment.state": _optional(runId=st.just("9"), assignments=_optional(e=st.sampled_from(["v", 1]))),
    "experiment.assignment": _optional(assignments=st.one_of(ODD, _optional(e=st.just("w"), f=st.just("z")))),
    "eval.result": _optional(id=st.sampled_from(["q1", 1]), answer=st.sampled_from(["yes", " NO ", "maybe", 1])),
    "safe_output.result": _optional(type=st.just("create_issue")),
    "assistant.message": _optional(content=ODD, messageId=st.just("m"), model=ODD),
    "assistant.turn_end": _optional(turnId=ODD),
    "firewall.http_access": _optional(host=st.just("h"), status=ODD, odd=ODD),
    "mcp.difc.filtered": _optional(**_RECORD),
    "copilot.something": _optional(deep=ODD),
    "x.y": st.just({}),
}

PROVENANCE = st.fixed_dictionaries(
    {},
    optional={
        "component": st.sampled_from(["agent", "mcp", "firewall", "safe_output", "other", "", 5]),
        "phase": st.sampled_from(["agent", "agent", "agent", "agent", "detection", "evals", "other", None]),
        "path": st.sampled_from(["a", "a", "a", "b", "p" * 300, 7]),
        "index": st.sampled_from([0, 1, 2.0]),
        "timestampMs": TIMES,
        "native": ODD,
    },
)
USUAL = st.fixed_dictionaries(
    {
        "component": st.sampled_from(["agent", "mcp", "firewall"]),
        "phase": st.sampled_from(["agent", "agent", "agent", "detection"]),
        "path": st.sampled_from(["a", "b"]),
        "index": st.integers(0, 9),
    },
    optional={"timestampMs": st.integers(0, 6)},
)


def _event(kind: str) -> st.SearchStrategy[Event]:
    return st.fixed_dictionaries(
        {"type": st.just(kind), "data": PAYLOADS[kind], "provenance": st.one_of(USUAL, USUAL, USUAL, PROVENANCE)},
        optional={
            "id": st.sampled_from(["e1", "e2", "e3", "e4", "", 5]),
            "agentId": st.sampled_from(["a1", "a2", "", 7]),
            "timestamp": ODD,
            "extra": ODD,
        },
    )


_OFTEN = ("tool.execution_start", "tool.execution_complete", "mcp.rpc.request", "mcp.rpc.response", "mcp.tool_call")
EVENTS: st.SearchStrategy[Event] = st.sampled_from([*_OFTEN * 6, *PAYLOADS]).flatmap(_event)
SESSIONS = st.lists(EVENTS, max_size=14)


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
    b"[" * 100_000,
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
