"""``recurrence-determinism``: recurrent points that continue an earlier sequence (reference 3.2).

Formula: points on diagonal lines of two or more / recurrent points, the main diagonal left out of both; 0 where
nothing recurs.
Source: the states in the order of the visits.
Unavailable: fewer than four visits.
"""

from opvalue.graders.trajectory.measuring import trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.recurrence import pairs, pairs_on_diagonals
from opvalue.graders.trajectory.sequences import visited_states
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of recurrent points on diagonal lines."""
    states = visited_states(projection, at_least=4)
    recurrent = pairs(states)
    return pairs_on_diagonals(states) / recurrent if recurrent else 0
