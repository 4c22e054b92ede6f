"""``loops``: calls that repeat the call before them (Graders Specification 4; reference 3.1).

Formula: the number of calls with the tool name and arguments of their predecessor; three equal calls in a row are two.
Arguments compare as parsed values, keys sorted; two that are both recorded as absent are equal, two that redaction
removed are not (DESIGN 8). Unavailable without a repetition where the agent's own events were not collected: a gateway
shows calls, and never what they were given.
"""

from opvalue.graders.counting import counted
from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    if lookups.calls.repeated == 0 and "agent" not in lookups.collected:
        return unavailable("the agent's events were not collected")
    return counted(lookups.calls, lookups.calls.repeated)
