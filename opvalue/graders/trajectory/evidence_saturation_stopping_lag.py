"""``evidence-saturation-stopping-lag``: events after the last objective was met (reference 3.2).

Formula: the number of events whose index exceeds the largest satisfaction index.
Source: objectives and events.
Unavailable: no objectives; an unmet or malformed one; an event without an index; a satisfaction that is the index of
no event.
"""

from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import indexed_objectives, is_index, records
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> int:
    """Return the number of events too many."""
    satisfied = [objective.satisfied_at for objective in indexed_objectives(projection)]
    met_at = [index for index in satisfied if is_index(index)]
    if len(met_at) < len(satisfied):
        raise Missing("an objective is unmet")
    indexes = [event.get("index") for event in records(projection.events, "events")]
    places = [index for index in indexes if is_index(index)]
    if len(places) < len(indexes):
        raise Missing("an event has no index")
    if not set(met_at) <= set(places):
        raise Missing("an objective is satisfied at the index of no event")
    last = max(met_at)
    return sum(place > last for place in places)
