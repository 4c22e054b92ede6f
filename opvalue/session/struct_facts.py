"""Events decoded by ``structs`` reduced to facts: what ``reduction`` does with events in memory, attribute by attribute.

One loop with a branch for each kind, the frequent ones first, and no call in it that could be spared: it runs for each
event of a session.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from opvalue.session.arguments import command_of, text_of
from opvalue.session.batch import ANSWERED, ASKED, DONE, FAILED, MAIN, ROW, START, Batch
from opvalue.session.reduction import CALL_METHOD, LATEST, is_retry_of, key_of
from opvalue.session.requests import NOT_SHOWN, duration, tokens, total
from opvalue.session.structs import Done, McpData, Note, Record, Request, Response, Row, RowData, Start
from opvalue.session.tools import RECORD, RPC


_KINDS: Final = frozenset({Start, Done, Request, Response, Record, Note, Row})
_CONTAINERS: Final = frozenset({dict, list})
_NO_VALUE: Final = frozenset({b"", b"n", b'"'})
"""How arguments begin that may count as absent."""


def reduce_structs(batch: Batch, events: Sequence[Any], loose: list[bytes]) -> None:
    """Add the facts of ``events`` to ``batch``, and the JSON that their decoding left unchecked to ``loose``.

    Types and places are counted by the caller.
    """
    add = batch.facts.append
    sources: dict[tuple[str, str, str], int] = {}
    for event in events:
        kind = type(event)
        if kind not in _KINDS:
            continue
        provenance = event.provenance
        data = event.data
        if provenance.phase not in MAIN:
            _look(data, loose)
            continue
        origin = (provenance.component, provenance.phase, provenance.path)
        source = sources.get(origin)
        if source is None:
            source = sources[origin] = batch.source(origin)
        time = provenance.timestampMs
        if time is not None and not -LATEST <= time <= LATEST:
            time = None
        if kind is Start:
            arguments = bytes(data.input)
            loose.append(arguments)
            if data.toolName:
                owner = event.agentId or data.agentId or data.parentToolUseId or data.parentToolCallId or None
                if arguments[:1] in _NO_VALUE:
                    arguments = _unusual(arguments, data.command)
                add(
                    (
                        START,
                        source,
                        owner,
                        data.sessionId or None,
                        time,
                        event.id or None,
                        data.toolCallId or None,
                        data.toolName,
                        data.mcpServerName or None,
                        arguments,
                    )
                )
        elif kind is Done:
            if data.output.__class__ in _CONTAINERS or data.error.__class__ in _CONTAINERS:
                _look(data, loose)
            owner = event.agentId or data.agentId or data.parentToolUseId or data.parentToolCallId or None
            succeeded = (
                data.success is True
                and data.error is None
                and data.isError is not True
                and data.status not in FAILED
                and not data.exitCode
            )
            add(
                (
                    DONE,
                    source,
                    owner,
                    data.sessionId or None,
                    time,
                    data.toolCallId or None,
                    data.toolName or None,
                    succeeded,
                )
            )
        elif kind is Row:
            input_, total_ = _usage_of(data)
            add((ROW, source, time, data.requestId or None, input_, total_, duration(data.durationMs)))
        elif kind is Note:
            batch.retries += is_retry_of(data.event, data.retry, data.message)
        else:
            _reduce_mcp(batch, kind, data, source, time, loose)


def _reduce_mcp(batch: Batch, kind: type, data: McpData, source: int, time: float | None, loose: list[bytes]) -> None:
    failed = data.error is not None or data.status in FAILED
    if data.error.__class__ in _CONTAINERS:
        _look(data, loose)
    if kind is Response:
        if data.rpcId is not None:
            batch.facts.append((ANSWERED, source, data.serverName or None, key_of(data.rpcId), failed))
        return
    if not data.toolName or (kind is Request and data.method != CALL_METHOD):
        return
    way = RPC if kind is Request else RECORD
    rpc = key_of(data.rpcId)
    if kind is Record and rpc is None:
        rpc = key_of(data.requestId)
    failed = failed and kind is Record
    server, call = data.serverName or None, data.toolCallId or None
    batch.facts.append((ASKED, source, time, server, data.toolName, call, rpc, failed, way))


def _usage_of(data: RowData) -> tuple[int, int]:
    usage = data.usage
    if usage is None:
        return NOT_SHOWN, NOT_SHOWN
    input_ = tokens(usage.inputTokens)
    return input_, total(
        tokens(usage.totalTokens),
        input_,
        tokens(usage.outputTokens),
        tokens(usage.cacheReadInputTokens),
        tokens(usage.cacheCreationInputTokens),
        includes_cache=usage.inputTokensIncludeCache,
    )


def _unusual(arguments: bytes, command: str | None) -> bytes | None:
    return text_of(json.loads(arguments or b"null"), command) if arguments[:1] == b'"' else command_of(command)


def _look(data: Any, loose: list[bytes]) -> None:
    """Note the parts of a payload that nothing has checked yet."""
    for name in ("input", "output", "error"):
        part = getattr(data, name, None)
        if isinstance(part, dict):
            loose.extend(map(bytes, part.values()))
        elif isinstance(part, list):
            loose.extend(map(bytes, part))
        elif name == "input" and part is not None:
            loose.append(bytes(part))
