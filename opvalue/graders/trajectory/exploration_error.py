"""``exploration-error``: how far observations fell short of the states visited (reference 3.2).

Formula: 1 - observations / distinct visited states, within 0 and 1, while an objective is unmet; else 0. The states
are the distinct refs of ``state_change`` events, else as many as ``states`` holds.
Source: objectives, events, states, observations.
Unavailable: no objectives; no states at all.
"""

from opvalue.graders.trajectory.measuring import Missing, clamped, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import is_text, objectives
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of states that lack an observation."""
    declared = objectives(projection)
    states = distinct_states(projection)
    if all(objective.met for objective in declared):
        return 0
    return clamped(1 - len(projection.observations or ()) / states)


def distinct_states(projection: Projection) -> int:
    """Return how many states were visited, at least one."""
    refs = {
        event["ref"]
        for event in projection.events or ()
        if isinstance(event, dict) and event.get("kind") == "state_change" and is_text(event.get("ref"))
    }
    states = len(refs) or len(projection.states or ())
    if not states:
        raise Missing("no states are recorded")
    return states
