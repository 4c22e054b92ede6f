"""What an event of a session shows of the trajectory: a small record in place of an event of any size.

Read are the main agent's events: messages, tool starts and completions, safe outputs, and what the gateway saw of
calls. What the main agent is, whose a call is and what failed, the session room says. Deltas and partial messages show
nothing of their own.
"""

import enum
import hashlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from opvalue.graders.trajectory.text import arguments_text
from opvalue.session.batch import MAIN
from opvalue.session.redaction import is_redacted
from opvalue.session.reduction import CALL_METHOD, is_failure, key_of, owner_of, text, time_of
from opvalue.strictjson import JsonObject, JsonValue, dumps_compact

_LONGEST_SHAPE: Final = 200
_ABSENT: Final[Any] = object()
_TYPES: Final[dict[type, str]] = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


class Kind(enum.Enum):
    """What a record is of."""

    START = "start"
    COMPLETION = "completion"
    MESSAGE = "message"
    OUTPUT = "safe_output"
    REQUEST = "request"
    """A call that the gateway passed on."""
    RESPONSE = "response"
    RECORD = "record"
    """A call that the gateway recorded whole."""


class Origin(NamedTuple):
    """Where calls belong together: a source, and in it an agent's session."""

    source: tuple[str, str, str]
    """Component, phase, path."""
    owner: str | None
    session: str | None


class Seen(NamedTuple):
    """One event, reduced. What it does not say is ``None``."""

    kind: Kind
    origin: Origin
    time: float | None
    """Milliseconds."""
    event: str | None
    call: str | None
    """The call's id."""
    rpc: object
    """By what the gateway pairs a request with its response."""
    server: str | None
    name: str | None
    """The tool's."""
    arguments: str | None
    """As they are searched."""
    shape: str | None
    """The arguments without their values; ``None`` where redaction touched them, or they are not shown."""
    failed: bool
    succeeded: bool


_KINDS: Final = {
    "tool.execution_start": Kind.START,
    "tool.execution_complete": Kind.COMPLETION,
    "user.message": Kind.MESSAGE,
    "assistant.message": Kind.MESSAGE,
    "safe_output.result": Kind.OUTPUT,
    "mcp.rpc.request": Kind.REQUEST,
    "mcp.rpc.response": Kind.RESPONSE,
    "mcp.tool_call": Kind.RECORD,
}
_SESSIONS: Final = frozenset({"session.start", "session.init"})
_NAMED: Final = frozenset({Kind.START, Kind.REQUEST, Kind.RECORD})


class Look:
    """Looks at the events of one session, in order."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[tuple[str, str, str], str | None], str | None] = {}

    def at(self, event: JsonObject) -> Seen | None:
        """Return what ``event`` shows, or ``None``."""
        type_, data, provenance = event.get("type"), event.get("data"), event.get("provenance")
        if not isinstance(type_, str) or not isinstance(data, dict) or not isinstance(provenance, dict):
            return None
        kind = _KINDS.get(type_)
        if kind is None and type_ not in _SESSIONS:
            return None
        phase = text(provenance, "phase") or ""
        if phase not in MAIN and kind is not Kind.OUTPUT:
            return None
        source = (text(provenance, "component") or "", phase, text(provenance, "path") or "")
        owner, session = owner_of(event, data), text(data, "sessionId")
        if kind is None:
            self._sessions[source, owner] = session
            return None
        origin = Origin(source, owner, session or self._sessions.get((source, owner)))
        return _seen(kind, event, data, origin) if _shows(kind, data) else None


def _seen(kind: Kind, event: JsonObject, data: JsonObject, origin: Origin) -> Seen:
    arguments = _arguments(data) if kind is Kind.START else _ABSENT
    failed = is_failure(data)
    return Seen(
        kind=kind,
        origin=origin,
        time=time_of(event),
        event=text(event, "id"),
        call=text(data, "toolCallId"),
        rpc=key_of(data.get("rpcId")),
        server=text(data, "serverName" if kind in _GATEWAY else "mcpServerName"),
        name=text(data, "toolName"),
        arguments=None if arguments is _ABSENT else arguments_text(arguments),
        shape=_shape_of_call(arguments) if kind is Kind.START else None,
        failed=failed,
        succeeded=data.get("success") is True and not failed,
    )


_GATEWAY: Final = frozenset({Kind.REQUEST, Kind.RESPONSE, Kind.RECORD})


def _shows(kind: Kind, data: JsonObject) -> bool:
    if kind is Kind.REQUEST and data.get("method") != CALL_METHOD:
        return False
    if kind in _NAMED and text(data, "toolName") is None:
        return False
    return data.get("partial") is not True


def _arguments(data: JsonObject) -> JsonValue:
    """Return a call's arguments, or ``_ABSENT``; an input that is null or blank counts as absent."""
    given, command = data.get("input"), text(data, "command")
    if given is not None and not (isinstance(given, str) and not given.strip()):
        return given
    return _ABSENT if command is None else {"command": command}


def _shape_of_call(arguments: JsonValue) -> str | None:
    if arguments is _ABSENT:
        return ""
    if is_redacted(arguments):
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
    else:
        yield _TYPES[type(value)]
