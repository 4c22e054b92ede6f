"""``grounding-accuracy``: actions that were valid when they were issued (reference 3.2).

Formula: actions with ``validAtIssueTime`` true / actions.
Source: actions.
Unavailable: no actions; a malformed one; a flag that is not true or false.
"""

from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import flag, records
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of valid actions."""
    actions = records(projection.actions, "actions")
    if not actions:
        raise Missing("there are no actions")
    return sum(flag(action, "validAtIssueTime", "actions") for action in actions) / len(actions)
