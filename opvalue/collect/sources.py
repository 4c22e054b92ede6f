"""Where a run's logs lie, and in which order they are read (reference 1.3), as data.

Of several candidates of one source the first that exists is read, also when it is empty; the others are copies.
Paths are relative to the run's folder, which is gh-aw's runtime root or the artifact unpacked from it.
"""

from typing import Final, NamedTuple


class Place(NamedTuple):
    """What a source is evidence of."""

    component: str
    phase: str


class Records(NamedTuple):
    """A source whose records are flat: the event type, and where the file may lie."""

    type: str
    place: Place
    candidates: tuple[str, ...]
    unwrap: tuple[str, ...] = ()
    """Fields that hold the records, where the file is one object around them."""


class Area(NamedTuple):
    """Folders of logs of one phase: the gateway's and the firewall's."""

    phase: str
    root: str


WORKFLOW: Final = Records("workflow.info", Place("workflow", "activation"), ("aw_info.json", "usage/aw_info.json"))
PROMPTS: Final = (("prompt.system", "aw-prompts/system.txt"), ("prompt.user", "aw-prompts/user.txt"))
PROMPT: Final = Place("prompt", "activation")

AGENT: Final = Place("agent", "agent")
CANONICAL: Final = "agent-session.jsonl"
NATIVE_FOLDER: Final = "sandbox/agent/logs/copilot-session-state"
NATIVE_FILE: Final = "events.jsonl"
PI_STREAM: Final = "pi-streaming.jsonl"
STDIO: Final = ("agent-stdio.log", "threat-detection/detection.log")
"""Read for what they mask; the first is also what an agent's stream is missed in, where there is no other."""

AREAS: Final = (Area("agent", ""), Area("detection", "threat-detection/"))
GATEWAY_FOLDER: Final = "mcp-logs"
FIREWALL_FOLDERS: Final = (
    "sandbox/firewall/logs",
    "sandbox/firewall/audit",
    "sandbox/firewall-audit-logs",
    "firewall-logs",
    "firewall-audit-logs",
)
IN_SECONDS: Final = "audit.jsonl"
"""The one log, Squid's, whose numbers are seconds."""

LOOSE_GATEWAY: Final = ("gateway.jsonl", "rpc-messages.jsonl")
LOOSE_TOKENS: Final = ("token-usage.jsonl", "usage/agent/token_usage.jsonl")
"""Trace files kept outside their folders; read where the folders hold no such file."""

RECORDS: Final = (
    Records("safe_output.request", Place("safe_output", "agent"), ("safeoutputs.jsonl",)),
    Records("safe_output.result", Place("safe_output", "safe_outputs"), ("safe-output-items.jsonl",)),
    Records("safe_output.error", Place("safe_output", "safe_outputs"), ("safe-output-errors.json",)),
    Records(
        "experiment.state",
        Place("experiment", "activation"),
        ("experiment/state.jsonl", "usage/experiment/state.jsonl"),
    ),
    Records(
        "experiment.state", Place("experiment", "activation"), ("experiment/state.json", "usage/experiment/state.json")
    ),
    Records(
        "experiment.assignment",
        Place("experiment", "activation"),
        ("experiment/assignments.json", "usage/experiment/assignments.json"),
    ),
    Records(
        "grader.manifest",
        Place("grader", "agent"),
        ("agent/graders/grader_manifest.json", "usage/graders/grader_manifest.json"),
    ),
    Records(
        "grader.result",
        Place("grader", "agent"),
        ("agent/graders/grader_results.json", "usage/graders/grader_results.json"),
    ),
    Records("eval.result", Place("eval", "evals"), ("evals/evals.jsonl", "usage/evals.jsonl")),
    Records("usage.report", Place("usage", "agent"), ("agent_usage.json", "usage/agent_usage.json")),
    Records(
        "github_api.rate_limit",
        Place("github_api", "agent"),
        ("github_rate_limits.jsonl", "usage/github_rate_limits.jsonl"),
    ),
    Records(
        "usage.report",
        Place("usage", "detection"),
        ("threat-detection/agent_usage.json", "usage/detection/agent_usage.json"),
    ),
    Records("usage.report", Place("usage", "evals"), ("evals/agent_usage.json", "usage/evals/agent_usage.json")),
    Records("execution.result", Place("execution", "agent"), ("execution/agent.json", "usage/execution/agent.json")),
    Records(
        "execution.result",
        Place("execution", "detection"),
        ("execution/detection.json", "usage/execution/detection.json"),
    ),
    Records("execution.result", Place("execution", "evals"), ("execution/evals.json", "usage/execution/evals.json")),
    Records(
        "detection.result",
        Place("detection", "detection"),
        ("usage/detection/detection_result.json", "threat-detection/detection_result.json"),
    ),
)
"""The flat sources after the folders of logs."""

COPIES: Final = "usage/"
"""Where artifacts keep copies of what lies elsewhere in a run's folder."""

CONCLUDED: Final = ("usage/graders/grader_manifest.json", "usage/graders/grader_results.json")
CONCLUDED_VERSION: Final = 2
"""Files of this version there were written by a conclusion: they tell of the session, so they are no source of it."""

AGENT_OUTPUT: Final = Records(
    "safe_output.request", Place("safe_output", "agent"), ("agent_output.json",), unwrap=("items", "outputs")
)
"""What the agent asked for, as the agent job passed it on: read where ``safeoutputs.jsonl`` is not there."""

RAW_DETECTION: Final = "threat-detection/detection_result.json"
"""The detection's own record, whose free-form reason is left out."""

AGENT_ERRORS: Final = ("agent-errors.jsonl", Place("execution", "agent"))
