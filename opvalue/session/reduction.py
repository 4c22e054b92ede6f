"""Decoded events reduced to facts (reference 1.4, 2). Events are only read; fields of another kind count as absent.

A text that must be there and is empty counts as absent. A time is a finite number within the range of a date, in
milliseconds, of ``provenance.timestampMs``; an event without one is untimed.
"""

from collections.abc import Callable, Mapping
from typing import Final

from opvalue.session.arguments import command_of, text_of
from opvalue.session.batch import (
    ANSWERED,
    ASKED,
    COLLECTION,
    DONE,
    EVAL,
    EXPERIMENT,
    FAILED,
    MAIN,
    REPORT,
    RESULT,
    ROW,
    RUN,
    SESSION,
    START,
    Batch,
    Origin,
)
from opvalue.session.events import parts
from opvalue.session.requests import NOT_SHOWN, duration, tokens, total
from opvalue.session.tools import RECORD, RPC
from opvalue.strictjson import JsonObject, JsonValue, is_number

CALL_METHOD: Final = "tools/call"
LATEST: Final = 8.64e15
"""The furthest a time can be from the epoch, in milliseconds."""

_RETRY: Final = "retry"
_EXACT: Final = 2**53
_Reducer = Callable[[Batch, JsonObject, JsonObject, Origin], None]


def reduce(batch: Batch, event: JsonObject) -> None:
    """Add ``event`` to ``batch``. Raises ``NotAnEvent``."""
    kind, data, provenance = parts(event)
    component, phase = text(provenance, "component") or "", text(provenance, "phase") or ""
    batch.count(kind, (component, phase))
    if kind == "safe_output.result":
        batch.results += 1
    elif kind in _ANYWHERE:
        _ANYWHERE[kind](batch, data)
    elif phase in MAIN and kind in _OF_MAIN:
        _OF_MAIN[kind](batch, event, data, (component, phase, text(provenance, "path") or ""))


def text(record: Mapping[str, JsonValue], name: str) -> str | None:
    """Return a text of the record that is not empty."""
    value = record.get(name)
    return value if isinstance(value, str) and value else None


def time_of(event: JsonObject) -> int | float | None:
    """Return the time of an event in milliseconds."""
    provenance = event["provenance"]
    value = provenance.get("timestampMs") if isinstance(provenance, dict) else None
    return value if is_number(value) and -LATEST <= value <= LATEST else None


def owner_of(event: JsonObject, data: JsonObject) -> str | None:
    """Return the agent instance an event is of, else the parent tool; none for the main agent."""
    return (
        text(event, "agentId")
        or text(data, "agentId")
        or text(data, "parentToolUseId")
        or text(data, "parentToolCallId")
    )


def is_failure(data: JsonObject) -> bool:
    """Tell whether a record says that its call failed. One such word outweighs any claim of success."""
    if data.get("success") is False or data.get("isError") is True or data.get("error") is not None:
        return True
    status, exit_code = data.get("status"), data.get("exitCode")
    return (isinstance(status, str) and status in FAILED) or (is_number(exit_code) and exit_code != 0)


