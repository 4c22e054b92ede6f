"""What of a payload is kept."""

import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.collect.fields import FIELDS, USAGE, project
from opvalue.collect.kinds import FIREWALL, MCP, PI
from opvalue.collect.sources import RECORDS
from opvalue.session.vocabulary import TYPES

if TYPE_CHECKING:
    from opvalue.strictjson import JsonObject

_CORRELATION = ["sessionId", "agentId", "parentAgentId", "parentToolUseId", "model", "apiCallId", "interactionId"]


def test_every_type_has_its_place_in_the_vocabulary() -> None:
    assert set(FIELDS) == TYPES - {"session.format", "session.collection_warning", "session.collection"}
    used = {*MCP.values(), *FIREWALL.values(), *PI.values(), *(records.type for records in RECORDS)}
    assert used <= TYPES


@pytest.mark.parametrize(
    ("kind", "data", "kept"),
    [
        (
            "session.start",
            {"selectedModel": "m", "session_id": None, "cwd": "/", "more": 1},
            {"model": "m", "sessionId": None, "cwd": "/"},
        ),
        (
            "tool.execution_start",
            {"tool_use_id": "1", "tool_name": "x", "parameters": None, "arguments": {"a": 1}},
            {"toolCallId": "1", "toolName": "x", "input": None},
        ),
        ("tool.execution_start", {"input": 0, "parameters": {"a": 1}, "command": ""}, {"input": 0, "command": ""}),
        (
            "tool.execution_complete",
            {"toolCallId": "", "tool_call_id": "1", "success": False, "duration_ms": 0, "exit_code": 1},
            {"toolCallId": "", "success": False, "durationMs": 0, "exitCode": 1},
        ),
        ("tool.execution_complete", {"result": {"isError": True}}, {"output": {"isError": True}, "isError": True}),
        (
            "tool.execution_complete",
            {"output": {"is_error": True}, "is_error": False},
            {"output": {"is_error": True}, "isError": True},
        ),
        ("tool.execution_complete", {"output": {"isError": "yes"}}, {"output": {"isError": "yes"}}),
        ("assistant.message", {"message_id": "1", "content": []}, {"messageId": "1", "content": []}),
        (
            "mcp.rpc.request",
            {"payload": {"id": 0, "method": "m", "params": {"name": "t", "arguments": {}}}},
            {"rpcId": 0, "method": "m", "toolName": "t"},
        ),
        ("mcp.rpc.request", {"rpcId": None, "payload": {"id": 5}, "retry": True}, {"rpcId": None}),
        ("mcp.rpc.request", {"payload": "text"}, {}),
        (
            "mcp.rpc.response",
            {"server_id": "s", "duration": 3, "error": {"code": 1, "message": "m", "data": "x"}},
            {"serverName": "s", "durationMs": 3, "error": {"code": 1, "message": "m"}},
        ),
        ("mcp.rpc.response", {"payload": {"error": {"code": -1, "stack": "x"}}}, {"error": {"code": -1}}),
        ("mcp.rpc.response", {"error": "text", "payload": {"error": {}}}, {"error": "text"}),
        (
            "mcp.event",
            {"type": "retry", "message": "retrying", "rid": 7},
            {"event": "retry", "message": "retrying", "requestId": 7},
        ),
        (
            "firewall.http_access",
            {"domain": "h", "http_status": 403, "squid_request_status": "TCP_DENIED"},
            {"host": "h", "status": 403, "decision": "TCP_DENIED"},
        ),
        (
            "firewall.token_usage",
            {"request_id": "r", "usage": {"input_tokens": 1, "more": 2}, "output_tokens": 9},
            {"requestId": "r", "usage": {"inputTokens": 1}},
        ),
        (
            "firewall.token_usage",
            {
                "input_tokens": 1,
                "output_tokens": 2,
                "reasoning_tokens": 3,
                "cache_read_tokens": 4,
                "cache_write_tokens": 5,
            },
            {
                "usage": {
                    "inputTokens": 1,
                    "outputTokens": 2,
                    "reasoningOutputTokens": 3,
                    "cacheReadInputTokens": 4,
                    "cacheCreationInputTokens": 5,
                }
            },
        ),
        ("firewall.token_usage", {"model": "m", "cached": 5}, {"model": "m"}),
        ("usage.report", {"aic": 0, "input_tokens": 0}, {"aic": 0, "usage": {"inputTokens": 0}}),
        ("session.result", {"usage": None, "numTurns": 3}, {"numTurns": 3, "usage": None}),
        ("session.result", {"usage": {"input_tokens": 4, "x": 1}}, {"usage": {"inputTokens": 4}}),
        ("safe_output.error", {"failures": ["f"], "error_code": "E"}, {"errorCode": "E", "errors": ["f"]}),
        ("safe_output.result", {"type": "t", "failures": ["f"]}, {"type": "t"}),
        ("experiment.assignment", {"assignments": {"a": "b"}, "more": 1}, {"assignments": {"a": "b"}}),
        ("experiment.assignment", {"a": "b"}, {"assignments": {"a": "b"}}),
        (
            "grader.manifest",
            {"version": 1, "graders": [{"id": "loops", "description": "d", "min": 0}, 5]},
            {"graders": [{"id": "loops"}]},
        ),
        (
            "grader.result",
            {"results": [{"id": "loops", "value": None, "details": "d"}], "id": "top", "message": "m"},
            {"results": [{"id": "loops", "value": None}], "id": "top"},
        ),
        ("grader.result", {"results": "text"}, {"results": "text"}),
        ("own.kind", {"any": {"thing": 1}}, {"any": {"thing": 1}}),
    ],
)
def test_projection(kind: str, data: Any, kept: Any) -> None:
    before = copy.deepcopy(data)
    assert project(kind, data) == kept
    assert data == before
    assert project(kind, kept) == kept


def test_the_message_around_a_payload_has_its_id() -> None:
    event: JsonObject = {"message": {"id": "m1"}, "data": {}}
    assert project("user.message", {}, event) == {"messageId": "m1"}
    assert project("user.message", {"messageId": "own"}, event) == {"messageId": "own"}
    assert project("user.message", {}, {"message": "text"}) == {}


def test_keys_come_in_the_order_of_the_table() -> None:
    data: JsonObject = dict.fromkeys([*_CORRELATION, "command", "input", "toolName", "toolCallId"], 1)
    assert list(project("tool.execution_start", data)) == ["toolCallId", "toolName", "input", "command", *_CORRELATION]


_NAMES = sorted(
    {
        name.split(".")[0].lstrip("^")
        for fields in (*FIELDS.values(), USAGE)
        for field in fields
        for name in field.split(" ")
    }
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(FIELDS)), st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=6))
def test_twice_is_once(kind: str, data: Any) -> None:
    before = copy.deepcopy(data)
    once = project(kind, data)
    assert project(kind, once) == once
    assert data == before


def test_names_in_depth_come_last() -> None:
    for field in {field for fields in (*FIELDS.values(), USAGE) for field in fields}:
        depth = [not name.isidentifier() for name in field.split(" ")]
        assert depth == sorted(depth), field
