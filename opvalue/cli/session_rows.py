"""An event as a row that a person can read. Nothing is printed here."""

from collections.abc import Callable
from typing import Final, NamedTuple

from opvalue.cli.times import duration
from opvalue.session.vocabulary import COLLECTION, WARNING
from opvalue.strictjson import JsonObject, JsonValue, dumps_compact, is_number

_USUAL: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("agent", "mcp", "firewall", "usage", "execution", "github_api", "guardrail"), ("agent",)),
    **dict.fromkeys(("workflow", "prompt", "experiment"), ("activation",)),
    **dict.fromkeys(("collector", "grader"), ("conclusion",)),
    "safe_output": ("agent", "safe_outputs"),
    "eval": ("evals",),
    "detection": ("detection",),
}
_TEXT: Final = 400
"""Characters of one value that are looked at; a row shows fewer."""


class Row(NamedTuple):
    """One event."""

    number: int
    """From 1, in the order of the file."""
    milliseconds: int | float | None
    """When it happened; ``None`` where that is not known."""
    type: str
    where: str
    """The component; its phase too where that is not the one such events are usually of."""
    summary: str


def row(number: int, event: JsonObject) -> Row:
    """Return the row of an event, whatever is missing in it."""
    provenance = _object(event.get("provenance"))
    moment = provenance.get("timestampMs")
    kind = _text(event.get("type"))
    data = _object(event.get("data"))
    summary = _SUMMARIES.get(kind, _SUMMARIES.get(kind.rpartition(".")[0], _whole))(data)
    return Row(number, moment if is_number(moment) else None, kind, _where(provenance), summary)


def _where(provenance: JsonObject) -> str:
    component, phase = _text(provenance.get("component")), _text(provenance.get("phase"))
    return component if phase in _USUAL.get(component, ()) else f"{component}/{phase}"


def _call(data: JsonObject) -> str:
    arguments = data.get("input", data.get("command"))
    return _words(_tool(data), _id(data), _text(arguments) if arguments is not None else "")


def _completion(data: JsonObject) -> str:
    outcome = "failed" if _failed(data) else "ok" if data.get("success") is True else "outcome unknown"
    said = data.get("error") if data.get("error") is not None else data.get("output", "")
    return _words(_tool(data), _id(data), outcome, _took(data), _text(said))


def _failed(data: JsonObject) -> bool:
    code = data.get("exitCode")
    said = data.get("success") is False or data.get("isError") is True or data.get("error") is not None
    return said or data.get("status") in ("failed", "failure", "error") or (is_number(code) and code != 0)


def _gateway(data: JsonObject) -> str:
    error = data.get("error")
    named = _words(_text(data.get("serverName", "")), _text(data.get("toolName", data.get("method", ""))))
    return _words(
        named, _took(data), f"error {_text(error)}" if error is not None else "", _text(data.get("reason", ""))
    )


def _tokens(data: JsonObject) -> str:
    usage = _object(data.get("usage"))
    counted = (("in", "inputTokens"), ("out", "outputTokens"), ("total", "totalTokens"))
    return _words(
        _text(data.get("model", "")),
        *(f"{word} {_text(usage[name])}" for word, name in counted if name in usage),
        _took(data),
    )


def _message(data: JsonObject) -> str:
    content = data.get("content", data.get("deltaContent", data.get("summary", "")))
    if isinstance(content, list):
        parts = [_object(part).get("text", part) for part in content[:3]]
        return _words(*map(_text, parts))
    return _text(content)


def _graders(data: JsonObject) -> str:
    results = data.get("results", data.get("graders"))
    listed = results if isinstance(results, list) else []
    return f"{len(listed)} graders: " + ", ".join(_grade(_object(one)) for one in listed[:20])


def _grade(one: JsonObject) -> str:
    return _words(_text(one.get("id", "")), _text(one["value"]) if "value" in one else "", _text(one.get("status", "")))


def _collection(data: JsonObject) -> str:
    sources, absent = data.get("sources"), data.get("absentComponents")
    count = len(sources) if isinstance(sources, list) else 0
    missing = ", ".join(map(_text, absent)) if isinstance(absent, list) and absent else "nothing"
    logs, warnings = _counted(count, "log"), _counted(data.get("warnings", 0), "warning")
    return f"{logs}, {warnings}, absent: {missing}"


def _counted(count: JsonValue, noun: str) -> str:
    return f"{_text(count)} {noun}{'' if count == 1 else 's'}"


def _fields(*names: str) -> Callable[[JsonObject], str]:
    return lambda data: _words(*(_text(data[name]) for name in names if data.get(name) is not None))


def _whole(data: JsonObject) -> str:
    return _words(*(f"{name}={_text(value)}" for name, value in list(data.items())[:8]))


_SUMMARIES: Final[dict[str, Callable[[JsonObject], str]]] = {
    "tool.execution_start": _call,
    "tool.execution_complete": _completion,
    "mcp": _gateway,
    "mcp.rpc": _gateway,
    "mcp.guard": _gateway,
    "mcp.difc": _gateway,
    "mcp.event": _fields("event", "message", "reason"),
    "firewall.token_usage": _tokens,
    "usage.report": _tokens,
    "firewall.http_access": _fields("decision", "method", "host", "status"),
    "user.message": _message,
    "assistant.message": _message,
    "assistant": _message,
    "system.message": _message,
    "session.task_complete": _message,
    "prompt": _message,
    "safe_output": _fields("type", "status", "url", "number", "message", "error"),
    "eval.result": _fields("id", "answer", "error"),
    "grader.manifest": _graders,
    "grader.result": _graders,
    COLLECTION: _collection,
    WARNING: _fields("code", "path", "line"),
}
"""By type, else by what stands before its last dot."""


def _tool(data: JsonObject) -> str:
    return _words(_text(data.get("mcpServerName", "")), _text(data.get("toolName", "")))


def _id(data: JsonObject) -> str:
    return f"#{_text(data['toolCallId'])}" if data.get("toolCallId") is not None else ""


def _took(data: JsonObject) -> str:
    taken = data.get("durationMs")
    return duration(taken) if is_number(taken) else ""


def _words(*words: str) -> str:
    return " ".join(word for word in words if word)


def _text(value: JsonValue) -> str:
    if isinstance(value, str):
        return " ".join(value[:_TEXT].split())
    return "" if value is None else dumps_compact(value)[:_TEXT]


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
