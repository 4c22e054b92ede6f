"""The raw logs of one made-up run, as ``docs/sessions.md`` shows what becomes of them."""

import json
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def put(folder: Path) -> None:
    """Write the logs of the run to ``folder``."""
    _write(folder / "aw_info.json", _INFO)
    _write(folder / "agent-session.jsonl", *_session())
    _write(folder / "mcp-logs" / "rpc-messages.jsonl", *_gateway())
    _write(folder / "mcp-logs" / "gateway.jsonl", _RETRY)
    _write(folder / "sandbox" / "firewall" / "logs" / "token-usage.jsonl", *map(_request, range(4)))
    _write(folder / "safe-output-items.jsonl", _RESULT)
    with (folder / "mcp-logs" / "rpc-messages.jsonl").open("a") as file:
        file.write('{"type":"rpc_resp\n')


def _write(path: Path, *records: Record) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))


def _at(seconds: int) -> str:
    return f"2026-11-02T10:00:{seconds:02}Z"


def _call(number: int, begins: int, ends: int | None, tool: str, given: Record, **more: Any) -> list[Record]:
    data = {"toolCallId": f"c{number}", "toolName": tool, "input": given}
    start = {"type": "tool.execution_start", "timestamp": _at(begins), "data": data}
    if ends is None:
        return [start]
    outcome = {"toolCallId": f"c{number}", "success": True} | more
    return [start, {"type": "tool.execution_complete", "timestamp": _at(ends), "data": outcome}]


def _session() -> list[Record]:
    command = {"command": "grep -rn label: .github"}
    return [
        {"type": "session.start", "timestamp": _at(0), "data": {"sessionId": "s1", "model": "m-1"}},
        {"type": "user.message", "timestamp": _at(1), "data": {"content": "Triage the open issues."}},
        *_call(1, 2, 6, "list_issues", {"state": "open"}),
        *_call(2, 8, 12, "view", {"path": "README.md"}),
        *_call(3, 14, 18, "view", {"path": "README.md"}),
        *_call(4, 20, 24, "bash", command, success=False, error={"message": "exit 2"}),
        *_call(5, 26, 30, "add_labels", {"number": 17, "labels": ["bug"]}),
        *_call(6, 40, None, "bash", {"command": "sleep 1000"}),
        {"type": "session.result", "timestamp": _at(59), "data": {"numTurns": 4, "durationMs": 59_000}},
    ]


def _gateway() -> list[Record]:
    payload = {"id": 1, "method": "tools/call", "params": {"name": "list_issues"}}
    return [
        {"timestamp": _at(3), "type": "rpc_request", "server_id": "github", "payload": payload},
        {"timestamp": _at(5), "type": "rpc_response", "server_id": "github", "payload": {"id": 1}},
    ]


def _request(number: int) -> Record:
    tokens = {"input_tokens": 1000 * number + 900, "output_tokens": 100}
    return {"timestamp": _at(10 * number + 1), "request_id": f"r{number}", "duration_ms": 2100 + number, **tokens}


_INFO: Record = {"engine_id": "copilot", "repository": "acme/widgets", "run_id": 123456, "run_attempt": 1}
_RETRY: Record = {"timestamp": _at(4), "event": "retry", "message": "Retrying request", "server_name": "github"}
_RESULT: Record = {"type": "add_labels", "number": 17, "repo": "acme/widgets"}
