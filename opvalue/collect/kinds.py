"""Which event a record of a gateway, a firewall or another producer is (reference 1.4), as data.

The name of a record's kind is the first of ``event``, ``type``, ``event_name``, ``eventName`` that is there and not
null. A name outside the tables, such as ``__proto__``, is no kind: the record is an ``mcp.event`` or a
``firewall.event``, carried by its own words.
"""

from collections.abc import Mapping
from typing import Final

from opvalue.collect.fields import token_fields
from opvalue.strictjson import JsonObject

MCP: Final = {
    "REQUEST": "mcp.rpc.request",
    "rpc_request": "mcp.rpc.request",
    "RESPONSE": "mcp.rpc.response",
    "rpc_response": "mcp.rpc.response",
    "DIFC_FILTERED": "mcp.difc.filtered",
    "difc_filtered": "mcp.difc.filtered",
    "GUARD_POLICY_BLOCKED": "mcp.guard.blocked",
    "tool_call": "mcp.tool_call",
    "rpc_call": "mcp.tool_call",
}
FIREWALL: Final = {
    "http_access": "firewall.http_access",
    "token_usage": "firewall.token_usage",
    "model_routing": "firewall.model_routing",
    "token_steering": "firewall.steering",
    "timeout_steering": "firewall.steering",
}
PI: Final = {
    "session": "session.start",
    "turn_start": "assistant.turn_start",
    "turn_end": "assistant.turn_end",
    "tool_execution_start": "tool.execution_start",
    "tool_execution_end": "tool.execution_complete",
}
"""Undotted records of ``pi-streaming.jsonl``."""

TOKEN_LOGS: Final = ("token-usage.jsonl", "token_usage.jsonl")
"""Names of the proxy's own log of requests, whose records state no kind."""

_NAMES: Final = ("event", "type", "event_name", "eventName")


def mcp_kind(record: JsonObject) -> str:
    """Return the type of a gateway's record."""
    return _named(record, MCP) or "mcp.event"


def firewall_kind(record: JsonObject, file_name: str) -> str:
    """Return the type of a record that lies in the firewall's file ``file_name``."""
    named = _named(record, FIREWALL)
    if named is not None:
        return named
    if "decision" in record or "squid_request_status" in record:
        return "firewall.http_access"
    if file_name in TOKEN_LOGS and _name(record) is None and token_fields(record):
        return "firewall.token_usage"
    return "firewall.event"


def _named(record: JsonObject, kinds: Mapping[str, str]) -> str | None:
    name = _name(record)
    return kinds.get(name) if isinstance(name, str) else None


def _name(record: JsonObject) -> object:
    return next((record[key] for key in _NAMES if record.get(key) is not None), None)
