"""``artifact-production``: the number of safe-output results (Graders Specification 4; reference 3.1).

Formula: the number of ``safe_output.result`` events. Unavailable without one where no safe output was collected.
"""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Lookups


def measure(lookups: Lookups) -> Measured:
    """Return the count."""
    if lookups.safe_output_results == 0 and "safe_output" not in lookups.collected:
        return unavailable("safe outputs were not collected")
    return Measured(lookups.safe_output_results)
