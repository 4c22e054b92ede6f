"""``recurrence-laminarity``: recurrent points in which a state persists (reference 3.2).

Formula: points on vertical runs of two or more / recurrent points; the cell of a visit with itself breaks a run; 0
where nothing recurs.
Source: the states in the order of the visits.
Unavailable: fewer than four visits.
"""

from opvalue.graders.trajectory.measuring import trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.recurrence import pairs, verticals
from opvalue.graders.trajectory.sequences import visited_states
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of recurrent points on vertical runs."""
    states = visited_states(projection, at_least=4)
    recurrent = 2 * pairs(states)
    return verticals(states).points / recurrent if recurrent else 0
