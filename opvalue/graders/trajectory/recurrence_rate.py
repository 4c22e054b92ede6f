"""``recurrence-rate``: pairs of visits that are to one state (reference 3.2).

Formula: sum over states of c (c - 1) / (n (n - 1)), c visits to the state of n in all.
Source: the states in the order of the visits.
Unavailable: fewer than two visits.
"""

from opvalue.graders.trajectory.measuring import trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.recurrence import pairs
from opvalue.graders.trajectory.sequences import visited_states
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of recurrent points."""
    states = visited_states(projection, at_least=2)
    return 2 * pairs(states) / (len(states) * (len(states) - 1))
