"""``action-provenance-coverage``: consequential actions that trace back to evidence (reference 3.2).

Formula: actions with ``consequential`` true whose id leads back along the edges to a tool call or observation / such
actions.
Source: actions, provenance edges, tool calls, observations.
Unavailable: one of the four was not recorded or is malformed; a flag that is not true or false; no consequential
action, or one without an id.
"""

from opvalue.graders.trajectory.lineage import traceable
from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import flag, identified, records
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of traceable consequential actions."""
    actions = records(projection.actions, "actions")
    consequential = [action for action in actions if flag(action, "consequential", "actions")]
    reached = traceable(projection)
    if not consequential:
        raise Missing("no action is consequential")
    return sum(identified(action, "actions") in reached for action in consequential) / len(consequential)
