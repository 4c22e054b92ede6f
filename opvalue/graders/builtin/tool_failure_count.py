"""``tool-failure-count``: tool calls that failed or never finished (Graders Specification 4; reference 3.1).

Formula: the number of calls whose outcome is not success; an observed completion with an unknown outcome counts, and
so does a start without a completion (DESIGN 8). Unavailable without a call where the agent's own events, which would
show one, were not collected.
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    if lookups.calls.total == 0 and "agent" not in lookups.collected:
        return unavailable("the agent's events were not collected")
    return Measured(lookups.calls.failed)
