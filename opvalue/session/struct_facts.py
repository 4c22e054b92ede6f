"""Events decoded by ``structs`` reduced to facts: what ``reduction`` does with events in memory, by attributes.

One loop with a branch for each kind, the frequent ones first, and no call in it that could be spared: it runs for each
event of a session. Each branch looks attributes up for itself: a line that meets one class only is twice as quick.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from opvalue.session.arguments import command_of, text_of
from opvalue.session.batch import ANSWERED, ASKED, DONE, FAILED, MAIN, ROW, START, Batch, Whereabouts
from opvalue.session.reduction import CALL_METHOD, LATEST, is_retry_of, key_of
from opvalue.session.requests import NOT_SHOWN, tokens, total
from opvalue.session.structs import (
    Done,
    McpData,
    Note,
    Provenance,
    Record,
    Request,
    Response,
    Row,
    RowData,
    Start,
    Usage,
)
from opvalue.session.tools import RECORD, RPC

_NO_VALUE: Final = frozenset({b"", b"n", b'"'})
"""How arguments begin that may count as absent."""
_LARGEST: Final = 2**53 - 1


def reduce_structs(  # noqa: C901, PLR0912, PLR0915 - one loop: see above
    batch: Batch, events: Sequence[Any], loose: list[bytes]
) -> None:
    """Add the facts of ``events`` to ``batch``, and the JSON that their decoding left unchecked to ``loose``.

    Types and places are counted by the caller.
    """
    add = batch.facts.append
    scopes: dict[Whereabouts, int] = {}
    for event in events:
        kind = type(event)
        if kind is Start:
            data = event.data
            provenance = event.provenance
            given = bytes(data.input)
            loose.append(given)
            name = data.toolName
            phase = provenance.phase
            if not name or phase not in MAIN:
                continue
            arguments = _unusual(given, data.command) if given[:1] in _NO_VALUE else given
            owner = event.agentId or data.agentId or data.parentToolUseId or data.parentToolCallId or None
            where = (provenance.component, phase, provenance.path, owner, data.sessionId or None)
            scope = scopes.get(where)
            if scope is None:
                scope = scopes[where] = batch.scope(where)
            time = provenance.timestampMs
            if time is not None and not -LATEST <= time <= LATEST:
                time = None
            server = data.mcpServerName or None
            add((START, scope, time, event.id or None, data.toolCallId or None, name, server, arguments))
        elif kind is Done:
            data = event.data
            provenance = event.provenance
            output = data.output
            error = data.error
            if error is not None or not (output.__class__ is str or output is None):
                _look(data, loose)
            phase = provenance.phase
            if phase not in MAIN:
                continue
            owner = event.agentId or data.agentId or data.parentToolUseId or data.parentToolCallId or None
            where = (provenance.component, phase, provenance.path, owner, data.sessionId or None)
            scope = scopes.get(where)
            if scope is None:
                scope = scopes[where] = batch.scope(where)
            time = provenance.timestampMs
            if time is not None and not -LATEST <= time <= LATEST:
                time = None
            succeeded = (
                data.success is True
                and error is None
                and data.isError is not True
                and (data.status is None or data.status not in FAILED)
                and not data.exitCode
            )
            add((DONE, scope, time, data.toolCallId or None, data.toolName or None, succeeded))
        elif kind is Request:
            _reduce_request(batch, event.data, event.provenance, loose)
        elif kind is Response:
            _reduce_response(batch, event.data, event.provenance, loose)
        elif kind is Row:
            _reduce_row(batch, event.data, event.provenance)
        elif kind is Note:
            data = event.data
            if event.provenance.phase in MAIN:
                batch.retries += is_retry_of(data.event, data.retry, data.message)
        elif kind is Record:
            _reduce_record(batch, event.data, event.provenance, loose)


def _reduce_request(batch: Batch, data: McpData, provenance: Provenance, loose: list[bytes]) -> None:
    if data.error is not None:
        _look(data, loose)
    name, phase = data.toolName, provenance.phase
    if name and data.method == CALL_METHOD and phase in MAIN:
        rpc = key_of(data.rpcId) if isinstance(data.rpcId, str) else data.rpcId
        source = batch.source((provenance.component, phase, provenance.path))
        server, call = data.serverName or None, data.toolCallId or None
        batch.facts.append((ASKED, source, _time_of(provenance), server, name, call, rpc, False, RPC))


def _reduce_response(batch: Batch, data: McpData, provenance: Provenance, loose: list[bytes]) -> None:
    failed = data.error is not None
    if failed:
        _look(data, loose)
    elif data.status is not None:
        failed = data.status in FAILED
    phase = provenance.phase
    if data.rpcId is not None and phase in MAIN:
        source = batch.source((provenance.component, phase, provenance.path))
        rpc = key_of(data.rpcId) if isinstance(data.rpcId, str) else data.rpcId
        batch.facts.append((ANSWERED, source, data.serverName or None, rpc, failed))


def _reduce_record(batch: Batch, data: McpData, provenance: Provenance, loose: list[bytes]) -> None:
    _look(data, loose)
    name, phase = data.toolName, provenance.phase
    if name and phase in MAIN:
        rpc = key_of(data.requestId) if data.rpcId is None else key_of(data.rpcId)
        source = batch.source((provenance.component, phase, provenance.path))
        server, call = data.serverName or None, data.toolCallId or None
        failed = data.error is not None or data.status in FAILED
        batch.facts.append((ASKED, source, _time_of(provenance), server, name, call, rpc, failed, RECORD))


def _reduce_row(batch: Batch, data: RowData, provenance: Provenance) -> None:
    phase = provenance.phase
    if phase in MAIN:
        input_, total_ = _usage_of(data.usage)
        took = data.durationMs
        if took is not None and took < 0:
            took = None
        source = batch.source((provenance.component, phase, provenance.path))
        batch.facts.append((ROW, source, _time_of(provenance), data.requestId or None, input_, total_, took))


def _time_of(provenance: Provenance) -> int | float | None:
    time = provenance.timestampMs
    return time if time is not None and -LATEST <= time <= LATEST else None


def _usage_of(usage: Usage | None) -> tuple[int, int]:
    if usage is None:
        return NOT_SHOWN, NOT_SHOWN
    input_, output, stated = usage.inputTokens, usage.outputTokens, usage.totalTokens
    if input_ is None or not 0 <= input_ <= _LARGEST:
        input_ = NOT_SHOWN
    if output is None or not 0 <= output <= _LARGEST:
        output = NOT_SHOWN
    if stated is not None and 0 <= stated <= _LARGEST:
        return input_, stated
    read, creation = tokens(usage.cacheReadInputTokens), tokens(usage.cacheCreationInputTokens)
    return input_, total(NOT_SHOWN, input_, output, read, creation, includes_cache=usage.inputTokensIncludeCache)


def _unusual(arguments: bytes, command: str | None) -> bytes | None:
    return text_of(json.loads(arguments or b"null"), command) if arguments[:1] == b'"' else command_of(command)


def _look(data: Any, loose: list[bytes]) -> None:
    """Note the parts of an output or error that nothing has checked yet."""
    for name in ("output", "error"):
        part = getattr(data, name, None)
        if isinstance(part, dict):
            loose.extend(map(bytes, part.values()))
        elif isinstance(part, list):
            loose.extend(map(bytes, part))
