"""The words a unified session is built from: event types, components, phases (reference 1.1, 1.4).

They are public, so redaction leaves them alone. A session may hold other types; those are carried whole.
"""

from typing import Final

COMPONENTS: Final = (
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
)
"""What an event can be evidence of."""

REPORTED_WHEN_ABSENT: Final = COMPONENTS[:7]
"""Components that ``session.collection`` names when no source of theirs was there, in this order."""

PHASES: Final = ("activation", "agent", "detection", "evals", "safe_outputs", "workflow", "conclusion")
"""The parts of a run."""

ENVELOPE: Final = ("type", "id", "parentId", "timestamp", "agentId", "ephemeral", "data", "provenance")
"""The fields of an event, in the order they are written."""

FORMAT: Final = "session.format"
WARNING: Final = "session.collection_warning"
COLLECTION: Final = "session.collection"

REDACTED: Final = "***REDACTED***"
"""Stands where a named secret, or something of its shape, was."""
MASKED: Final = "***"
"""Stands where something was that the run itself masked. Also found wherever ``REDACTED`` is."""

TYPES: Final = frozenset(
    {
        FORMAT,
        WARNING,
        COLLECTION,
        "session.init",
        "session.start",
        "session.result",
        "session.task_complete",
        "system.message",
        "user.message",
        "assistant.message",
        "assistant.reasoning",
        "assistant.refusal",
        "assistant.message_delta",
        "assistant.reasoning_delta",
        "assistant.turn_start",
        "assistant.turn_end",
        "tool.execution_start",
        "tool.execution_complete",
        "agent.execution",
        "execution.result",
        "mcp.rpc.request",
        "mcp.rpc.response",
        "mcp.difc.filtered",
        "mcp.guard.blocked",
        "mcp.tool_call",
        "mcp.event",
        "firewall.http_access",
        "firewall.token_usage",
        "firewall.model_routing",
        "firewall.steering",
        "firewall.event",
        "model_routing.outcome",
        "usage.report",
        "github_api.rate_limit",
        "guardrail.daily_aic",
        "safe_output.request",
        "safe_output.result",
        "safe_output.error",
        "experiment.state",
        "experiment.assignment",
        "eval.result",
        "detection.result",
        "workflow.info",
        "prompt.system",
        "prompt.user",
        "grader.manifest",
        "grader.result",
    }
)
"""Event types whose payload is known."""
