"""From the events of a session to its projection: what can be derived without guessing (reference 3.2).

1. Every event that shows something of the trajectory becomes one event of it, safe outputs last. Order: timed events by
   time, then untimed ones by their source; equal places as they came. So where untimed events of different sources
   stand among each other changes nothing.
2. Completions are paired with starts in their scope: by id; without an id, with the oldest open call of the name; never
   across two different ids. A start that stays open is a call that did not complete. A completion that fits no start is
   a call of its own if it bears a name.
3. A call visits the state of its tool's name and its arguments' shape: keys and types, without values.

Where the agent's own calls are recorded, only they count; what the gateway saw stands in where none are. Objectives,
resources, provenance, actions, consumption and a reference are in no session and stay unrecorded: ``None``.

Bounded: past ``MOST_ITEMS`` events, the rest is only counted, and nothing else is kept.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from opvalue.graders.trajectory.projection import MOST_ITEMS, Projection
from opvalue.graders.trajectory.seen import Kind, Look, Scope, Seen
from opvalue.graders.trajectory.text import ARGUMENTS_TEXT
from opvalue.strictjson import JsonObject

_NATIVE = frozenset({Kind.START, Kind.COMPLETION})
_GATEWAY = frozenset({Kind.REQUEST, Kind.RESPONSE})


def project(events: Iterable[JsonObject]) -> Projection:
    """Return the projection of ``events``, which are visited once, in order, and not changed."""
    look = Look()
    kept: dict[bool, list[Seen]] = {False: [], True: []}
    counts = {False: 0, True: 0}
    native = False
    for event in events:
        seen = look.at(event)
        if seen is None:
            continue
        native = native or seen.kind in _NATIVE
        gateway = seen.kind in _GATEWAY
        counts[gateway] += 1
        if counts[gateway] <= MOST_ITEMS:
            kept[gateway].append(seen)
    used = [*kept[False], *([] if native else kept[True])]
    total = counts[False] + (0 if native else counts[True])
    if total > MOST_ITEMS:
        return Projection(beyond={"events": total})
    return _Builder(sorted(used, key=_place)).built() if used else Projection()


def _place(seen: Seen) -> tuple[bool, bool, float, str, str]:
    if seen.time is None:
        return seen.kind is Kind.OUTPUT, True, 0, seen.scope.phase, seen.scope.path
    return seen.kind is Kind.OUTPUT, False, seen.time, "", ""


class _Builder:
    """Makes the items of one projection."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        self._seen = seen
        self._events: list[JsonObject] = []
        self._states: list[str] = []
        self._calls: list[JsonObject] = []
        self._observations: list[JsonObject] = []
        self._open = _OpenCalls()

    def built(self) -> Projection:
        """Return the projection."""
        for index, seen in enumerate(self._seen):
            if seen.kind in {Kind.START, Kind.REQUEST}:
                self._start(seen, index)
            elif seen.kind in {Kind.COMPLETION, Kind.RESPONSE}:
                self._complete(seen, index)
            else:
                self._events.append({"index": index, "kind": seen.kind.value})
        return Projection(
            events=tuple(self._events),
            states=tuple(self._states),
            tool_calls=tuple(self._calls),
            observations=tuple(self._observations),
            consumption_recorded=False,
        )

    def _start(self, seen: Seen, index: int) -> None:
        self._events.append({"index": index, "kind": "tool_call", "ref": seen.name})
        call = self._call(seen, index)
        if seen.kind is Kind.START:
            call["completed"] = False
        if seen.arguments is not None:
            call[ARGUMENTS_TEXT] = seen.arguments
        self._open.add(seen, call)

    def _complete(self, seen: Seen, index: int) -> None:
        self._events.append({"index": index, "kind": "observation"})
        observation: JsonObject = {"id": f"observation-{index}", "eventIndex": index}
        self._observations.append(observation)
        call = self._open.take(seen)
        if call is None and not seen.name:
            return
        if call is None:
            call = self._call(seen, index)
        call.update({"completed": True, "success": seen.succeeded})
        observation["sourceToolCallId"] = call["id"]

    def _call(self, seen: Seen, index: int) -> JsonObject:
        # Where redaction hides a call's arguments, nobody can say that another call visits the same state.
        shape = f"redacted {index}" if seen.shape is None else seen.shape
        self._states.append(f"{seen.name} {shape}")
        call: JsonObject = {"id": f"call-{index}", "eventIndex": index, "name": seen.name}
        self._calls.append(call)
        return call


class _OpenCalls:
    """Calls that have started, by the ways in which a completion finds its own. Each way is oldest first."""

    def __init__(self) -> None:
        self._ways: dict[tuple[Scope, str, str], deque[JsonObject]] = defaultdict(deque)
        self._ended: set[int] = set()

    def add(self, seen: Seen, call: JsonObject) -> None:
        """Take in a call that starts."""
        self._ways[seen.scope, "name", seen.name].append(call)
        way = ("id", seen.call) if seen.call else ("name without id", seen.name)
        self._ways[seen.scope, *way].append(call)

    def take(self, seen: Seen) -> JsonObject | None:
        """Return the call that a completion ends, and forget it."""
        if not seen.call:
            return self._oldest((seen.scope, "name", seen.name))
        return self._oldest((seen.scope, "id", seen.call)) or self._oldest((seen.scope, "name without id", seen.name))

    def _oldest(self, way: tuple[Scope, str, str]) -> JsonObject | None:
        waiting = self._ways[way]
        while waiting:
            call = waiting.popleft()
            # It may have been taken by another way.
            if id(call) not in self._ended:
                self._ended.add(id(call))
                return call
        return None
