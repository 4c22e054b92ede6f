"""The canonical order of a session's events (reference 1.2).

1. The collector's header.
2. Events with a time, by it: any number, also one beyond the range of a date, which graders take for none.
3. Events without one.
4. The collector's warnings and closing event, then what a conclusion appended.

Within each, and at equal times, events stay as they came. A session in canonical order stays as it is.
"""

from collections.abc import Iterable
from typing import TypeAlias

from opvalue.session.vocabulary import COLLECTION, FORMAT, WARNING
from opvalue.strictjson import JsonObject, is_number

Rank: TypeAlias = tuple[int, int | float]
"""A place in the order."""


def canonical(events: Iterable[JsonObject]) -> list[JsonObject]:
    """Return the events in canonical order."""
    return sorted(events, key=rank)


def rank(event: JsonObject) -> Rank:
    """Return what events are ordered by."""
    provenance = event.get("provenance")
    place = provenance if isinstance(provenance, dict) else {}
    kind, moment = event.get("type"), place.get("timestampMs")
    if place.get("component") == "collector" and kind in (FORMAT, WARNING, COLLECTION):
        return (0 if kind == FORMAT else 3), 0
    if place.get("component") == "grader" and place.get("phase") == "conclusion":
        return 4, 0
    return (1, moment) if is_number(moment) else (2, 0)


def is_header(event: JsonObject) -> bool:
    """Tell whether the event is the collector's header."""
    return event.get("type") == FORMAT and rank(event)[0] == 0
