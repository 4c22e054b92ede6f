"""The frequent events as msgspec types, for ``scanner`` alone: importing this loads msgspec.

Each names every field that the catalogue knows for its type (reference 1.4), of the kinds that occur; types of one
family share their fields. No other is taken, so whatever is decoded has been checked whole: text for UTF-8, numbers
for their range. What is not of this form fails to decode, and is read in another way. ``Raw`` and what containers hold
are the exceptions: the scanner checks those.
"""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Raw, Struct, defstruct
from msgspec.json import Decoder

from opvalue.session.reduction import LATEST

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""A bounded integer: a longer one might overflow a double."""
Number = Whole | float
Time = Annotated[int, Meta(ge=-int(LATEST), le=int(LATEST))] | Annotated[float, Meta(ge=-LATEST, le=LATEST)]
"""A number within the range of a date; an event with another one counts as untimed, which is not decided here."""
Scalar = str | bool | Whole | float | None
Value = str | bool | Whole | float | dict[str, Raw] | list[Raw] | None
"""Any JSON value; the scanner still has to check what a container holds."""

Component = Literal[
    "agent",
    "mcp",
    "firewall",
    "safe_output",
    "experiment",
    "grader",
    "eval",
    "usage",
    "execution",
    "detection",
    "workflow",
    "prompt",
    "github_api",
    "guardrail",
    "collector",
]
Phase = Literal["activation", "agent", "detection", "evals", "safe_outputs", "workflow", "conclusion"]


class Provenance(Struct, gc=False, forbid_unknown_fields=True):
    """Where an event is from."""

    component: Component
    phase: Phase
    path: str
    index: Whole = 0
    timestampMs: Time | None = None  # noqa: N815 - the format's own name


class Correlated(Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """The correlation group of fields."""

    sessionId: str | None = None  # noqa: N815
    agentId: str | None = None  # noqa: N815
    parentAgentId: Scalar = None  # noqa: N815
    parentToolUseId: str | None = None  # noqa: N815
    model: Scalar = None
    apiCallId: Scalar = None  # noqa: N815
    interactionId: Scalar = None  # noqa: N815
    turnId: Scalar = None  # noqa: N815
    parentToolCallId: str | None = None  # noqa: N815


class StartData(Correlated, kw_only=True):
    """Payload of a tool's start."""

    toolCallId: str | None = None  # noqa: N815
    toolName: str | None = None  # noqa: N815
    mcpServerName: str | None = None  # noqa: N815
    input: Raw = Raw()
    command: str | None = None


class DoneData(Correlated, kw_only=True):
    """Payload of a tool's completion."""

    toolCallId: str | None = None  # noqa: N815
    toolName: str | None = None  # noqa: N815
    mcpServerName: str | None = None  # noqa: N815
    success: bool | None = None
    output: Value = None
    error: Value = None
    durationMs: Number | None = None  # noqa: N815
    exitCode: Number | None = None  # noqa: N815
    status: str | None = None
    isError: bool | None = None  # noqa: N815
    taskId: Scalar = None  # noqa: N815
    taskType: Scalar = None  # noqa: N815
    workflowName: Scalar = None  # noqa: N815
    workflowRunId: Scalar = None  # noqa: N815


class McpData(Struct, gc=False, forbid_unknown_fields=True):
    """Payload of what the MCP gateway records of a call."""

    serverName: str | None = None  # noqa: N815
    direction: Scalar = None
    rpcId: str | Whole | None = None  # noqa: N815
    method: str | None = None
    toolName: str | None = None  # noqa: N815
    toolCallId: str | None = None  # noqa: N815
    requestId: str | None = None  # noqa: N815
    durationMs: Number | None = None  # noqa: N815
    inputSize: Number | None = None  # noqa: N815
    outputSize: Number | None = None  # noqa: N815
    status: str | Whole | None = None
    reason: Scalar = None
    error: Value = None


class NoteData(Struct, gc=False, forbid_unknown_fields=True):
    """Payload of ``mcp.event`` and of the firewall's events."""

    event: Scalar = None
    level: Scalar = None
    status: Scalar = None
    message: Scalar = None
    reason: Scalar = None
    requestId: Scalar = None  # noqa: N815
    retry: bool | None = None


