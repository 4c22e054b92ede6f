"""What is known about a session after one pass: the shared, frozen ground of every built-in grader (reference 2).

Values only, no computing here: ``scan`` and ``lookups_of`` make them. Every figure is of the main agent: events of
the phases ``detection`` and ``evals`` enter nothing but ``events``, ``by_type`` and ``phases``. Not decided here:
what is unavailable. A grader decides that from ``collected`` and from what is ``None``.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Source: TypeAlias = Literal["proxy", "session.result", "usage.report", "none"]

OTHER_TYPES: Final = ""
"""The key of ``by_type`` and ``phases`` that counts what came after ``Limits.session_kinds`` different names."""


class Calls(NamedTuple):
    """Tool calls: native ones, and those that only the gateway saw (DESIGN 8; reference 2.2, 2.3)."""

    total: int
    """Calls started, or seen only complete, each once."""
    failed: int
    """Calls that failed, ended with unknown outcome, or never ended."""
    distinct_names: int
    """Different tool names, as spelled; each call whose name redaction touched has one of its own."""
    repeated: int
    """Calls with the same tool name and equal arguments as the call before them in their scope."""
    undecided: int
    """Calls of the same tool as the one before, where nothing shows whether tool and arguments are equal."""
    uncertain: bool = False
    """Whether a call may be counted twice or as failed: too many calls or scopes, or names that redaction touched."""


class Requests(NamedTuple):
    """Model requests: one row per request id, the last (DESIGN 8; reference 2.4)."""

    source: Source
    """Where the rows are from: the proxy wins; ``none`` when nothing shows a request."""
    count: int | None  # type: ignore[assignment]  # the tuple's own count is not called
    """Requests observed. From ``session.result``: its number of turns; none where only totals are known."""
    duration_ms: int | float | None
    """Sum of the proxy's request durations; none without proxy rows, or when one row has no usable duration.

    Infinite where the sum is beyond a double.
    """
    input_sum: int
    """Input tokens of all requests that show a non-negative integer; cache tokens are never added."""
    peak_input: int
    """The largest input of one request; 0 when none shows any, or when only totals are known."""
    total_tokens: int
    """Tokens of all requests; cache tokens only where the row says that input excludes them."""
    first_total: int | None
    """Tokens of the first request; none when that request shows no tokens."""
    without_tokens: int
    """Requests that show no token figure at all."""


class Evals(NamedTuple):
    """Answers of the eval stage, for the context block of results (reference 5.2)."""

    total: int
    yes: int
    no: int
    unknown: int
    by_question: Mapping[str, str]
    """The last answer of each question id, upper-cased: ``YES``, ``NO`` or ``UNKNOWN``."""


class Lookups(NamedTuple):
    """Everything the ten defaults need, made once per session. Equal sessions give equal lookups."""

    collected: frozenset[str]
    """Components whose evidence was collected: events of them were seen, or ``session.collection`` says so.

    For ``agent``, ``mcp``, ``firewall`` and ``usage`` what detection and evals collected does not count, for
    ``safe_output`` only what was collected of the phase in which safe outputs are carried out.
    """
    calls: Calls
    requests: Requests
    retries: int
    """Retry observations in the main agent's ``mcp.event`` records."""
    safe_output_results: int
    """``safe_output.result`` events."""
    session_duration_ms: int | float | None
    """The main session's own duration as its ``session.result`` states it; none when absent or not usable.

    Infinite where the sum over several sessions is beyond a double.
    """
    events: int
    """All events read."""
    by_type: Mapping[str, int]
    """Events of each type."""
    phases: Mapping[str, int]
    """Events of each phase; without a phase: under the empty name."""
    run_id: str | None
    """The run the session says it is of (``workflow.info``, else ``experiment.state``)."""
    attempt: int | None
    """The attempt, where ``workflow.info`` names one."""
    experiments: Mapping[str, str]
    """Experiment name to assigned variant."""
    evals: Evals
