"""``artifact-production``: the number of safe-output results (Graders Specification 4; reference 3.1).

Formula: the number of ``safe_output.result`` events. Unavailable without one where the results were not collected; what
the agent asked for is no result.
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    if lookups.safe_output_results == 0 and "safe_output" not in lookups.collected:
        return unavailable("the results of safe outputs were not collected")
    return Measured(lookups.safe_output_results)
