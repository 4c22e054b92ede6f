"""Canonical events of made-up sessions, one function a kind."""

import itertools
from typing import Any

Event = dict[str, Any]

_numbers = itertools.count()


def event(kind: str, data: Event, component: str, phase: str = "agent", path: str = "x.jsonl") -> Event:
    """Return an event; its index is unique in the process, since nothing depends on it."""
    provenance = {"component": component, "phase": phase, "path": path, "index": next(_numbers)}
    return {"type": kind, "data": data, "provenance": provenance}


def start(name: str | None, call: str | None = None, input: Any = None, **more: Any) -> Event:  # noqa: A002 - the field's name
    """Return the start of a native tool call."""
    data = {"toolCallId": call, "toolName": name, "input": input, **more}
    return event("tool.execution_start", {key: value for key, value in data.items() if value is not None}, "agent")


def complete(name: str | None = None, call: str | None = None, **more: Any) -> Event:
    """Return the completion of a native tool call."""
    data = {"toolCallId": call, "toolName": name, **more}
    return event("tool.execution_complete", {key: value for key, value in data.items() if value is not None}, "agent")


def called(name: str, *, input: Any = None, success: bool = True, call: str | None = None) -> list[Event]:  # noqa: A002
    """Return a whole native call; its id is unique unless given."""
    call = call or f"c{next(_numbers)}"
    return [start(name, call, input), complete(name, call, success=success)]


def gateway(name: str, server: str = "github", **more: Any) -> Event:
    """Return a tool call as the gateway saw it."""
    data = {"serverName": server, "direction": "OUT", "method": "tools/call", "toolName": name, **more}
    return event("mcp.rpc.request", data, "mcp", path="mcp-logs/rpc-messages.jsonl")


def mcp(**data: Any) -> Event:
    """Return an event of the gateway that is no call."""
    return event("mcp.event", data, "mcp", path="mcp-logs/gateway.jsonl")


def request(input_tokens: Any = None, output_tokens: Any = None, *, duration: Any = None, **usage: Any) -> Event:
    """Return a model request as the proxy saw it, with a request id of its own."""
    tokens = {"inputTokens": input_tokens, "outputTokens": output_tokens, **usage}
    data = {
        "requestId": f"r{next(_numbers)}",
        "durationMs": duration,
        "usage": {key: value for key, value in tokens.items() if value is not None},
    }
    return event("firewall.token_usage", {key: value for key, value in data.items() if value is not None}, "firewall")


def safe_output(**data: Any) -> Event:
    """Return a safe output that was carried out."""
    return event("safe_output.result", {"type": "create_issue", **data}, "safe_output", "safe_outputs")


def collection(*absent: str) -> Event:
    """Return the collector's last record."""
    data = {"sources": [], "warnings": 0, "untimedEvents": 0, "absentComponents": list(absent)}
    return event("session.collection", data, "collector", "conclusion", "usage/aw_session.jsonl")