def _start(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> None:
    name = text(data, "toolName")
    if name is None:
        return
    batch.facts.append(
        (
            START,
            _scope(batch, event, data, origin),
            time_of(event),
            text(event, "id"),
            text(data, "toolCallId"),
            name,
            text(data, "mcpServerName"),
            text_of(data["input"], data.get("command")) if "input" in data else command_of(data.get("command")),
        )
    )


def _done(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> None:
    batch.facts.append(
        (
            DONE,
            _scope(batch, event, data, origin),
            time_of(event),
            text(data, "toolCallId"),
            text(data, "toolName"),
            data.get("success") is True and not is_failure(data),
        )
    )


def _request(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> None:
    if data.get("method") == CALL_METHOD:
        _ask(batch, event, data, origin, RPC, key_of(data.get("rpcId")), failed=False)


def _record(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> None:
    known = key_of(data.get("rpcId"))
    _ask(
        batch,
        event,
        data,
        origin,
        RECORD,
        key_of(data.get("requestId")) if known is None else known,
        failed=is_failure(data),
    )


def _ask(
    batch: Batch, event: JsonObject, data: JsonObject, origin: Origin, way: int, rpc: int | str | None, *, failed: bool
) -> None:
    name = text(data, "toolName")
    if name is not None:
        call = text(data, "toolCallId")
        server = text(data, "serverName")
        batch.facts.append((ASKED, batch.source(origin), time_of(event), server, name, call, rpc, failed, way))


def _response(batch: Batch, _event: JsonObject, data: JsonObject, origin: Origin) -> None:
    rpc = key_of(data.get("rpcId"))
    if rpc is not None:
        batch.facts.append((ANSWERED, batch.source(origin), text(data, "serverName"), rpc, is_failure(data)))


def key_of(value: JsonValue) -> int | str | None:
    """Return what an rpc id is known by: 1 and 1.0 are one, the texts "1" and "true" and the value true are others."""
    if isinstance(value, str):
        return f'"{value}'
    if value is None or isinstance(value, list | dict):
        return None
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else str(value)
    return value


def _row(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> None:
    input_, total_ = usage_of(data)
    took = duration(data.get("durationMs"))
    batch.facts.append((ROW, batch.source(origin), time_of(event), text(data, "requestId"), input_, total_, took))


def usage_of(data: JsonObject) -> tuple[int, int]:
    """Return input and total tokens of a record's ``usage``."""
    usage = data.get("usage")
    if not isinstance(usage, dict):
        return NOT_SHOWN, NOT_SHOWN
    input_ = tokens(usage.get("inputTokens"))
    return input_, total(
        tokens(usage.get("totalTokens")),
        input_,
        tokens(usage.get("outputTokens")),
        tokens(usage.get("cacheReadInputTokens")),
        tokens(usage.get("cacheCreationInputTokens")),
        includes_cache=usage.get("inputTokensIncludeCache"),
    )


def _event(batch: Batch, _event: JsonObject, data: JsonObject, _origin: Origin) -> None:
    batch.retries += is_retry_of(data.get("event"), data.get(_RETRY), data.get("message"))


def is_retry_of(event: object, retry: object, message: object) -> bool:
    """Tell whether the fields of an ``mcp.event`` make it a retry observation."""
    return event == _RETRY or retry is True or (isinstance(message, str) and _RETRY in message.lower())


def _result(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> None:
    if owner_of(event, data) or text(data, "parentAgentId"):
        return  # of a sub-agent
    took = data.get("durationMs")
    known = None if took is None else duration(took)
    stated = NOT_SHOWN if took is not None and known is None else known
    turns = data.get("numTurns")
    counted = None if turns is None else tokens(turns)
    scope = _scope(batch, event, data, origin)
    batch.facts.append((RESULT, scope, time_of(event), counted, stated, *usage_of(data)))


def _report(batch: Batch, _event: JsonObject, data: JsonObject, _origin: Origin) -> None:
    batch.facts.append((REPORT, *usage_of(data)))


def _session(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> None:
    batch.facts.append((SESSION, _scope(batch, event, data, origin)))


def _scope(batch: Batch, event: JsonObject, data: JsonObject, origin: Origin) -> int:
    return batch.scope((*origin, owner_of(event, data), text(data, "sessionId")))


def _collection(batch: Batch, data: JsonObject) -> None:
    sources, absent = data.get("sources"), data.get("absentComponents")
    rows = [row for row in sources if isinstance(row, dict)] if isinstance(sources, list) else []
    places = [(text(row, "component") or "", text(row, "phase") or "") for row in rows]
    names = [name for name in absent if isinstance(name, str)] if isinstance(absent, list) else None
    batch.facts.append((COLLECTION, places, names))


def _info(batch: Batch, data: JsonObject) -> None:
    attempt = data.get("runAttempt", data.get("attempt"))
    if isinstance(attempt, str) and attempt.isdecimal() and len(attempt) < 10:
        attempt = int(attempt)
    whole = _whole(attempt)
    batch.facts.append((RUN, _run_id(data), whole if whole is not None and whole > 0 else None, True))


def _run_id(data: JsonObject) -> str | None:
    value = _whole(data.get("runId"))
    return str(value) if value is not None and value >= 0 else text(data, "runId")


def _whole(value: JsonValue) -> int | None:
    """Return an integer; one written with a fraction is the same as long as it is written without one, too."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _state(batch: Batch, data: JsonObject) -> None:
    batch.facts.append((RUN, _run_id(data), None, False))
    _assignment(batch, data)


def _assignment(batch: Batch, data: JsonObject) -> None:
    assignments = data.get("assignments")
    if isinstance(assignments, dict):
        variants = {name: variant for name, variant in assignments.items() if isinstance(variant, str)}
        batch.facts.append((EXPERIMENT, variants))


def _eval(batch: Batch, data: JsonObject) -> None:
    batch.facts.append((EVAL, text(data, "id") or "", text(data, "answer") or ""))


_OF_MAIN: Final[Mapping[str, _Reducer]] = {
    "tool.execution_start": _start,
    "tool.execution_complete": _done,
    "mcp.rpc.request": _request,
    "mcp.rpc.response": _response,
    "mcp.tool_call": _record,
    "mcp.event": _event,
    "firewall.token_usage": _row,
    "session.start": _session,
    "session.init": _session,
    "session.result": _result,
    "usage.report": _report,
}
"""Types that count where the main agent was at work."""

_ANYWHERE: Final[Mapping[str, Callable[[Batch, JsonObject], None]]] = {
    "session.collection": _collection,
    "workflow.info": _info,
    "experiment.state": _state,
    "experiment.assignment": _assignment,
    "eval.result": _eval,
}
"""Types that count in any phase."""
