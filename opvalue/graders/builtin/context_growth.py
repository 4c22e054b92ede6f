"""``context-growth``: tokens of all requests over those of the first (Graders Specification 4; reference 3.1).

Formula: ``total tokens / tokens of the first request``; 1 for a single request. Cache tokens enter only where the row
says that its input excludes them (DESIGN 8). Unavailable without a first request that shows tokens above 0, and where
a later one shows none: the total would be short of what was used.
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the factor."""
    requests = lookups.requests
    if not requests.first_total:
        return unavailable("the first request shows no tokens")
    if requests.without_tokens:
        return unavailable("a request shows no tokens")
    return Measured(requests.total_tokens / requests.first_total)
