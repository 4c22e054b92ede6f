"""The agent's own stream: one of several representations, never two of the same session (reference 1.3, step 3).

1. ``agent-session.jsonl``; native sessions that began before it and that it does not hold are added before it.
2. Without it, or when it holds no event, the native sessions of Copilot, by the time they began.
3. Else ``pi-streaming.jsonl``.
4. Else, where only ``agent-stdio.log`` is there, a warning: its text is an engine's own and is not parsed.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from opvalue.collect import times
from opvalue.collect.gathering import Gathering, Native, Prepared
from opvalue.collect.kinds import PI
from opvalue.collect.records import numbered
from opvalue.collect.sources import AGENT, CANONICAL, NATIVE_FILE, NATIVE_FOLDER, PI_STREAM, STDIO
from opvalue.strictjson import JsonObject

_STARTS: Final = ("session.start", "session.init")
_SESSION_IDS: Final = ("sessionId", "session_id")


class _Stream(NamedTuple):
    """One representation of one or more sessions, read."""

    prepared: Prepared
    sessions: frozenset[str]
    began: int | float | None


def gather(gathering: Gathering) -> None:
    """Add the agent's stream."""
    canonical = _canonical(gathering)
    if canonical is not None and canonical.prepared.events:
        _add(gathering, [*_earlier(gathering, canonical), canonical])
        return
    natives = _natives(gathering)
    if natives:
        _add(gathering, natives)
    elif gathering.exists(PI_STREAM):
        gathering.add(AGENT, PI_STREAM, _events(gathering, PI_STREAM, lambda one: _native(one) or _pi_native(one)))
    elif canonical is not None:
        _add(gathering, [canonical])
    elif gathering.exists(STDIO[0]):
        gathering.warn(STDIO[0], "unrecognized_engine_log")


def _add(gathering: Gathering, streams: Iterable[_Stream]) -> None:
    for stream in streams:
        gathering.take(stream.prepared)


def _canonical(gathering: Gathering) -> _Stream | None:
    return _read(gathering, CANONICAL) if gathering.exists(CANONICAL) else None


def _natives(gathering: Gathering) -> list[_Stream]:
    found = []
    for name in gathering.folder.names(NATIVE_FOLDER):
        path = f"{NATIVE_FOLDER}/{name}/{NATIVE_FILE}"
        if not gathering.exists(path):
            continue
        stream = _read(gathering, path)
        if stream.prepared.events:
            found.append(stream._replace(sessions=stream.sessions or frozenset({name})))
        else:
            gathering.warn(path, "native_session_unusable")
    return sorted(found, key=lambda stream: (stream.began is None, stream.began or 0))


def _earlier(gathering: Gathering, canonical: _Stream) -> Iterator[_Stream]:
    # Without session ids in the canonical file nothing shows which native sessions it already holds.
    if not canonical.sessions or canonical.began is None:
        return
    for stream in _natives(gathering):
        if stream.began is not None and stream.began < canonical.began and not stream.sessions & canonical.sessions:
            yield stream


def _read(gathering: Gathering, path: str) -> _Stream:
    sessions: set[str] = set()
    began: list[int | float] = []

    def watched() -> Iterator[Native]:
        for native in _events(gathering, path, _native):
            if native.type in _STARTS:
                sessions.update(one for one in (native.data.get(name) for name in _SESSION_IDS) if isinstance(one, str))
            moment = None if began else times.milliseconds(times.stamp(native.record)[1])
            if moment is not None:
                began.append(moment)
            yield native

    prepared = gathering.prepare(AGENT, path, watched())
    return _Stream(prepared, frozenset(sessions), began[0] if began else None)


def _events(gathering: Gathering, path: str, event_of: Callable[[JsonObject], Native | None]) -> Iterator[Native]:
    log = gathering.log(path)
    for number, record in numbered(log):
        native = event_of(record)
        if native is None:
            log.leave_out("non_canonical_agent_event", number)
        else:
            yield native


def _native(record: JsonObject) -> Native | None:
    kind, data = record.get("type"), record.get("data")
    if isinstance(kind, str) and "." in kind and isinstance(data, dict):
        return Native(kind, record, data, enveloped=True)
    return None


def _pi_native(record: JsonObject) -> Native | None:
    kind, message = record.get("type"), record.get("message")
    if kind == "message_end" and isinstance(message, dict) and message.get("role") in ("user", "assistant"):
        return Native(f"{message['role']}.message", record, message)
    if not isinstance(kind, str) or kind not in PI:
        return None
    data = {"arguments": record["args"], **record} if "args" in record else record
    if kind == "session" and "id" in record:
        data = {"sessionId": record["id"], **record}
    if kind == "tool_execution_end" and isinstance(record.get("isError"), bool):
        data = {"success": not record["isError"], **record}
    return Native(PI[kind], record, data)
