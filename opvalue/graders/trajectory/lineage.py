"""What can be traced back to evidence along provenance edges: tool calls, observations, and all that came from them."""

from collections import defaultdict

from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import identified, is_text, records


def traceable(projection: Projection) -> frozenset[str]:
    """Return the ids of calls and observations and every id that they lead to, over any number of edges.

    Linear in items and edges. Raises ``Missing`` where one of the three collections is absent or an item malformed.
    """
    came_from: dict[str, list[str]] = defaultdict(list)
    for edge in records(projection.provenance_edges, "provenanceEdges"):
        came_from[identified(edge, "provenanceEdges", "from")].append(identified(edge, "provenanceEdges", "to"))
    calls = records(projection.tool_calls, "toolCalls")
    observations = records(projection.observations, "observations")
    waiting = [record.get("id") for record in (*calls, *observations)]
    reached: set[str] = set()
    while waiting:
        identifier = waiting.pop()
        if is_text(identifier) and identifier not in reached:
            reached.add(identifier)
            waiting.extend(came_from.get(identifier, ()))
    return frozenset(reached)
