"""Bytes of a session reduced to facts, fast: frequent events by msgspec's typed decoder, others by the strict reader.

1. A block of whole lines is UTF-8, or its lines are looked at one by one.
2. Every line is decoded by ``structs``, which refuses whatever it does not know in full.
3. What that leaves unchecked (arguments, structured outputs and errors) may hide a number that overflows or a nesting
   that is too deep; where it might, and where a line fails to decode, the lines are looked at one by one.
4. A line that ``structs`` refuses is read by the strict reader, and reduced as an event in memory is.

The result is that of ``reduction`` over ``read_events``, for any bytes. Lines end at LF alone; CR is white space.
"""

import re
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from msgspec import MsgspecError

from opvalue.limits import Limits
from opvalue.session.batch import Bad, Batch
from opvalue.session.errors import LineTooLong
from opvalue.session.parsing import is_blank, parsed
from opvalue.session.reduction import reduce
from opvalue.session.struct_facts import reduce_structs
from opvalue.session.structs import TYPE_OF, decode

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
        return self.lines(data.split(b"\n"), whole=len(data) <= self._most and _is_utf8(data))

    def lines(self, lines: Sequence[bytes], *, whole: bool = False) -> Batch:
        """Reduce lines; ``whole`` says that none is too long and all are UTF-8."""
        batch = Batch()
        batch.lines = batch.last = len(lines)
        if whole and self._fast(batch, lines):
            return batch
        batch = Batch()
        batch.lines = len(lines)
        self._slow(batch, lines)
        return batch

    def elements(self, contents: Sequence[bytes | None]) -> Batch:
        """Reduce elements of an array, ``None`` for one that was too long to be kept."""
        known = [content for content in contents if content is not None]
        if len(known) == len(contents):
            return self.lines(known, whole=all(map(_is_utf8, known)))
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

    def _fast(self, batch: Batch, lines: Sequence[bytes]) -> bool:
        try:
            events = list(map(decode, lines))
        except (MsgspecError, RecursionError):
            return False
        for kind, count in Counter(map(type, events)).items():
            batch.types[TYPE_OF[kind]] = count
        batch.places = dict(Counter(map(_PLACE, events)))
        batch.events = len(events)
        loose: list[bytes] = []
        reduce_structs(batch, events, loose)
        return _all_harmless(loose)

    def _slow(self, batch: Batch, lines: Sequence[bytes]) -> None:
        for number, line in enumerate(lines, 1):
            if len(line) > self._most:
                batch.last = number
                batch.bad.append(_too_long(number, self._most))
            elif not is_blank(line):
                batch.last = number
                self._line(batch, number, line)

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
    if not all(harmless(text) for text in texts if len(text) >= _DIGITS):
        return False
    return _plain(b"\n".join(short)) or all(map(_plain, short))


def _too_long(number: int, most: int) -> Bad:
    return Bad(number, cut=False, cause=LineTooLong.code, reason=f"is longer than {most} bytes")
