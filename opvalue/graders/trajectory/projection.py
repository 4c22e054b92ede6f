"""The trajectory of a session in bounded collections: what trajectory graders read (reference 3.2).

Items are JSON values in the documented shape; a grader judges those it needs. A collection that nobody recorded is
``None``, which is not the same as one without items. The public way to a projection is ``project``, which takes the
events of a session; one put together by hand serves to try a formula.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonValue

MOST_ITEMS: Final = Limits().trajectory_items
"""Items that any collection may hold. Past it every grader is unavailable, naming the collection."""

Items = tuple[JsonValue, ...]

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


class Projection(NamedTuple):
    """The collections of one trajectory, each ``None`` where it was not recorded."""

    events: Items | None = None
    """``{index, kind, timestamp?, ref?}``; kinds are tool_call, observation, state_change, message, safe_output."""
    states: Items | None = None
    """``{id, label?, firstEventIndex?}``, or plain ids in the order of the visits."""
    actions: Items | None = None
    """``{id, eventIndex?, type, target?, validAtIssueTime, consequential}``."""
    tool_calls: Items | None = None
    """``{id?, eventIndex?, name, arguments?, success?, completed?}``."""
    observations: Items | None = None
    """``{id?, eventIndex?, sourceToolCallId?, consumedByActionIds?}``."""
    resources: Items | None = None
    """``{id?, kind, uri}``."""
    provenance_edges: Items | None = None
    """``{from, to, relation?}``: ``to`` came from ``from``."""
    objectives: Items | None = None
    """``{id?, description?, satisfiedAtEventIndex?, dependsOn?}``."""
    reference: JsonObject | None = None
    """``{toolCalls?, states?, patch: {files}?}``: how the run should have gone."""
    consumption_recorded: bool = True
    """Whether observations say which actions consumed them; where nobody recorded it, absence says nothing."""
    beyond: Mapping[str, int] = _NOTHING
    """Items that were counted and not kept, by the collection's documented name."""


def past_bound(projection: Projection) -> str | None:
    """Return the documented name of the first collection with more than ``MOST_ITEMS`` items."""
    for name, items in _collections(projection):
        if len(items) + projection.beyond.get(name, 0) > MOST_ITEMS:
            return name
    return None


def _collections(projection: Projection) -> Iterator[tuple[str, Items | list[JsonValue]]]:
    named = (
        ("events", projection.events),
        ("states", projection.states),
        ("actions", projection.actions),
        ("toolCalls", projection.tool_calls),
        ("observations", projection.observations),
        ("resources", projection.resources),
        ("provenanceEdges", projection.provenance_edges),
        ("objectives", projection.objectives),
    )
    yield from ((name, items or ()) for name, items in named)
    for name, value in (projection.reference or {}).items():
        files = value.get("files") if name == "patch" and isinstance(value, dict) else None
        if isinstance(value, list):
            yield f"reference.{name}", value
        elif isinstance(files, list):
            yield "reference.patch.files", files
