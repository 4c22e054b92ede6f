"""``tool-success-rate``: successful tool calls over all tool calls (Graders Specification 4; reference 3.1).

Formula: ``(calls - failed) / calls``. A call that never finished, or finished with an unknown outcome, failed
(Graders Specification 2; DESIGN 8). Unavailable without a call: nothing divided by nothing is no rate (SE-07); and
without a failure where the agent's own events, which would show one, were not collected.
"""

from opvalue.graders.counting import counted
from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the rate, from 0 to 1."""
    calls = lookups.calls
    if calls.total == 0:
        return unavailable("the session holds no tool call")
    if calls.failed == 0 and "agent" not in lookups.collected:
        return unavailable("the agent's events were not collected")
    return counted(calls, (calls.total - calls.failed) / calls.total)