class Usage(Struct, gc=False, forbid_unknown_fields=True):
    """Tokens."""

    totalTokens: Whole | None = None  # noqa: N815
    inputTokens: Whole | None = None  # noqa: N815
    outputTokens: Whole | None = None  # noqa: N815
    reasoningOutputTokens: Whole | None = None  # noqa: N815
    cacheReadInputTokens: Whole | None = None  # noqa: N815
    cacheCreationInputTokens: Whole | None = None  # noqa: N815
    inputTokensIncludeCache: bool | None = None  # noqa: N815
    overflowedTokens: list[str] | None = None  # noqa: N815


class RowData(Struct, gc=False, forbid_unknown_fields=True):
    """Payload of a token row."""

    provider: Scalar = None
    model: Scalar = None
    requestId: str | None = None  # noqa: N815
    status: Scalar = None
    aic: Number | None = None
    totalAic: Number | None = None  # noqa: N815
    premiumRequests: Number | None = None  # noqa: N815
    durationMs: Number | None = None  # noqa: N815
    usage: Usage | None = None


class TextData(Correlated, kw_only=True):
    """Payload of a message."""

    content: Scalar = None
    delta: Scalar = None
    deltaContent: Scalar = None  # noqa: N815
    partial: Scalar = None
    role: Scalar = None
    messageId: Scalar = None  # noqa: N815
    reasoningId: Scalar = None  # noqa: N815
    originatingMessageId: Scalar = None  # noqa: N815
    parentAgentTaskId: Scalar = None  # noqa: N815
    contentIndex: Scalar = None  # noqa: N815
    channel: Scalar = None


class AccessData(Struct, gc=False, forbid_unknown_fields=True):
    """Payload of a request through the firewall."""

    host: Scalar = None
    method: Scalar = None
    status: Scalar = None
    decision: Scalar = None
    bytes: Scalar = None
    durationMs: Scalar = None  # noqa: N815


class Envelope(Struct, gc=False, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """What every event has; ``data`` comes with its type."""

    provenance: Provenance
    id: str | None = None
    parentId: Scalar = None  # noqa: N815
    timestamp: Scalar = None
    agentId: str | None = None  # noqa: N815
    ephemeral: Scalar = None


class Start(Envelope, tag="tool.execution_start", kw_only=True):
    """A call begins."""

    data: StartData


class Done(Envelope, tag="tool.execution_complete", kw_only=True):
    """A call ends."""

    data: DoneData


class Request(Envelope, tag="mcp.rpc.request", kw_only=True):
    """The gateway asks a server."""

    data: McpData


class Response(Envelope, tag="mcp.rpc.response", kw_only=True):
    """A server answers."""

    data: McpData


class Record(Envelope, tag="mcp.tool_call", kw_only=True):
    """The gateway's record of a call."""

    data: McpData


class Note(Envelope, tag="mcp.event", kw_only=True):
    """Whatever else the gateway says."""

    data: NoteData


class Row(Envelope, tag="firewall.token_usage", kw_only=True):
    """The proxy's row of a model request."""

    data: RowData


_COUNTED: Final[tuple[tuple[str, type[Struct]], ...]] = (
    *((f"assistant.{kind}", TextData) for kind in ("message", "reasoning", "message_delta", "reasoning_delta")),
    ("user.message", TextData),
    ("system.message", TextData),
    ("assistant.turn_start", Correlated),
    ("assistant.turn_end", Correlated),
    ("firewall.http_access", AccessData),
    ("firewall.event", NoteData),
    ("firewall.steering", NoteData),
)
"""Frequent types that decide nothing: they are checked and counted."""


def _counted(kind: str, payload: type[Struct]) -> type[Struct]:
    return defstruct("Counted", [("data", payload)], bases=(Envelope,), tag=kind, kw_only=True, gc=False)


_CLASSES: Final[tuple[type[Struct], ...]] = (
    Start,
    Done,
    Request,
    Response,
    Record,
    Note,
    Row,
    *(_counted(*row) for row in _COUNTED),
)
TYPE_OF: Final[dict[type[Any], str]] = {kind: str(kind.__struct_config__.tag) for kind in _CLASSES}
"""Class to event type."""

decode: Final = Decoder(reduce(or_, _CLASSES)).decode
"""Bytes of one event to one of the classes. Raises ``msgspec.MsgspecError`` and ``RecursionError``."""
