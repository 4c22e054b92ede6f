"""What an event of a session shows of the trajectory: a small record in place of an event of any size.

Read are the main agent's events: messages, tool starts and completions, safe outputs, and what the gateway saw of
calls. Events of the phases ``detection`` and ``evals`` show nothing of it, and neither do deltas and partial messages.
"""

import enum
import hashlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from opvalue.graders.trajectory.reading import is_text
from opvalue.graders.trajectory.text import arguments_text
from opvalue.session.redaction import is_redacted
from opvalue.strictjson import JsonObject, JsonValue, dumps_compact, is_number

_OTHER_AGENTS: Final = frozenset({"detection", "evals"})
_ARGUMENTS: Final = ("input", "arguments", "parameters", "args", "toolInput")
_OWNERS: Final = ("agentId", "parentToolUseId", "parentToolCallId")
_FAILURES: Final = frozenset({"error", "failed", "failure"})
_LONGEST_SHAPE: Final = 200


class Kind(enum.Enum):
    """What a record is of."""

    START = "start"
    COMPLETION = "completion"
    MESSAGE = "message"
    OUTPUT = "safe_output"
    REQUEST = "request"
    """A call that the gateway passed on."""
    RESPONSE = "response"


class Scope(NamedTuple):
    """Within what calls are paired: a source, a session in it, and the agent whose calls they are."""

    phase: str
    path: str
    session: str
    owner: str


class Seen(NamedTuple):
    """One event, reduced."""

    kind: Kind
    scope: Scope
    time: float | None
    """Milliseconds; ``None`` where the event has no usable time."""
    call: str
    """The call's id, as the agent or the gateway gave it; empty where it gave none."""
    name: str
    """The tool's name; empty where there is none."""
    arguments: str | None
    """As they are searched; ``None`` where none are recorded."""
    shape: str | None
    """The arguments without their values; ``None`` where redaction hides all of it."""
    succeeded: bool
    """Of completions and responses."""


_KINDS: Final = {
    "tool.execution_start": (Kind.START, "agent"),
    "tool.execution_complete": (Kind.COMPLETION, "agent"),
    "user.message": (Kind.MESSAGE, "agent"),
    "assistant.message": (Kind.MESSAGE, "agent"),
    "safe_output.result": (Kind.OUTPUT, "safe_output"),
    "mcp.rpc.request": (Kind.REQUEST, "mcp"),
    "mcp.tool_call": (Kind.REQUEST, "mcp"),
    "mcp.rpc.response": (Kind.RESPONSE, "mcp"),
}
_SESSIONS: Final = frozenset({"session.start", "session.init"})


class Look:
    """Looks at the events of one session, in order."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str, str], str] = {}

    def at(self, event: JsonObject) -> Seen | None:
        """Return what ``event`` shows, or ``None``."""
        type_, data, provenance = event.get("type"), event.get("data"), event.get("provenance")
        if not isinstance(type_, str) or not isinstance(data, dict) or not isinstance(provenance, dict):
            return None
        known = _KINDS.get(type_)
        if (known is None and type_ not in _SESSIONS) or _text(provenance.get("phase")) in _OTHER_AGENTS:
            return None
        scope = self._scope(type_, data, provenance, event)
        if known is None or provenance.get("component") != known[1] or not _shows(type_, data):
            return None
        shown = data.get("toolName")
        arguments = _arguments(data) if known[0] is Kind.START else _ABSENT
        time = provenance.get("timestampMs")
        return Seen(
            kind=known[0],
            scope=scope,
            time=time if is_number(time) else None,
            call=_rpc(data) if known[1] == "mcp" else _text(data.get("toolCallId")),
            name=_text(shown),
            arguments=None if arguments is _ABSENT else arguments_text(arguments),
            shape="" if arguments is _ABSENT else _shape_of_call(arguments),
            succeeded=data.get("error") is None if known[0] is Kind.RESPONSE else _succeeded(data),
        )

    def _scope(self, type_: str, data: JsonObject, provenance: JsonObject, event: JsonObject) -> Scope:
        phase, path = _text(provenance.get("phase")), _text(provenance.get("path"))
        owner = next(filter(is_text, (event.get("agentId"), *(data.get(field) for field in _OWNERS))), "")
        source = (phase, path, str(owner))
        session = _text(data.get("sessionId"))
        if type_ in _SESSIONS:
            self._sessions[source] = session
        return Scope(phase, path, session or self._sessions.get(source, ""), str(owner))


_ABSENT: Final[Any] = object()


def _shows(type_: str, data: JsonObject) -> bool:
    if type_ in {"tool.execution_start", "mcp.tool_call"}:
        return is_text(data.get("toolName"))
    if type_ == "mcp.rpc.request":
        return data.get("method") == "tools/call" and is_text(data.get("toolName"))
    return data.get("partial") is not True


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _rpc(data: JsonObject) -> str:
    """Return what pairs a request with its response: the server and the id in its own spelling, 7 apart from "7"."""
    return "" if data.get("rpcId") is None else dumps_compact([data.get("serverName"), data["rpcId"]])


def _arguments(data: JsonObject) -> JsonValue:
    """Return a call's arguments, or ``_ABSENT``."""
    for field in _ARGUMENTS:
        value = data.get(field)
        if isinstance(value, dict) or (isinstance(value, str) and value.strip()):
            return value
    command = data.get("command")
    return {"command": command} if is_text(command) else _ABSENT


def _succeeded(data: JsonObject) -> bool:
    """Tell whether a completion says that its call succeeded; any sign of failure controls (reference 2.2)."""
    exit_code = data.get("exitCode")
    failed = (
        data.get("success") is False
        or data.get("isError") is True
        or _text(data.get("status")) in _FAILURES
        or data.get("error") is not None
        or (is_number(exit_code) and exit_code != 0)
    )
    return data.get("success") is True and not failed


def _shape_of_call(arguments: JsonValue) -> str | None:
    if isinstance(arguments, str) and is_redacted(arguments):
        return None
    shape = "".join(_shape(arguments))
    if len(shape) <= _LONGEST_SHAPE:
        return shape
    return f"{shape[:_LONGEST_SHAPE]}#{hashlib.sha256(shape.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _shape(value: JsonValue) -> Iterator[str]:
    """Yield a value without what it holds: keys and types, keys sorted, equal items of a list once."""
    if isinstance(value, dict):
        yield "{"
        for key in sorted(value):
            yield f"{dumps_compact(key)}:"
            yield from _shape(value[key])
            yield ","
        yield "}"
    elif isinstance(value, list):
        yield f"[{'|'.join(sorted({''.join(_shape(item)) for item in value}))}]"
    elif is_redacted(value):
        yield "redacted"
    else:
        yield _TYPES[type(value)]


_TYPES: Final[dict[type, str]] = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
