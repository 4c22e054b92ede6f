"""From events to graded values, through the library alone."""

from collections.abc import Iterable
from typing import Any

from opvalue.conclusion.replay import Replayed, replay
from opvalue.conclusion.selection import context_of
from opvalue.graders.configuration import Configuration, defaults
from opvalue.graders.trajectory.projection import Projection
from opvalue.session import lookups_of
from tests.graders.events import Event


def replayed(
    events: Iterable[Event], configuration: Configuration | None = None, projection: Projection | None = None
) -> Replayed:
    """Return the graded session that ``events`` make."""
    found = lookups_of(events)
    return replay(found, projection, configuration or defaults(), context_of(found))


def values(events: Iterable[Event]) -> dict[str, Any]:
    """Return each default grader's value."""
    return {one.entry.id: one.value for one in replayed(events).graded}
