"""``execution-step-count``: model requests that were observed (Graders Specification 4; reference 3.1, 2.4).

Formula: the number of the proxy's requests, one row a request id; without proxy telemetry what the main session or the
usage report says. Unavailable where nothing shows a request and the firewall, which would, was not collected; and where
only totals of tokens are known.
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    requests = lookups.requests
    if requests.source == "none" and "firewall" not in lookups.collected:
        return unavailable("the proxy's telemetry was not collected")
    if requests.count is None:
        return unavailable("the session does not say how many requests there were")
    return Measured(requests.count)
