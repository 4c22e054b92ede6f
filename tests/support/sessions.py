"""Made-up sessions of any size, deterministic: what an agent, its gateway, firewall and safe outputs leave behind.

``events`` yields canonical events in canonical order; a seed decides everything. About 440 bytes an event as
written by ``lines``, one in six of them a tool start, one in fifty a model request.
"""

import json
import random
from collections.abc import Iterator
from typing import Any, Final

Event = dict[str, Any]

_START: Final = 1_793_613_600_000
_WORDS: Final = [
    "the",
    "a",
    "to",
    "of",
    "and",
    "in",
    "is",
    "for",
    "it",
    "that",
    "with",
    "as",
    "on",
    "this",
    "by",
    "file",
    "test",
    "run",
    "error",
    "value",
    "line",
    "return",
    "name",
    "key",
    "list",
    "issue",
    "label",
    "branch",
    "commit",
    "review",
    "change",
    "request",
    "check",
    "build",
    "step",
    "path",
    "token",
    "number",
    "result",
    "found",
    "3e12",
    "café",
    "naïve",
    "def",
    "class",
    "import",
    "self",
    "None",
    "True",
    "assert",
]
_MCP: Final = (
    ("github", "search_code"),
    ("github", "list_issues"),
    ("github", "get_file_contents"),
    ("safeoutputs", "add_comment"),
    ("playwright", "browser_navigate"),
)
_OWN: Final = ("bash", "view", "edit", "grep")


