"""``execution-duration``: observed duration in milliseconds (Graders Specification 4; DESIGN 8; reference 3.1).

Formula: the sum of the durations of the proxy's requests, which is not wall clock; without proxy telemetry the main
session's own duration. Unavailable where that is absent or negative, and where one of the requests has no usable
duration: a sum that leaves one out would be shorter than what was observed. So it is where a sum is beyond the range
of a number.
"""

import math

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the milliseconds."""
    if lookups.requests.source == "proxy":
        duration, reason = lookups.requests.duration_ms, "a request of the proxy's shows no usable duration"
    else:
        duration, reason = lookups.session_duration_ms, "neither the proxy nor the main session shows a usable duration"
    if duration == math.inf:
        return unavailable("the durations add up to more than a number can hold")
    return unavailable(reason) if duration is None else Measured(duration)
