"""``dependency-order-violation-rate``: objectives met before what they depend on (reference 3.2).

Formula: completed dependents with a prerequisite that is unmet, invalid or satisfied strictly later / completed
dependents. An objective is completed if its satisfaction is an event index; equal indexes are in order.
Source: objectives.
Unavailable: no objectives; an id missing or given twice; ``dependsOn`` that is no list or names an unknown id; no
dependencies; no dependent completed.
"""

from collections.abc import Mapping

from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import Objective, identified, is_index, is_text, objectives
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of completed dependents that came too early."""
    declared = objectives(projection)
    completed = {identified(one.record, "objectives"): _completed(one) for one in declared}
    if len(completed) < len(declared):
        raise Missing("two objectives have one id")
    dependents = [
        (identifier, _prerequisites(one, completed)) for identifier, one in zip(completed, declared, strict=True)
    ]
    if not any(prerequisites for _, prerequisites in dependents):
        raise Missing("no objective depends on another")
    judged = [
        (at, prerequisites)
        for identifier, prerequisites in dependents
        if prerequisites and (at := completed[identifier]) is not None
    ]
    if not judged:
        raise Missing("no dependent objective was completed")
    return sum(_violates(at, prerequisites, completed) for at, prerequisites in judged) / len(judged)


def _completed(objective: Objective) -> float | None:
    return objective.satisfied_at if is_index(objective.satisfied_at) else None


def _prerequisites(objective: Objective, known: Mapping[str, float | None]) -> list[str]:
    declared = objective.record.get("dependsOn")
    if declared is None:
        return []
    if not isinstance(declared, list):
        raise Missing("the dependencies of an objective are no list")
    prerequisites = [identifier for identifier in declared if is_text(identifier) and identifier in known]
    if len(prerequisites) < len(declared):
        raise Missing("an objective depends on an unknown one")
    return prerequisites


def _violates(at: float, prerequisites: list[str], completed: Mapping[str, float | None]) -> bool:
    earlier = (completed[identifier] for identifier in prerequisites)
    return any(other is None or other > at for other in earlier)
