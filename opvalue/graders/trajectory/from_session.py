"""From the events of a session to its projection: what can be derived without guessing (reference 3.2).

1. Every event that shows something of the trajectory becomes one event of it, safe outputs last. Order: timed events by
   time, then untimed ones by their source; equal places as they came. So where untimed events of different sources
   stand among each other changes nothing.
2. Starts and completions are paired as everywhere in the session room; a start that was seen before is left out. A
   completion that fits no start is a call of its own if it bears a name.
3. A call visits the state of its tool's name and its arguments' shape: keys and types, without values. One whose name
   or arguments redaction touched, or whose arguments nothing shows, visits a state of its own. A gateway shows no
   arguments, so no states.

Where the agent's own calls are recorded, only they count. Where none are, the gateway's stand in, in whichever of its
two ways of recording shows more. Objectives, resources, provenance, actions, consumption and a reference are in no
session and stay unrecorded: ``None``.

Bounded: past ``MOST_ITEMS`` events, the rest is only counted, and nothing else is kept.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from opvalue.graders.trajectory.projection import MOST_ITEMS, Projection
from opvalue.graders.trajectory.seen import Kind, Look, Seen
from opvalue.graders.trajectory.text import ARGUMENTS_TEXT
from opvalue.limits import Limits
from opvalue.session.calls import NativeCalls, Scope
from opvalue.session.gateway import Gateway
from opvalue.session.redaction import is_redacted
from opvalue.session.tools import RECORD, RPC, Call, Tools, millisecond
from opvalue.strictjson import JsonObject

_NATIVE: Final = frozenset({Kind.START, Kind.COMPLETION})
_GATEWAY: Final = {RPC: frozenset({Kind.REQUEST, Kind.RESPONSE}), RECORD: frozenset({Kind.RECORD})}
_ALWAYS: Final = frozenset({Kind.MESSAGE, Kind.OUTPUT})
_Place = tuple[bool, bool, float, tuple[str, ...], int]


def project(events: Iterable[JsonObject]) -> Projection:
    """Return the projection of ``events``, which are visited once, in order, and not changed.

    The events are those that ``lookups_of`` takes. Raises ``SessionTooVaried`` like that.
    """
    look = Look()
    kept: dict[Kind, list[tuple[_Place, Seen]]] = {kind: [] for kind in Kind}
    counts: Counter[Kind] = Counter()
    for number, event in enumerate(events):
        seen = look.at(event)
        if seen is not None:
            counts[seen.kind] += 1
            if counts[seen.kind] <= MOST_ITEMS:
                kept[seen.kind].append((_place(seen, number), seen))
    kinds = _ALWAYS | _recorded(counts)
    total = sum(counts[kind] for kind in kinds)
    if total > MOST_ITEMS:
        return Projection(beyond={"events": total})
    used = sorted((one for kind in kinds for one in kept[kind]), key=lambda one: one[0])
    return _Builder([seen for _, seen in used]).built() if used else Projection()


def _recorded(counts: Counter[Kind]) -> frozenset[Kind]:
    """Return the kinds that show the calls."""
    if any(counts[kind] for kind in _NATIVE):
        return _NATIVE
    return _GATEWAY[RPC] if counts[Kind.REQUEST] >= counts[Kind.RECORD] else _GATEWAY[RECORD]


def _place(seen: Seen, number: int) -> _Place:
    output = seen.kind is Kind.OUTPUT
    if seen.time is None:
        return output, True, 0, seen.origin.source, number
    return output, False, seen.time, (), number


class _Builder:
    """Makes the items of one projection."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        self._seen = seen
        self._events: list[JsonObject] = []
        self._states: list[str] = []
        self._calls: list[JsonObject] = []
        self._observations: list[JsonObject] = []
        self._tools = Tools(Limits())
        self._native = NativeCalls(self._tools, Limits())
        self._gateway = Gateway(self._tools, Limits())
        self._open: dict[Call, JsonObject] = {}
        self._asked: dict[tuple[int, int], JsonObject] = {}

    def built(self) -> Projection:
        """Return the projection."""
        for seen in self._seen:
            if seen.kind is Kind.START:
                self._start(seen)
            elif seen.kind is Kind.COMPLETION:
                self._complete(seen)
            elif seen.kind is Kind.RESPONSE:
                self._answer(seen)
            elif seen.kind in _ALWAYS:
                self._event(seen.kind.value)
            else:
                self._ask(seen)
        return Projection(
            events=tuple(self._events),
            states=None if self._asked else tuple(self._states),
            tool_calls=tuple(self._calls),
            observations=tuple(self._observations),
            consumption_recorded=False,
        )

    def _start(self, seen: Seen) -> None:
        scope, tool = self._scope(seen), self._tools.native(seen.name or "", seen.server)
        call = self._native.start(scope, _instant(seen), seen.event, seen.call, tool, None)
        if call is None:  # seen before
            return
        self._event("tool_call", seen.name)
        self._open[call] = self._call(seen, {"completed": False})
        if seen.arguments is not None:
            self._open[call][ARGUMENTS_TEXT] = seen.arguments

    def _complete(self, seen: Seen) -> None:
        ended = self._native.complete(self._scope(seen), _instant(seen), seen.call, seen.name, seen.succeeded)
        if ended is not None and ended not in self._open:  # of a start seen before
            return
        observation = self._observe()
        if ended is not None:
            call = self._open.pop(ended)
        elif seen.name is not None:
            call = self._call(seen, {})
        else:
            return
        call.update({"completed": True, "success": seen.succeeded})
        observation["sourceToolCallId"] = call["id"]

    def _ask(self, seen: Seen) -> None:
        way = RPC if seen.kind is Kind.REQUEST else RECORD
        source = self._native.source(seen.origin.source)
        path = seen.origin.source[2]
        asked = self._gateway.ask(
            way,
            source,
            path,
            _instant(seen),
            seen.server,
            seen.name or "",
            seen.call,
            seen.rpc,
            self._native.ids,
            failed=seen.failed,
        )
        if asked is None:  # seen before
            return
        self._event("tool_call", seen.name)
        failed: JsonObject = {"success": False} if seen.failed else {}
        self._asked[id(asked.flags), asked.position] = self._call(seen, failed)

    def _answer(self, seen: Seen) -> None:
        source = self._native.source(seen.origin.source)
        asked = self._gateway.answer(source, seen.server, seen.rpc, failed=seen.failed)
        if asked is None:
            return
        call = self._asked[id(asked.flags), asked.position]
        call.update({"completed": True, "success": not seen.failed})
        self._observe()["sourceToolCallId"] = call["id"]

    def _scope(self, seen: Seen) -> Scope:
        source, owner, session = seen.origin
        return self._native.scope((*source, owner, session))

    def _event(self, kind: str, ref: str | None = None) -> None:
        index = len(self._events)
        named: JsonObject = {} if ref is None else {"ref": _told_apart(ref, index)}
        self._events.append({"index": index, "kind": kind, **named})

    def _observe(self) -> JsonObject:
        self._event("observation")
        index = len(self._events) - 1
        observation: JsonObject = {"id": f"observation-{index}", "eventIndex": index}
        self._observations.append(observation)
        return observation

    def _call(self, seen: Seen, outcome: JsonObject) -> JsonObject:
        """Add the call that the latest event began, or shows whole."""
        index = len(self._events) - 1
        shape = f"unknown {index}" if seen.shape is None else seen.shape
        self._states.append(f"{_told_apart(seen.name, index)} {shape}")
        call: JsonObject = {"id": f"call-{index}", "eventIndex": index, "name": seen.name, **outcome}
        self._calls.append(call)
        return call


def _told_apart(name: str | None, index: int) -> str | None:
    """Return a name that equals another's only where redaction touched neither."""
    return f"{name} {index}" if name is not None and is_redacted(name) else name


def _instant(seen: Seen) -> int | None:
    return None if seen.time is None else millisecond(seen.time)
