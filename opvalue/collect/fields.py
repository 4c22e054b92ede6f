"""What of an event's payload is kept: the projection of every known type, as data (reference 1.1, 1.4).

Each text names a field, then the other names under which logs have it; the first that is there counts, whatever its
value. A dot steps into an object, ``^`` starts at the event itself rather than at its ``data``; such names come last.
A type that is not listed keeps its payload whole. Applying a projection twice is the same as once. Nothing given is
changed; values are shared, not copied.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from opvalue.strictjson import JsonObject, JsonValue

_CORRELATION: Final = (
    "sessionId",
    "agentId",
    "parentAgentId",
    "parentToolUseId",
    "model",
    "apiCallId",
    "interactionId",
    "turnId",
    "parentToolCallId",
)
_SESSION: Final = (
    "sourceEngine",
    "model selectedModel",
    "sessionId session_id",
    "cwd",
    "reasoningEffort",
)
_MESSAGE: Final = (
    "content",
    "delta",
    "partial",
    "messageId message_id ^message.id",
    "reasoningId",
    "originatingMessageId",
    "parentAgentTaskId",
    "contentIndex",
    "channel",
    *_CORRELATION,
)
_CALL: Final = ("toolCallId tool_call_id tool_use_id", "toolName tool_name", "mcpServerName")
_GATEWAY: Final = (
    "serverName server_name server_id",
    "direction",
    "rpcId payload.id",
    "method payload.method",
    "toolName tool_name payload.params.name",
    "toolCallId",
    "requestId",
    "durationMs duration_ms duration",
    "inputSize",
    "outputSize",
    "status",
    "reason",
    "error payload.error",
)
_OTHER_EVENT: Final = (
    "event type event_name eventName",
    "level",
    "status",
    "message",
    "reason",
    "requestId request_id rid",
)
_ACCOUNT: Final = (
    "provider",
    "model",
    "requestId request_id",
    "status",
    "aic",
    "totalAic total_aic",
    "premiumRequests premium_requests",
    "durationMs duration_ms",
    "usage",
)
_ROUTING: Final = (
    "provider",
    "model",
    "requestedModel requested_model",
    "selectedModel selected_model",
    "requestId request_id",
    "reason",
    "status",
    "outcome",
)
_SAFE_OUTPUT: Final = (
    "type",
    "repo",
    "number",
    "provider",
    "identifier",
    "url",
    "status",
    "message",
    "error",
    "errorCode error_code",
)
_GRADE: Final = (
    "id",
    "name",
    "status",
    "value",
    "score",
    "unit",
    "passed",
    "direction",
    "threshold",
    "error",
)

FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "session.init": _SESSION,
    "session.start": _SESSION,
    "user.message": _MESSAGE,
    "assistant.message": _MESSAGE,
    "assistant.reasoning": _MESSAGE,
    "assistant.refusal": (*_MESSAGE, "reason", "policyCategory", "explanation"),
    "system.message": ("content", "role", *_CORRELATION),
    "assistant.message_delta": ("messageId", "deltaContent", *_CORRELATION),
    "assistant.reasoning_delta": ("reasoningId", "deltaContent", *_CORRELATION),
    "assistant.turn_start": _CORRELATION,
    "assistant.turn_end": _CORRELATION,
    "session.task_complete": ("summary", "success", *_CORRELATION),
    "tool.execution_start": (*_CALL, "input parameters arguments", "command", *_CORRELATION),
    "tool.execution_complete": (
        *_CALL,
        "success",
        "output result",
        "error",
        "durationMs duration_ms",
        "exitCode exit_code",
        "status",
        "isError is_error",
        "taskId",
        "taskType",
        "workflowName",
        "workflowRunId",
        *_CORRELATION,
    ),
    "session.result": (
        "numTurns",
        "durationMs",
        "totalCostUsd",
        "status",
        "sourceType",
        "errors",
        "permissionDenials",
        "agentMetrics",
        "usage",
        *_CORRELATION,
    ),
    "agent.execution": ("categories", "errorCodes", "errorTypes", "exitCode"),
    "execution.result": (
        "outcome",
        "conclusion",
        "exitCode exit_code",
        "durationMs duration_ms",
        "startedAt started_at",
        "finishedAt finished_at",
    ),
    "mcp.rpc.request": _GATEWAY,
    "mcp.rpc.response": _GATEWAY,
    "mcp.difc.filtered": _GATEWAY,
    "mcp.guard.blocked": _GATEWAY,
    "mcp.tool_call": _GATEWAY,
    "mcp.event": _OTHER_EVENT,
    "firewall.event": _OTHER_EVENT,
    "firewall.steering": _OTHER_EVENT,
    "firewall.http_access": (
        "host domain",
        "method",
        "status http_status",
        "decision squid_request_status",
        "bytes",
        "durationMs duration_ms",
    ),
    "firewall.token_usage": _ACCOUNT,
    "usage.report": _ACCOUNT,
    "firewall.model_routing": _ROUTING,
    "model_routing.outcome": _ROUTING,
    "github_api.rate_limit": ("source", "operation", "resource", "limit", "remaining", "used", "reset"),
    "guardrail.daily_aic": ("decision", "limit", "used", "remaining", "reason"),
    "safe_output.request": _SAFE_OUTPUT,
    "safe_output.result": _SAFE_OUTPUT,
    "safe_output.error": (*_SAFE_OUTPUT, "errors failures"),
    "experiment.state": ("runId run_id", "assignments", "counts"),
    "experiment.assignment": ("assignments",),
    "eval.result": ("id", "answer", "model", "error"),
    "detection.result": (
        "jobResult job_result",
        "conclusion",
        "reason",
        "promptInjection prompt_injection",
        "secretLeak secret_leak",
        "maliciousPatch malicious_patch",
    ),
    "workflow.info": (
        "engine engine_id",
        "agentVersion agent_version",
        "cliVersion cli_version",
        "awfVersion awf_version",
        "mcpgVersion mcpg_version awmg_version",
        "requestedModel requested_model model",
        "triggerType trigger_type event_name",
        "workflow workflow_name",
        "repository",
        "runId run_id",
        "runAttempt run_attempt",
        "dryRun dry_run staged",
    ),
    "prompt.system": ("content",),
    "prompt.user": ("content",),
    "grader.manifest": ("graders",),
    "grader.result": ("results", *_GRADE),
}
"""Type to fields."""

USAGE: Final = (
    "totalTokens total_tokens",
    "inputTokens input_tokens",
    "outputTokens output_tokens",
    "reasoningOutputTokens reasoning_output_tokens reasoning_tokens",
    "cacheReadInputTokens cache_read_input_tokens cache_read_tokens",
    "cacheCreationInputTokens cache_creation_input_tokens cache_write_tokens",
    "inputTokensIncludeCache input_tokens_include_cache",
    "overflowedTokens overflowed_tokens",
)
"""Fields of ``usage``. A count under any other name is none of these, so it is absent rather than 0 (AW-05)."""

_ACCOUNTS: Final = frozenset({"firewall.token_usage", "usage.report"})
_RPC: Final = frozenset(name for name, fields in FIELDS.items() if fields is _GATEWAY)
_MISSING: Final = object()


def project(kind: str, data: JsonObject, event: JsonObject | None = None) -> JsonObject:
    """Return the payload of an event of the type ``kind`` as the session keeps it.

    ``data`` is the native payload, ``event`` the native event around it.
    """
    fields = FIELDS.get(kind)
    if fields is None:
        return data
    found = _pick(fields, data, event or {})
    return _AFTER[kind](found, data) if kind in _AFTER else found


def token_fields(record: JsonObject) -> bool:
    """Tell whether ``record`` has token counts at its top level or in a ``usage`` of its own."""
    return bool(_pick(USAGE, record, {})) or isinstance(record.get("usage"), dict)


class _Field(NamedTuple):
    """One field, its names read."""

    name: str
    plain: tuple[str, ...]
    """Names at the top of the payload, the field's own first."""
    deep: tuple[tuple[bool, tuple[str, ...]], ...]
    """Further places: whether they begin at the event, and the steps. None of them comes before a plain name."""


