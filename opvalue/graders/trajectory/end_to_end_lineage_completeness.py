"""``end-to-end-lineage-completeness``: outputs that trace back to a call or observation (reference 3.2).

Formula: ``safe_output`` events whose ref leads back along the edges to a tool call or observation / such events. A ref
that is itself the id of one counts.
Source: events, provenance edges, tool calls, observations.
Unavailable: one of the four was not recorded or is malformed; no outputs; an output without a ref.
"""

from opvalue.graders.trajectory.lineage import traceable
from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import identified, of_kind
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of traceable outputs."""
    outputs = of_kind(projection, "safe_output")
    reached = traceable(projection)
    if not outputs:
        raise Missing("no safe output was produced")
    return sum(identified(output, "events", "ref") in reached for output in outputs) / len(outputs)
