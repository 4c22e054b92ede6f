"""``objective-coverage``: declared objectives that were met (reference 3.2).

Formula: objectives with a satisfaction / objectives; index 0 is a satisfaction.
Source: objectives.
Unavailable: no objectives; a malformed one; a satisfaction that is no event index.
"""

from opvalue.graders.trajectory.measuring import trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import indexed_objectives
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of met objectives."""
    declared = indexed_objectives(projection)
    return sum(objective.met for objective in declared) / len(declared)