@cache
def _read(fields: tuple[str, ...]) -> tuple[_Field, ...]:
    found = []
    for field in fields:
        names = field.split(" ")
        plain = tuple(name for name in names if name.isidentifier())
        deep = tuple((name.startswith("^"), tuple(name.removeprefix("^").split("."))) for name in names[len(plain) :])
        found.append(_Field(names[0], plain, deep))
    return tuple(found)


def _pick(fields: tuple[str, ...], data: JsonObject, event: JsonObject) -> JsonObject:
    found: JsonObject = {}
    for name, plain, deep in _read(fields):
        for other in plain:
            if other in data:
                found[name] = data[other]
                break
        else:
            for of_event, steps in deep:
                value = _at(steps, event if of_event else data)
                if value is not _MISSING:
                    found[name] = value  # type: ignore[assignment]
                    break
    return found


def _at(steps: tuple[str, ...], start: JsonObject) -> object:
    current: object = start
    for step in steps:
        if not isinstance(current, dict) or step not in current:
            return _MISSING
        current = current[step]
    return current


def _account(found: JsonObject, data: JsonObject) -> JsonObject:
    nested = data.get("usage")
    usage = _pick(USAGE, nested if isinstance(nested, dict) else data, {})
    kept = {key: value for key, value in found.items() if key != "usage"}
    return {**kept, "usage": usage} if usage else kept


def _result(found: JsonObject, _data: JsonObject) -> JsonObject:
    usage = found.get("usage")
    return {**found, "usage": _pick(USAGE, usage, {})} if isinstance(usage, dict) else found


def _rpc(found: JsonObject, _data: JsonObject) -> JsonObject:
    error = found.get("error")
    return {**found, "error": _pick(("code", "message"), error, {})} if isinstance(error, dict) else found


def _completion(found: JsonObject, _data: JsonObject) -> JsonObject:
    output = found.get("output")
    nested = isinstance(output, dict) and (output.get("isError") is True or output.get("is_error") is True)
    return {**found, "isError": True} if nested else found


def _assignment(found: JsonObject, data: JsonObject) -> JsonObject:
    return found or {"assignments": data}


def _grades(found: JsonObject, _data: JsonObject) -> JsonObject:
    return {key: _grade_list(value) if key in ("graders", "results") else value for key, value in found.items()}


def _grade_list(value: JsonValue) -> JsonValue:
    if not isinstance(value, list):
        return value
    return [_pick(_GRADE, item, {}) for item in value if isinstance(item, dict)]


_AFTER: Final[dict[str, Callable[[JsonObject, JsonObject], JsonObject]]] = {
    **dict.fromkeys(_ACCOUNTS, _account),
    **dict.fromkeys(_RPC, _rpc),
    "session.result": _result,
    "tool.execution_complete": _completion,
    "experiment.assignment": _assignment,
    "grader.manifest": _grades,
    "grader.result": _grades,
}
"""Types whose payload needs more than picking fields."""
