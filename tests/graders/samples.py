"""Lookups and events of made-up sessions."""

from typing import Any, Final

from opvalue.session.lookups import Calls, Evals, Lookups, Requests

EVERYTHING: Final = frozenset({"agent", "mcp", "firewall", "safe_output"})
NO_CALLS: Final = Calls(total=0, failed=0, distinct_names=0, repeated=0, undecided=0)
NO_REQUESTS: Final = Requests(
    source="none",
    count=0,
    duration_ms=None,
    input_sum=0,
    peak_input=0,
    total_tokens=0,
    first_total=None,
    without_tokens=0,
)
NO_EVALS: Final = Evals(total=0, yes=0, no=0, unknown=0, by_question={})


def lookups(**changes: Any) -> Lookups:
    """Return the lookups of an empty session, of which nothing was collected, with changes."""
    empty = Lookups(
        collected=frozenset(),
        calls=NO_CALLS,
        requests=NO_REQUESTS,
        retries=0,
        safe_output_results=0,
        session_duration_ms=None,
        events=0,
        by_type={},
        phases={},
        run_id=None,
        attempt=None,
        experiments={},
        evals=NO_EVALS,
    )
    return empty._replace(**changes)


def calls(total: int, failed: int = 0, distinct_names: int = 1, repeated: int = 0) -> Lookups:
    """Return the lookups of a session with tool calls."""
    made = Calls(total, failed, distinct_names, repeated, undecided=0)
    return lookups(calls=made, collected=frozenset({"agent"}))


def requests(**changes: Any) -> Lookups:
    """Return the lookups of a session in which the proxy saw requests."""
    made = NO_REQUESTS._replace(source="proxy", **changes)
    return lookups(requests=made, collected=frozenset({"firewall"}))
