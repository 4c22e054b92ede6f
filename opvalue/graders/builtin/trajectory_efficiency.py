"""``trajectory-efficiency``: distinct tool names over all tool calls (Graders Specification 4; reference 3.1).

Formula: ``min(1, distinct names / calls)``; names compare exactly, letter case included. Unavailable without a call.
"""

from opvalue.graders.counting import counted
from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the ratio, above 0 and at most 1."""
    calls = lookups.calls
    if calls.total == 0:
        return unavailable("the session holds no tool call")
    return counted(calls, min(1, calls.distinct_names / calls.total))
