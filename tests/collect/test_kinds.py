"""Which event a flat record is."""

from typing import Any

import pytest

from opvalue.collect.kinds import firewall_kind, mcp_kind


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"type": "REQUEST"}, "mcp.rpc.request"),
        ({"event": "rpc_request"}, "mcp.rpc.request"),
        ({"type": "RESPONSE"}, "mcp.rpc.response"),
        ({"event_name": "rpc_response"}, "mcp.rpc.response"),
        ({"type": "DIFC_FILTERED"}, "mcp.difc.filtered"),
        ({"eventName": "difc_filtered"}, "mcp.difc.filtered"),
        ({"type": "GUARD_POLICY_BLOCKED"}, "mcp.guard.blocked"),
        ({"event": "tool_call"}, "mcp.tool_call"),
        ({"event": "rpc_call"}, "mcp.tool_call"),
        ({"event": "retry", "type": "REQUEST"}, "mcp.event"),
        ({"event": None, "type": "REQUEST"}, "mcp.rpc.request"),
        ({"event": "__proto__"}, "mcp.event"),
        ({"event": "constructor"}, "mcp.event"),
        ({"event": ["REQUEST"]}, "mcp.event"),
        ({"event": "request"}, "mcp.event"),
        ({}, "mcp.event"),
    ],
)
def test_a_gateways_record(record: Any, expected: str) -> None:
    assert mcp_kind(record) == expected


@pytest.mark.parametrize(
    ("record", "name", "expected"),
    [
        ({"event": "http_access"}, "a.jsonl", "firewall.http_access"),
        ({"decision": "TCP_DENIED"}, "a.jsonl", "firewall.http_access"),
        ({"event": "else", "decision": "x"}, "a.jsonl", "firewall.http_access"),
        ({"squid_request_status": "TCP_TUNNEL"}, "audit.jsonl", "firewall.http_access"),
        ({"event": "token_usage", "decision": "x"}, "a.jsonl", "firewall.token_usage"),
        ({"type": "model_routing"}, "a.jsonl", "firewall.model_routing"),
        ({"event": "token_steering"}, "a.jsonl", "firewall.steering"),
        ({"event": "timeout_steering"}, "a.jsonl", "firewall.steering"),
        ({"input_tokens": 0}, "token-usage.jsonl", "firewall.token_usage"),
        ({"usage": {}}, "token_usage.jsonl", "firewall.token_usage"),
        ({"input_tokens": 0}, "other.jsonl", "firewall.event"),
        ({"event": "else", "input_tokens": 0}, "token-usage.jsonl", "firewall.event"),
        ({"status": 200}, "token-usage.jsonl", "firewall.event"),
        ({"event": "__proto__"}, "a.jsonl", "firewall.event"),
    ],
)
def test_a_firewalls_record(record: Any, name: str, expected: str) -> None:
    assert firewall_kind(record, name) == expected
