"""``recurrence-trapping-time``: the mean length of the runs in which a state persists (reference 3.2).

Formula: points on vertical runs of two or more / number of such runs; the cell of a visit with itself breaks a run; 0
where there is none.
Source: the states in the order of the visits.
Unavailable: fewer than four visits.
"""

from opvalue.graders.trajectory.measuring import trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.recurrence import verticals
from opvalue.graders.trajectory.sequences import visited_states
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the mean length in steps."""
    found = verticals(visited_states(projection, at_least=4))
    return found.points / found.runs if found.runs else 0
