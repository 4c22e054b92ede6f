"""Events decoded by ``structs`` reduced to facts: what ``reduction`` does with events in memory, by attributes.

One loop with a branch for each kind, the frequent ones first, and no call in it that could be spared: it runs for each
event of a session. Each branch looks attributes up for itself: a line that meets one class only is twice as quick.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from opvalue.session.arguments import command_of, text_of
from opvalue.session.batch import ANSWERED, ASKED, DONE, FAILED, MAIN, ROW, START, Batch, Origin, Whereabouts
from opvalue.session.reduction import CALL_METHOD, is_retry_of, key_of
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

_NULL: Final = b"null"
_BRACE: Final = ord("{")
_LARGEST: Final = 2**53 - 1


def reduce_structs(  # noqa: C901, PLR0912, PLR0915 - one loop: see above
    batch: Batch, events: Sequence[Any], loose: list[bytes]
) -> None:
    """Add the facts of ``events`` to ``batch``, and the JSON that their decoding left unchecked to ``loose``.

    Types and places are counted by the caller.
    """
    add = batch.facts.append
    scopes: dict[Whereabouts, int] = {}
    sources: dict[Origin, int] = {}
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
            arguments = given if given and given[0] == _BRACE else _unusual(given, data.command)
            owner = event.agentId or data.agentId or data.parentToolUseId or data.parentToolCallId or None
            where = (provenance.component, phase, provenance.path, owner, data.sessionId or None)
            scope = scopes.get(where)
            if scope is None:
                scope = scopes[where] = batch.scope(where)
            time, server = provenance.timestampMs, data.mcpServerName or None
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
            succeeded = (
                data.success is True
                and error is None
                and data.isError is not True
                and (data.status is None or data.status not in FAILED)
                and not data.exitCode
            )
            add((DONE, scope, provenance.timestampMs, data.toolCallId or None, data.toolName or None, succeeded))
        elif kind is Request:
            data = event.data
            provenance = event.provenance
            if data.error is not None:
                _look(data, loose)
            name = data.toolName
            phase = provenance.phase
            if not name or data.method != CALL_METHOD or phase not in MAIN:
                continue
            origin = (provenance.component, phase, provenance.path)
            source = sources.get(origin)
            if source is None:
                source = sources[origin] = batch.source(origin)
            rpc = data.rpcId
            if rpc.__class__ is str:
                rpc = key_of(rpc)
            server = data.serverName or None
            add((ASKED, source, provenance.timestampMs, server, name, data.toolCallId or None, rpc, False, RPC))
        elif kind is Response:
            data = event.data
            provenance = event.provenance
            failed = data.error is not None
            if failed:
                _look(data, loose)
            elif data.status is not None:
                failed = data.status in FAILED
            rpc = data.rpcId
            phase = provenance.phase
            if rpc is None or phase not in MAIN:
                continue
            origin = (provenance.component, phase, provenance.path)
            source = sources.get(origin)
            if source is None:
                source = sources[origin] = batch.source(origin)
            add((ANSWERED, source, data.serverName or None, key_of(rpc) if rpc.__class__ is str else rpc, failed))
        elif kind is Row:
            _reduce_row(batch, event.data, event.provenance)
        elif kind is Note:
            data = event.data
            if event.provenance.phase in MAIN:
                batch.retries += is_retry_of(data.event, data.retry, data.message)
        elif kind is Record:
            _reduce_record(batch, event.data, event.provenance, loose)


def _reduce_record(batch: Batch, data: McpData, provenance: Provenance, loose: list[bytes]) -> None:
    _look(data, loose)
    name, phase = data.toolName, provenance.phase
    if name and phase in MAIN:
        rpc = key_of(data.requestId) if data.rpcId is None else key_of(data.rpcId)
        source = batch.source((provenance.component, phase, provenance.path))
        server, call = data.serverName or None, data.toolCallId or None
        failed = data.error is not None or data.status in FAILED
        batch.facts.append((ASKED, source, provenance.timestampMs, server, name, call, rpc, failed, RECORD))


def _reduce_row(batch: Batch, data: RowData, provenance: Provenance) -> None:
    phase = provenance.phase
    if phase in MAIN:
        input_, total_ = _usage_of(data.usage)
        took = data.durationMs
        if took is not None and took < 0:
            took = None
        source = batch.source((provenance.component, phase, provenance.path))
        batch.facts.append((ROW, source, provenance.timestampMs, data.requestId or None, input_, total_, took))


def _usage_of(usage: Usage | None) -> tuple[int, int]:
    # What ``requests.total`` says, without a call where the usual fields are there.
    if usage is None:
        return NOT_SHOWN, NOT_SHOWN
    input_, output, stated = usage.inputTokens, usage.outputTokens, usage.totalTokens
    if (
        stated is None
        and (input_ is not None and 0 <= input_ <= _LARGEST)
        and (output is not None and 0 <= output <= _LARGEST)
        and usage.inputTokensIncludeCache is not False
    ):
        return input_, input_ + output
    known = tokens(input_)
    return known, total(
        tokens(stated),
        known,
        tokens(output),
        tokens(usage.cacheReadInputTokens),
        tokens(usage.cacheCreationInputTokens),
        includes_cache=usage.inputTokensIncludeCache,
    )


def _unusual(given: bytes, command: str | None) -> bytes | None:
    if not given:
        return command_of(command)
    return text_of(json.loads(given), command) if given == _NULL or given[:1] == b'"' else given


def _look(data: Any, loose: list[bytes]) -> None:
    """Note the parts of an output or error that nothing has checked yet."""
    for name in ("output", "error"):
        part = getattr(data, name, None)
        if isinstance(part, dict):
            loose.extend(map(bytes, part.values()))
        elif isinstance(part, list):
            loose.extend(map(bytes, part))
