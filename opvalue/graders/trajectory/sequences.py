"""The two sequences that several graders read: states as they were visited, events as symbols (reference 3.2)."""

import math
from typing import TypeGuard

from opvalue.graders.trajectory.measuring import Missing
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import is_text, required
from opvalue.strictjson import JsonValue, is_number


def visited_states(projection: Projection, *, at_least: int) -> list[str]:
    """Return the ids of the visited states in the order of the visits.

    A plain string stands at its place in the collection. An object stands at the place of the event whose ``index``
    its ``firstEventIndex`` is, else at that number, else at its place in the collection; one without an id is no
    visit. Raises ``Missing`` with fewer than ``at_least`` visits.
    """
    places: dict[float, int] = {}
    for place, event in enumerate(projection.events or ()):
        index = event.get("index") if isinstance(event, dict) else None
        if is_number(index):
            places.setdefault(index, place)
    visits: list[tuple[float, str]] = []
    for place, state in enumerate(required(projection.states, "states")):
        if is_text(state):
            visits.append((place, state))
        elif isinstance(state, dict) and is_text(identifier := state.get("id")):
            first = state.get("firstEventIndex")
            visits.append((places.get(first, first) if _is_place(first) else place, identifier))
    if len(visits) < at_least:
        raise Missing(f"fewer than {at_least} visits to states")
    return [state for _, state in sorted(visits, key=lambda visit: visit[0])]


def event_symbols(projection: Projection, *, at_least: int) -> list[str]:
    """Return one symbol an event, by ``index``, else by place in the collection.

    The symbol is the kind; of a tool call with a ``ref`` it is ``tool_call:ref``. An event without a kind has none.
    Raises ``Missing`` with fewer than ``at_least`` symbols.
    """
    symbols: list[tuple[float, str]] = []
    for place, event in enumerate(required(projection.events, "events")):
        if not isinstance(event, dict) or not is_text(kind := event.get("kind")):
            continue
        index, ref = event.get("index"), event.get("ref")
        symbol = f"{kind}:{ref}" if kind == "tool_call" and is_text(ref) else kind
        symbols.append((index if _is_place(index) else place, symbol))
    if len(symbols) < at_least:
        raise Missing(f"fewer than {at_least} events")
    return [symbol for _, symbol in sorted(symbols, key=lambda entry: entry[0])]


def _is_place(value: JsonValue) -> TypeGuard[int | float]:
    return is_number(value) and (isinstance(value, int) or math.isfinite(value))
