"""``premature-termination-gap``: objectives that were still unmet at the end (reference 3.2).

Formula: the number of objectives without a satisfaction; index 0 is one.
Source: objectives.
Unavailable: no objectives; a malformed one; a satisfaction that is no event index.
"""

from opvalue.graders.trajectory.measuring import trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import indexed_objectives
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> int:
    """Return the number of unmet objectives."""
    return sum(not objective.met for objective in indexed_objectives(projection))
