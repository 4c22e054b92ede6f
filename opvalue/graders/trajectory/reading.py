"""Read the items of a projection strictly: what is malformed is missing evidence, never skipped in silence.

Every function raises ``Missing``, naming the collection, where an item cannot be used.
"""

from typing import NamedTuple, TypeGuard

from opvalue.graders.trajectory.measuring import Missing
from opvalue.graders.trajectory.projection import Items, Projection
from opvalue.strictjson import JsonObject, JsonValue

_LARGEST_EXACT = 2**53 - 1


def is_index(value: JsonValue) -> TypeGuard[int | float]:
    """Tell whether ``value`` is a whole number that is not negative and exact in a double."""
    if isinstance(value, float):
        return value.is_integer() and 0 <= value <= _LARGEST_EXACT
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_EXACT


def is_text(value: JsonValue) -> TypeGuard[str]:
    """Tell whether ``value`` is a string with at least one character."""
    return isinstance(value, str) and value != ""


def required(items: Items | None, name: str) -> Items:
    """Return the collection ``name``, which must have been recorded; it may be empty."""
    if items is None:
        raise Missing(f"the session records no {name}")
    return items


def records(items: Items | None, name: str) -> tuple[JsonObject, ...]:
    """Return the collection ``name``, each item of which must be an object."""
    return tuple(_record(item, name) for item in required(items, name))


def _record(item: JsonValue, name: str) -> JsonObject:
    if not isinstance(item, dict):
        raise Missing(f"an item of {name} is malformed")
    return item


def flag(record: JsonObject, field: str, name: str) -> bool:
    """Return a field that must be true or false."""
    value = record.get(field)
    if not isinstance(value, bool):
        raise Missing(f"an item of {name} has no {field} that is true or false")
    return value


def identified(record: JsonObject, name: str, field: str = "id") -> str:
    """Return a field that must be a text with at least one character."""
    value = record.get(field)
    if not is_text(value):
        raise Missing(f"an item of {name} has no {field}")
    return value


class Objective(NamedTuple):
    """One declared objective, its satisfaction as recorded."""

    record: JsonObject
    satisfied_at: JsonValue
    """The index of the event that met it; ``None`` where it is unmet, index 0 is met. Not judged yet."""

    @property
    def met(self) -> bool:
        """Whether anything is recorded as having met it."""
        return self.satisfied_at is not None


def objectives(projection: Projection) -> tuple[Objective, ...]:
    """Return the declared objectives, at least one."""
    declared = records(projection.objectives, "objectives")
    if not declared:
        raise Missing("no objectives are declared")
    return tuple(Objective(record, record.get("satisfiedAtEventIndex")) for record in declared)


def indexed_objectives(projection: Projection) -> tuple[Objective, ...]:
    """Return the declared objectives, whose satisfaction must be an index or nothing."""
    declared = objectives(projection)
    if not all(is_index(objective.satisfied_at) for objective in declared if objective.met):
        raise Missing("an objective is satisfied at what is no event index")
    return declared


def of_kind(projection: Projection, kind: str) -> tuple[JsonObject, ...]:
    """Return the events of ``kind``, in order; other events are not looked at, and may be none."""
    events = required(projection.events, "events")
    return tuple(event for event in events if isinstance(event, dict) and event.get("kind") == kind)
