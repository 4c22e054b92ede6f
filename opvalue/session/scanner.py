"""Bytes of a session reduced to facts, fast: frequent events by msgspec's typed decoder, others by the strict reader.

1. Every line is decoded by ``structs``, which refuses whatever it does not know in full.
2. What that leaves unchecked (arguments, structured outputs and errors) may hide bytes that are not UTF-8, a number
   that overflows or a nesting that is too deep; where it might, and where a line fails to decode, the lines are looked
   at one by one.
3. A line that ``structs`` refuses is read by the strict reader, and reduced as an event in memory is.

The result is that of ``reduction`` over ``read_events``, for any bytes. Lines end at LF alone; CR is white space.
"""

import re
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from msgspec import MsgspecError

from opvalue.limits import Limits
from opvalue.session.batch import Bad, Batch, Place
from opvalue.session.errors import LineTooLong
from opvalue.session.parsing import is_blank, parsed
from opvalue.session.reduction import reduce
from opvalue.session.struct_facts import reduce_structs
from opvalue.session.structs import TYPE_OF, Provenance, decode

_PLACE: Final = attrgetter("provenance.component", "provenance.phase")
_LEVELS: Final = 100
"""Brackets that cannot make a line too deep: what is checked lies four levels down."""
_DIGITS: Final = 300
"""Digits of an integer that no double overflows at."""
_LONG: Final = re.compile(rb"[0-9]{%d}" % _DIGITS)


def _table() -> bytes:
    table = bytearray(range(256))
    table[ord(";")] = ord(".")
    for byte in b":,]}\n":
        table[byte] = ord(";")
    table[ord("E")] = ord("e")
    return bytes(table)


_TABLE: Final = _table()
_DROPPED: Final = b"0123456789.+- \t\r["


def harmless(text: bytes) -> bool:
    """Tell that JSON holds no number that overflows a double and no deep nesting; false where it merely might.

    Without digits, signs and spaces a number with an exponent is a lone e between delimiters.
    """
    return _plain(text) and (len(text) < _DIGITS or _LONG.search(text) is None)


def _plain(text: bytes) -> bool:
    if text.count(b"[") + text.count(b"{") > _LEVELS:
        return False
    return b";e;" not in (b"\n%b\n" % text).translate(_TABLE, _DROPPED)


class Scanner:
    """Makes batches of lines."""

    def __init__(self, limits: Limits) -> None:
        self._most: Final = limits.session_line_bytes

    def batch(self, data: bytes) -> Batch:
        """Reduce whole lines, without the LF of the last one."""
        lines = data.split(b"\n")
        batch = self._fast(lines) if len(data) <= self._most else None
        return self._slow(lines) if batch is None else batch

    def elements(self, contents: Sequence[bytes | None]) -> Batch:
        """Reduce elements of an array, ``None`` for one that was too long to be kept."""
        known = [content for content in contents if content is not None]
        batch = self._fast(known) if len(known) == len(contents) else None
        if batch is not None:
            return batch
        batch = Batch()
        batch.lines = batch.last = len(contents)
        for number, content in enumerate(contents, 1):
            if content is None:
                batch.bad.append(_too_long(number, self._most))
            else:
                self._line(batch, number, content)
        return batch

    def too_long(self) -> Batch:
        """Return the batch of one line that was too long to be kept."""
        batch = Batch()
        batch.lines = batch.last = 1
        batch.bad.append(_too_long(1, self._most))
        return batch

    def _fast(self, lines: Sequence[bytes]) -> Batch | None:
        """Return the batch of lines, or of elements, if all are what ``structs`` knows and nothing in them is odd."""
        batch = Batch()
        loose: list[bytes] = []
        try:
            events: list[Any] = list(map(decode, lines))
            reduce_structs(batch, events, loose)
        except (MsgspecError, RecursionError, UnicodeDecodeError):  # the last from a part that nothing has checked
            return None
        if not _all_harmless(loose):
            return None
        batch.events = batch.lines = batch.last = len(events)
        batch.types = {TYPE_OF[kind]: count for kind, count in Counter(map(type, events)).items()}
        provenances = [event.provenance for event in events]
        batch.places = _places(provenances)
        self._note_order(batch, provenances)
        return batch

    def _note_order(self, batch: Batch, provenances: Sequence[Provenance]) -> None:
        """Note where the events of a batch stand in the canonical order; nobody asked for it here."""

    def _slow(self, lines: Sequence[bytes]) -> Batch:
        batch = Batch()
        batch.lines = len(lines)
        for number, line in enumerate(lines, 1):
            if len(line) > self._most:
                batch.last = number
                batch.bad.append(_too_long(number, self._most))
            elif not is_blank(line):
                batch.last = number
                self._line(batch, number, line)
        return batch

    def _line(self, batch: Batch, number: int, line: bytes) -> None:
        try:
            event = decode(line) if _is_utf8(line) and harmless(line) else None
        except (MsgspecError, RecursionError):
            event = None
        if event is not None:
            batch.count(TYPE_OF[type(event)], _PLACE(event))
            reduce_structs(batch, (event,), [])
            return
        read = parsed(line)
        if isinstance(read, Bad):
            batch.bad.append(read._replace(line=number))
        else:
            reduce(batch, read)


def _places(provenances: Sequence[Provenance]) -> dict[Place, int]:
    """Count by component and phase. Most stretches are of one phase, and all texts here are of a fixed few."""
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


def _all_harmless(texts: list[bytes]) -> bool:
    short = [text for text in texts if len(text) < _DIGITS]
    if not all(_is_utf8(text) and harmless(text) for text in texts if len(text) >= _DIGITS):
        return False
    together = b"\n".join(short)
    return _is_utf8(together) and (_plain(together) or all(map(_plain, short)))


def _too_long(number: int, most: int) -> Bad:
    return Bad(number, cut=False, cause=LineTooLong.code, reason=f"is longer than {most} bytes")
