"""``loops``: calls that repeat the call before them (Graders Specification 4; reference 3.1).

Formula: the number of calls with the tool name and arguments of their predecessor; three equal calls in a row are two.
Arguments compare as parsed values, keys sorted; two that are both recorded as absent are equal, two that redaction
removed are not (DESIGN 8). Unavailable without a call where the agent's own events were not collected.
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    if lookups.calls.total == 0 and "agent" not in lookups.collected:
        return unavailable("the agent's events were not collected")
    return Measured(lookups.calls.repeated)
