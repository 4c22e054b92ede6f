"""``retries``: retry observations among the main agent's MCP events (Graders Specification 4; reference 2.4).

Formula: the number of MCP events in phase ``agent`` that say they are a retry: a ``retry`` flag that is true, an event
named ``retry``, or a text message that holds the word in any case. Unavailable where no MCP event was collected.
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    if lookups.retries == 0 and "mcp" not in lookups.collected:
        return unavailable("the MCP gateway's events were not collected")
    return Measured(lookups.retries)
