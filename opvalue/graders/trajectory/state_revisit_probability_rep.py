"""``state-revisit-probability-rep``: visits to states that had been visited before (reference 3.2).

Formula: (visits - distinct states) / visits.
Source: the states in the order of the visits.
Unavailable: fewer than two visits.
"""

from opvalue.graders.trajectory.measuring import trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.sequences import visited_states
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of revisits."""
    states = visited_states(projection, at_least=2)
    return (len(states) - len(set(states))) / len(states)
