"""Projections put together by hand, and what every trajectory grader owes at its bound, past it, and without events."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest

from opvalue.graders.measured import Measured
from opvalue.graders.trajectory import Projection
from opvalue.graders.trajectory.projection import MOST_ITEMS
from opvalue.strictjson import JsonObject

Measure = Callable[[Projection, JsonObject], Measured]

BOUND: Final = MOST_ITEMS
NAMES: Final = {"tool_calls": "toolCalls", "provenance_edges": "provenanceEdges"}


def made(**collections: Any) -> Projection:
    """Return a projection of whatever items, well-formed or not."""
    return Projection(**collections)


def changed(projection: Projection, **collections: Any) -> Projection:
    """Return the projection with other collections."""
    return projection._replace(**collections)


def states(text: str) -> Projection:
    """Return visits to the states that the letters of ``text`` name."""
    return Projection(states=tuple(text))


def kinds(text: Sequence[str]) -> Projection:
    """Return events of the kinds that the letters of ``text`` name."""
    return Projection(events=tuple({"index": index, "kind": kind} for index, kind in enumerate(text)))


def objective(satisfied: Any = None, **fields: Any) -> JsonObject:
    """Return an objective, met at the event ``satisfied``."""
    return {"satisfiedAtEventIndex": satisfied, **fields}


def events(kind: str, refs: Sequence[Any]) -> tuple[JsonObject, ...]:
    """Return events of one kind, one a ref."""
    return tuple({"index": index, "kind": kind, "ref": ref} for index, ref in enumerate(refs))


def check_bound(
    measure: Measure, full: Projection, collection: str, value: float, config: JsonObject | None = None
) -> None:
    """Assert that ``full``, whose ``collection`` holds as many items as may be, has ``value``, and nothing larger any.

    An empty projection has none either.
    """
    items = getattr(full, collection)
    assert len(items) == BOUND
    found = measure(full, config or {})
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.message is None
    name = NAMES.get(collection, collection)
    reason = f"{name} holds more than 5,000 items"
    assert measure(changed(full, **{collection: (*items, items[-1])}), config or {}) == (None, reason)
    assert measure(full._replace(beyond={name: 1}), config or {}) == (None, reason)
    empty = measure(Projection(), config or {})
    assert empty.value is None
    assert empty.message
