"""Single events of a session, with as much said as a test needs."""

from typing import Any

Event = dict[str, Any]


def event(kind: str, data: Event | None = None, *, at: float | None = None, **more: Any) -> Event:
    component = kind.split(".", maxsplit=1)[0]
    where: Event = {"component": component, "phase": "agent", "path": f"{component}.jsonl", "index": 0}
    where |= {name: more.pop(name) for name in ("component", "phase", "path") if name in more}
    if at is not None:
        where["timestampMs"] = at
    return {"type": kind, **more, "data": data or {}, "provenance": where}


def start(name: str = "bash", id_: str | None = None, *, at: float | None = None, **data: Any) -> Event:
    envelope = {key: data.pop(key) for key in ("phase", "path", "agentId", "id") if key in data}
    called = {"toolName": name} | ({} if id_ is None else {"toolCallId": id_}) | data
    return event("tool.execution_start", called, at=at, component="agent", **({"path": "a.jsonl"} | envelope))


def done(name: str | None = None, id_: str | None = None, *, at: float | None = None, **data: Any) -> Event:
    envelope = {key: data.pop(key) for key in ("phase", "path", "agentId", "id") if key in data}
    ended = {"success": True} | ({"toolName": name} if name else {}) | ({"toolCallId": id_} if id_ else {}) | data
    return event("tool.execution_complete", ended, at=at, component="agent", **({"path": "a.jsonl"} | envelope))


def asked(name: str, rpc: Any = 1, *, at: float | None = None, server: str | None = "github", **data: Any) -> Event:
    record = {"serverName": server, "rpcId": rpc, "method": "tools/call", "toolName": name} | data
    return event("mcp.rpc.request", record, at=at)


def answered(rpc: Any = 1, *, at: float | None = None, server: str = "github", **data: Any) -> Event:
    return event("mcp.rpc.response", {"serverName": server, "rpcId": rpc} | data, at=at)


def row(id_: str | None, input_: Any = 100, output: Any = 50, *, at: float | None = None, **data: Any) -> Event:
    usage = {"inputTokens": input_, "outputTokens": output} | data.pop("usage", {})
    where = {key: data.pop(key) for key in ("path", "phase") if key in data}
    record = {"durationMs": 10, "usage": usage} | ({"requestId": id_} if id_ else {}) | data
    return event("firewall.token_usage", record, at=at, **where)
