"""``tool-output-consumption-rate``: tool observations that an action consumed (reference 3.2).

Formula: tool observations with at least one id in ``consumedByActionIds`` / tool observations. An observation is a
tool's if its ``sourceToolCallId`` is the id of a tool call. An id is a text with at least one character.
Source: observations and tool calls.
Unavailable: no observations; none that came from a tool; consumption was not recorded.
"""

from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import is_text, records
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of consumed tool observations."""
    observations = records(projection.observations, "observations")
    if not observations:
        raise Missing("there are no observations")
    calls = {call["id"] for call in records(projection.tool_calls, "toolCalls") if is_text(call.get("id"))}
    of_tools = [
        observation
        for observation in observations
        if is_text(source := observation.get("sourceToolCallId")) and source in calls
    ]
    if not of_tools:
        raise Missing("no observation came from a tool call")
    if not projection.consumption_recorded:
        raise Missing("the session does not record which actions consumed an observation")
    return sum(map(_consumed, of_tools)) / len(of_tools)


def _consumed(observation: JsonObject) -> bool:
    consumers = observation.get("consumedByActionIds")
    return isinstance(consumers, list) and any(is_text(consumer) for consumer in consumers)
