"""An event as a row."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.cli.session_rows import Row, row
from opvalue.session.vocabulary import TYPES


def summary(kind: str, data: Any) -> str:
    return row(1, {"type": kind, "data": data}).summary


def test_a_row() -> None:
    event: Any = {
        "type": "prompt.user",
        "data": {"content": "a\n\tb"},
        "provenance": {"component": "prompt", "phase": "activation", "timestampMs": 5},
    }
    assert row(7, event) == Row(7, 5, "prompt.user", "prompt", "a b")
    event["provenance"] = {"component": "firewall", "phase": "detection", "timestampMs": "5"}
    assert row(7, event) == Row(7, None, "prompt.user", "firewall/detection", "a b")


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("tool.execution_start", {"toolName": "bash", "toolCallId": "c1", "command": "ls"}, "bash #c1 ls"),
        ("tool.execution_start", {"toolName": "x", "mcpServerName": "s", "input": {"a": 1}}, 's x {"a":1}'),
        ("tool.execution_start", {}, ""),
        ("tool.execution_complete", {"success": True, "durationMs": 5, "output": "done"}, "ok 5 ms done"),
        ("tool.execution_complete", {"success": True, "isError": True}, "failed"),
        ("tool.execution_complete", {"success": True, "exitCode": 1}, "failed"),
        ("tool.execution_complete", {"status": "error", "exitCode": 0}, "failed"),
        ("tool.execution_complete", {"error": {"message": "m"}, "toolName": "t"}, 't failed {"message":"m"}'),
        ("tool.execution_complete", {"status": "completed"}, "outcome unknown"),
        ("mcp.rpc.request", {"serverName": "github", "method": "initialize"}, "github initialize"),
        (
            "mcp.rpc.response",
            {"serverName": "s", "toolName": "t", "durationMs": 2, "error": {"code": 1}},
            's t 2 ms error {"code":1}',
        ),
        ("mcp.guard.blocked", {"toolName": "t", "reason": "not allowed"}, "t not allowed"),
        ("mcp.event", {"event": "retry", "message": "retrying"}, "retry retrying"),
        ("firewall.http_access", {"host": "h", "status": 403, "decision": "TCP_DENIED"}, "TCP_DENIED h 403"),
        ("firewall.token_usage", {"model": "m", "usage": {"inputTokens": 0, "outputTokens": 2}}, "m in 0 out 2"),
        ("usage.report", {"usage": 5}, ""),
        ("assistant.message", {"content": [{"type": "text", "text": "hi"}, {"type": "image"}]}, 'hi {"type":"image"}'),
        ("assistant.message_delta", {"deltaContent": "hi"}, "hi"),
        ("assistant.turn_start", {"turnId": 1}, ""),
        ("safe_output.result", {"type": "create_issue", "url": "https://x"}, "create_issue https://x"),
        ("eval.result", {"id": "q1", "answer": "YES"}, "q1 YES"),
        ("grader.result", {"results": [{"id": "loops", "value": 0, "status": "pass"}, 5]}, "2 graders: loops 0 pass, "),
        ("grader.manifest", {"graders": None}, "0 graders: "),
        (
            "session.collection",
            {"sources": [{}], "warnings": 2, "absentComponents": []},
            "1 log, 2 warnings, absent: nothing",
        ),
        ("session.collection", {"absentComponents": ["mcp"]}, "0 logs, 0 warnings, absent: mcp"),
        (
            "session.collection_warning",
            {"path": "a.jsonl", "code": "malformed_jsonl", "line": 4},
            "malformed_jsonl a.jsonl 4",
        ),
        ("own.kind", {"a": 1, "b": None, "c": "x y"}, "a=1 b= c=x y"),
    ],
)
def test_summaries(kind: str, data: Any, expected: str) -> None:
    assert summary(kind, data) == expected


def test_a_long_value_is_cut() -> None:
    assert len(summary("own.kind", {"a": "x" * 10_000})) < 500


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["input", "content", "usage", "error", "results"]), inner)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(TYPES)), _VALUES, _VALUES)
def test_no_event_is_too_odd(kind: str, data: Any, provenance: Any) -> None:
    assert "\n" not in row(1, {"type": kind, "data": data, "provenance": provenance}).summary
    assert row(1, {"type": data, "data": data}).milliseconds is None
