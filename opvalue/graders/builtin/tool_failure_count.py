"""``tool-failure-count``: tool calls that failed or never finished (Graders Specification 4; reference 3.1).

Formula: the number of calls whose outcome is not success; an observed completion with an unknown outcome counts, and
so does a start without a completion (DESIGN 8). Unavailable without a failure where the agent's own events, which would
show one, were not collected: a gateway sees only some of an agent's calls.
"""

from opvalue.graders.counting import counted
from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    if lookups.calls.failed == 0 and "agent" not in lookups.collected:
        return unavailable("the agent's events were not collected")
    return counted(lookups.calls, lookups.calls.failed)
