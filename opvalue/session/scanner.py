"""Bytes of a session reduced to facts, fast: frequent events by msgspec's typed decoder, others in slower ways.

1. Every line is decoded by ``structs``, which refuses whatever it does not know in full.
2. A line that it refuses is decoded without types and reduced as an event in memory is; where that fails too, or might
   let something pass, by the strict reader, which also has the words for what is wrong.
3. What ``structs`` leaves unchecked (arguments, structured outputs and errors) may hide bytes that are not UTF-8, a
   number that overflows or a nesting that is too deep; if so, all lines of the stretch are read in the other ways.

The result is that of ``reduction`` over ``read_events``, for any bytes, with one exception: of two equal keys that hold
arguments, outputs or errors the first is not looked at, so nothing that is wrong in it is noticed. To look for second
keys would take a fifth of the time. Lines end at LF alone; CR is white space.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import MsgspecError

from opvalue.limits import Limits
from opvalue.session.batch import Bad, Batch, Place
from opvalue.session.errors import LineTooLong
from opvalue.session.events import Event
from opvalue.session.parsing import is_blank, parsed
from opvalue.session.reduction import reduce
from opvalue.session.struct_facts import reduce_structs
from opvalue.session.structs import TYPE_OF, Provenance, decode
from opvalue.session.untyped import event_in, value_of
from opvalue.strictjson import MAX_DEPTH

_ABOVE: Final = 3
"""Levels of an event above the deepest part that ``structs`` leaves unchecked: an item of an output."""
_SHORT: Final = 2 * (MAX_DEPTH - _ABOVE)
"""Bytes of JSON that cannot be too deep: each level has two brackets."""
_LINE: Final = 32
"""Bytes of a line that is shorter than any event, and quickly seen to be blank."""
_typed: Final[Callable[[Any], Any]] = decode
"""Refuses none, which stands for a line that was not kept, with a ``TypeError``."""


def _table() -> bytes:
    table = bytearray(range(256))
    table[ord(";")] = ord(".")
    for byte in b":,]}\n":
        table[byte] = ord(";")
    table[ord("E")] = ord("e")
    return bytes(table)


_TABLE: Final = _table()
_DROPPED: Final = b"0123456789.+- \t\r["


class Scanner:
    """Makes batches of lines."""

    def __init__(self, limits: Limits) -> None:
        self._most: Final = limits.session_line_bytes

    def batch(self, lines: Sequence[bytes | None]) -> Batch:
        """Reduce lines, with or without their LF, or elements of an array; ``None`` for one too long to be kept."""
        return self._fast(lines) or self._mixed(lines) or self._slow(lines)

    def _fast(self, lines: Sequence[bytes | None]) -> Batch | None:
        """Return the batch of lines, or of elements, if all are what ``structs`` knows and nothing in them is odd."""
        batch = Batch()
        try:
            events: list[Any] = list(map(_typed, lines))
        except (MsgspecError, RecursionError, TypeError):
            return None
        batch.lines = batch.last = len(events)
        if not _reduced(batch, events):
            return None
        places = [event.provenance for event in events]
        _count(batch, events, places)
        self._note(batch, events, places)
        return batch

    def _mixed(self, lines: Sequence[bytes | None]) -> Batch | None:
        """Return the batch of lines of which ``structs`` does not know all, if nothing in those it knows is odd."""
        batch = Batch()
        batch.lines = len(lines)
        events: list[Any] = []
        first = 0
        for number, line in enumerate(lines, 1):
            if line is not None and len(line) < _LINE and is_blank(line):
                continue  # before anything is tried, since there may be many
            try:
                events.append(_typed(line))
            except (MsgspecError, RecursionError, TypeError):
                if first < len(events) and not _reduced(batch, events[first:]):
                    return None
                events.extend(self._other(batch, number, line))
                first = len(events)
            else:
                batch.last = number
        if not _reduced(batch, events[first:]):
            return None
        known = [event for event in events if type(event) in TYPE_OF]
        _count(batch, known, [event.provenance for event in known])
        self._note(batch, events, [event.provenance if type(event) in TYPE_OF else event for event in events])
        return batch

    def _slow(self, lines: Sequence[bytes | None]) -> Batch:
        batch = Batch()
        batch.lines = len(lines)
        events = [event for number, line in enumerate(lines, 1) for event in self._other(batch, number, line)]
        self._note(batch, events, events)
        return batch

    def _note(self, batch: Batch, events: Sequence[Any], places: Sequence[Provenance | Event]) -> None:
        """Note what a conclusion would change; nobody asked for it here. Places are provenances, or whole events."""

    def _other(self, batch: Batch, number: int, line: bytes | None) -> list[Event]:
        """Add and return the event in a line that ``structs`` does not know, if there is one."""
        if line is not None and is_blank(line):
            return []
        batch.last = number
        if line is None:
            batch.settled = False  # nobody has looked at it
            batch.bad.append(_too_long(number, self._most))
            return []
        read = event_in(line) or parsed(line.removesuffix(b"\n"))
        if isinstance(read, Bad):
            batch.bad.append(read._replace(line=number))
            return []
        reduce(batch, read)
        return [read]


def _reduced(batch: Batch, events: Sequence[Any]) -> bool:
    """Add the facts of events that ``structs`` knows; False, and the batch is of no use, if something may be odd."""
    loose: list[bytes] = []
    try:
        reduce_structs(batch, events, loose)
    except UnicodeDecodeError:  # from a part that nothing has checked
        return False
    return _all_sound(loose)


def _count(batch: Batch, events: Sequence[Any], places: Sequence[Provenance]) -> None:
    for kind, several in Counter(map(type, events)).items():
        batch.types[TYPE_OF[kind]] = batch.types.get(TYPE_OF[kind], 0) + several
    for place, several in _places(places).items():
        batch.places[place] = batch.places.get(place, 0) + several
    batch.events += len(events)


def _places(provenances: Sequence[Provenance]) -> dict[Place, int]:
    """Count by component and phase. Most stretches are of one phase, and all texts here are of a fixed few."""
    if not provenances:
        return {}
    components = [one.component for one in provenances]
    phases = [one.phase for one in provenances]
    (phase, *others) = set(phases)
    if others:
        return dict(Counter(zip(components, phases, strict=True)))
    return {(component, phase): components.count(component) for component in set(components)}


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        str(data, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _all_sound(texts: list[bytes]) -> bool:
    """Tell whether what ``structs`` left unchecked holds nothing that the strict reader refuses; no if in doubt."""
    short = b"\n".join([text for text in texts if len(text) < _SHORT])
    rest = [text for text in texts if len(text) >= _SHORT] if _is_plain(short) else texts
    try:
        for text in rest:
            value_of(text, MAX_DEPTH - _ABOVE)
    except (ValueError, RecursionError):
        return False
    return True


def _is_plain(texts: bytes) -> bool:
    """Tell whether short JSON texts are UTF-8 without an overflowing number; no where that merely might be.

    Without digits, signs and spaces such a number is a lone e between delimiters.
    """
    return _is_utf8(texts) and b";e;" not in (b"\n%b\n" % texts).translate(_TABLE, _DROPPED)


def _too_long(number: int, most: int) -> Bad:
    return Bad(number, cut=False, cause=LineTooLong.code, reason=f"is longer than {most} bytes")
