"""``working-set-rebuild-factor``: input tokens of all requests over the peak (Graders Specification 4; reference 3.1).

Formula: ``max(1, sum(input) / max(input))`` over the requests whose input is a non-negative integer; others are left
out, cache tokens never enter, and the sum is exact. Unavailable where no request shows an input above 0, as with totals
alone: there is no peak to divide by (SE-03).
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the factor, at least 1."""
    requests = lookups.requests
    if requests.peak_input == 0:
        return unavailable("no request shows input tokens")
    return Measured(max(1, requests.input_sum / requests.peak_input))