class Session:
    """One run's events, turn by turn."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)  # noqa: S311 - repeatable
        self._now = _START
        self._index: dict[str, int] = {}
        self._call = 0
        self._text = " ".join(self._random.choices(_WORDS, k=4000))

    def head(self) -> Iterator[Event]:
        """Yield what stands before the first turn."""
        yield {"type": "session.format", "data": {"version": 1}, "provenance": self._at("collector", None)}
        data = {"engine": "copilot", "workflow": "Issue Triage", "repository": "acme/widgets", "runId": "123456"}
        yield self._timed("workflow.info", data, "workflow", "activation", "aw_info.json")
        yield self._agent("session.start", {"sourceEngine": "copilot", "sessionId": "s-1", "model": "m-1"})

    def turn(self) -> Iterator[Event]:
        """Yield one turn: a model request, what was said, a few tool calls, what the firewall saw."""
        yield self._agent("assistant.turn_start", {"turnId": str(self._call), "model": "m-1"})
        yield self._request()
        yield self._access()
        yield self._agent("assistant.reasoning", {"content": self._words(250), "messageId": f"r{self._call}"})
        yield self._agent("assistant.message", {"content": self._words(500), "messageId": f"m{self._call}"})
        for _ in range(self._random.randint(1, 4)):
            yield from self._tool()
        if self._random.random() < 0.1:
            yield self._event()
        yield self._agent("assistant.turn_end", {"turnId": str(self._call)})

    def tail(self) -> Iterator[Event]:
        """Yield what stands behind the last turn, the untimed records last."""
        result = {"numTurns": 12, "durationMs": self._now - _START, "status": "success", "usage": {"totalTokens": 9}}
        yield self._agent("session.result", result)
        for number in range(3):
            data = {"type": "add_comment", "repo": "acme/widgets", "number": number, "status": "created"}
            yield self._timed("safe_output.result", data, "safe_output", "safe_outputs", "safe-output-items.jsonl")
        for question, answer in (("q1", "YES"), ("q2", "no")):
            where = self._at("eval", None, "evals", "evals/evals.jsonl")
            yield {"type": "eval.result", "data": {"id": question, "answer": answer}, "provenance": where}
        yield {
            "type": "session.collection",
            "data": {"sources": self._sources(), "warnings": 0, "untimedEvents": 4, "absentComponents": ["experiment"]},
            "provenance": self._at("collector", None),
        }

    def _request(self) -> Event:
        usage = {"inputTokens": self._random.randint(2_000, 90_000), "outputTokens": self._random.randint(20, 900)}
        usage |= {"cacheReadInputTokens": self._random.randint(0, 2_000), "inputTokensIncludeCache": True}
        data = {"provider": "p", "model": "m-1", "requestId": self._id(), "status": 200}
        data |= {"durationMs": self._random.randint(300, 9_000), "usage": usage}
        path = "sandbox/firewall/logs/api-proxy-logs/token-usage.jsonl"
        return self._timed("firewall.token_usage", data, "firewall", "agent", path)

    def _access(self) -> Event:
        data = {"host": "api.example.test:443", "method": "CONNECT", "status": 200, "decision": "TCP_TUNNEL"}
        return self._timed("firewall.http_access", data, "firewall", "agent", "sandbox/firewall/logs/audit.jsonl")

    def _tool(self) -> Iterator[Event]:
        self._call += 1
        call = f"call_{self._id()}"
        through = self._random.random() < 0.5
        server, name = self._random.choice(_MCP) if through else ("", self._random.choice(_OWN))
        start = {"toolCallId": call, "toolName": name, "input": self._arguments(name)}
        yield self._agent("tool.execution_start", start | ({"mcpServerName": server} if server else {}))
        if server:
            yield from self._gateway(server, name)
        failed = self._random.random() < 0.07
        done: Event = {"toolCallId": call, "toolName": name, "success": not failed}
        done |= {"error": {"message": self._words(60)}} if failed else {"output": self._words(500)}
        yield self._agent("tool.execution_complete", done)

    def _gateway(self, server: str, name: str) -> Iterator[Event]:
        path = f"mcp-logs/{server}/rpc-messages.jsonl"
        data = {"serverName": server, "rpcId": self._call, "method": "tools/call", "toolName": name, "inputSize": 80}
        yield self._timed("mcp.rpc.request", data | {"direction": "OUT"}, "mcp", "agent", path)
        data = {"serverName": server, "rpcId": self._call, "direction": "IN", "outputSize": 900, "status": "ok"}
        yield self._timed("mcp.rpc.response", data, "mcp", "agent", path)

    def _event(self) -> Event:
        words = ("Retrying request after a timeout", "retry") if self._random.random() < 0.3 else ("Connected", "log")
        data = {"event": words[1], "level": "info", "message": words[0]}
        return self._timed("mcp.event", data, "mcp", "agent", "mcp-logs/gateway.jsonl")

    def _arguments(self, name: str) -> Event:
        if name == "bash":
            return {"command": self._words(50), "timeout": 30}
        return {"path": f"src/{self._random.randint(0, 2)}.py", "query": self._random.choice(_WORDS[:3]), "limit": 20}

    def _agent(self, kind: str, data: Event) -> Event:
        return self._timed(kind, data, "agent", "agent", "agent-session.jsonl", id_=self._id())

    def _timed(self, kind: str, data: Event, component: str, phase: str, path: str, *, id_: str | None = None) -> Event:
        self._now += self._random.randint(0, 400)
        event: Event = {"type": kind} | ({"id": id_} if id_ else {})
        event["timestamp"] = self._now
        return event | {"data": data, "provenance": self._at(component, self._now, phase, path)}

    def _at(
        self, component: str, now: int | None, phase: str = "conclusion", path: str = "usage/aw_session.jsonl"
    ) -> Event:
        index = self._index.get(path, 0)
        self._index[path] = index + 1
        where: Event = {"component": component, "phase": phase, "path": path, "index": index}
        return where if now is None else where | {"timestampMs": now}

    def _sources(self) -> list[Event]:
        return [{"component": "agent", "phase": "agent", "path": path, "events": 1} for path in sorted(self._index)]

    def _words(self, characters: int) -> str:
        start = self._random.randrange(len(self._text) - characters)
        return self._text[start : start + characters].replace(" def ", "\n    ")

    def _id(self) -> str:
        return f"{self._random.getrandbits(96):024x}"


def events(count: int, seed: int = 0) -> Iterator[Event]:
    """Yield ``count`` events or a few more: whole turns, then the tail."""
    session = Session(seed)
    made = 0
    for event in session.head():
        made += 1
        yield event
    while made < count - 7:
        for event in session.turn():
            made += 1
            yield event
    yield from session.tail()


def line(event: Event) -> bytes:
    """Return an event as one line of the session file."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def lines(count: int, seed: int = 0) -> Iterator[bytes]:
    """Yield the session file of ``events`` line by line."""
    return map(line, events(count, seed))
