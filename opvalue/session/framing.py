"""Where one event ends and the next begins, in a session of either form: a line each, or elements of one JSON array.

Nothing is decoded but what is needed for that. Memory is that of one block and one event, and both are bounded.
"""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import chain
from typing import Final, NamedTuple

from opvalue.session.errors import ArrayMalformed, SessionEncoding
from opvalue.session.lines import Line

_BLANK: Final = b" \t\r\n"
_HEAD: Final = 4
LOOKED_AT: Final = 1 << 20
"""Bytes within which an array begins; what has more white space before it is lines."""
_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_TOKEN: Final = re.compile(rb'["\[\]{},]')
_NEXT: Final = re.compile(rb"\}[ \t\r\n]*,(?=[ \t\r\n]*\{)")
"""The end of most elements; also that of most objects in an array within one."""
_IN_STRING: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
_FLAT: Final = re.compile(rb'(?:[^"\[\]{}]++|%b|[\[{](?:[^"\[\]{}]++|%b)*+[\]}])*+' % (_STRING, _STRING), re.DOTALL)
"""What leaves the depth as it is: whole strings, and containers that hold none. Most of an element is of this."""


class Opened(NamedTuple):
    """A session whose form is known."""

    is_array: bool
    blocks: Iterator[bytes]
    """All of it, from its first byte."""


def opened(blocks: Iterable[bytes]) -> Opened:
    """Look at the first bytes. Raises ``SessionEncoding``."""
    rest = iter(blocks)
    held: list[bytes] = []
    size = 0
    for block in rest:
        held.append(block)
        size += len(block)
        if size >= LOOKED_AT or (size >= _HEAD and block.strip(_BLANK)):
            break
    head = b"".join(held[:_HEAD])[:_HEAD]
    _refuse_other_encodings(head)
    first = b"".join(held)[:LOOKED_AT].lstrip(_BLANK)[:1]
    return Opened(first == b"[", chain(held, rest))


def stretches(blocks: Iterable[bytes], most: int) -> Iterator[Sequence[bytes | None]]:
    """Yield whole lines together, each with its LF; ``None`` for one of more than ``most`` bytes.

    What follows the last LF is a line only if it is not empty. A line that is too long is known before it ends.
    """
    held: list[bytes] = []
    size = 0
    told = False
    for block in blocks:
        lines = cut(block)
        rest = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        if lines:
            lines[0] = b"".join((*held, lines[0]))
            yield kept(lines[told:], most, size + len(block))
            held, size, told = [], 0, False
        if told:
            continue
        held.append(rest)
        size += len(rest)
        if size > most:
            yield [None]
            held, told = [], True
    if size and not told:
        yield [b"".join(held)]


def cut(block: bytes) -> list[bytes]:
    """Return the lines of a block, each with its LF, which the last may lack.

    In a third of the time that ``bytes.split`` takes, which looks at each byte by itself. Nothing is opened.
    """
    return BytesIO(block).readlines()


def kept(lines: Sequence[bytes], most: int, size: int) -> Sequence[bytes | None]:
    """Return lines with ``None`` in place of each that has more than ``most`` bytes before its LF.

    They have ``size`` bytes together, or less: mostly that says that none has so many.
    """
    if size <= most:
        return lines
    return [line if len(line) - line.endswith(b"\n") <= most else None for line in lines]


def elements(blocks: Iterable[bytes], most: int) -> Iterator[Line]:
    """Yield the elements of the one JSON array in ``blocks``; one of more than ``most`` bytes without its content.

    Raises ``ArrayMalformed`` where the array is empty between commas, has no end, or something follows its end.
    """
    array = _Array(most)
    for block in blocks:
        yield from array.feed(block)
    array.finish()


class _Array:
    """An array that is being read, if need be token by token; only brackets, commas and quotes matter."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._depth = 0
        self._ended = False
        self._in_string = False
        self._escaped = False
        self._number = 1
        self._size = 0
        self._held: list[bytes] = []
        self._tried = 0
        """Where in a block the next element may be looked for as a whole."""

    def feed(self, block: bytes) -> Iterator[Line]:
        """Yield the elements that end in ``block``."""
        start = position = self._tried = 0
        while position < len(block):
            if self._in_string:
                position = self._through_string(block, position)
                continue
            if self._depth > 1:
                position = _end_of_flat(block, position)
            token = _TOKEN.search(block, position)
            if token is None:
                break
            position = token.end()
            if self._depth == 1 and token[0] in (b",", b"]"):
                self._hold(block[start : token.start()])
                yield from self._element(last=token[0] == b"]")
                start = position = yield from self._whole(block, position)
            elif self._depth == 0:
                self._open()
                start = position = yield from self._whole(block, position)
            else:
                self._enter(token[0])
        self._hold(block[start:])

    def _whole(self, block: bytes, start: int) -> Generator[Line, None, int]:
        """Yield elements that need no look at their tokens; return where the first other one begins.

        What reads as one value up to a comma is an element: no value goes on behind its end. Each place where one may
        end is tried once, so that all of it takes a time in proportion to the block.
        """
        while self._depth == 1 and start >= self._tried:
            found = _NEXT.search(block, start)
            self._tried = len(block) if found is None else found.end()
            if found is None:
                break
            element = block[start : found.end() - 1]
            if len(element) > self._most or not _is_value(element):
                break
            yield Line(self._number, element.strip(_BLANK), ended=True)
            self._number += 1
            start = found.end()
        return start

    def finish(self) -> None:
        """Note that nothing follows. Raises ``ArrayMalformed``."""
        rest = b"".join(self._held).strip(_BLANK)
        if not self._ended:
            raise ArrayMalformed("the array of events has no end", expected="]", found="the end of the session")
        if rest or self._size > self._most:
            raise _after_the_end()

    def _open(self) -> None:
        if self._ended:
            raise _after_the_end()
        self._depth = 1
        self._held, self._size = [], 0  # white space before the array is none of its first element

    def _enter(self, token: bytes) -> None:
        if token == b'"':
            self._in_string = True
        elif token in (b"[", b"{"):
            self._depth += 1
        elif self._depth > 1:
            self._depth -= token != b","

    def _through_string(self, block: bytes, position: int) -> int:
        if self._escaped:
            self._escaped = False
            return position + 1
        found = _IN_STRING.match(block, position)
        position = position if found is None else found.end()
        if position < len(block):
            self._escaped = block[position : position + 1] == b"\\"
            self._in_string = self._escaped
        return position + 1

    def _element(self, *, last: bool) -> Iterator[Line]:
        content = b"".join(self._held) if self._size <= self._most else None
        blank = content is not None and not content.strip(_BLANK)
        if last:
            self._ended, self._depth = True, 0
        if blank and not (last and self._number == 1):
            raise ArrayMalformed(f"element {self._number} of the array is empty", expected="an event", found="a comma")
        if not blank:
            # Without the white space around it: a place in it is told from where it begins.
            yield Line(self._number, None if content is None else content.strip(_BLANK), ended=True)
        self._number += 1
        self._held, self._size = [], 0

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._most:
            self._held.append(part)
        else:
            self._held.clear()


def _end_of_flat(block: bytes, position: int) -> int:
    found = _FLAT.match(block, position)
    return position if found is None else found.end()


@cache
def _skip() -> Callable[[bytes], object]:
    import msgspec  # noqa: PLC0415 - not for a session of lines

    return msgspec.json.Decoder(msgspec.Raw).decode


def _is_value(text: bytes) -> bool:
    try:
        _skip()(text)
    except (ValueError, RecursionError):
        return False
    return True


def _after_the_end() -> ArrayMalformed:
    return ArrayMalformed("something follows the array of events", expected="the end of the session")


def _refuse_other_encodings(head: bytes) -> None:
    for mark in _MARKS:
        if head.startswith(mark):
            raise SessionEncoding(
                "the session begins with a byte order mark",
                expected="UTF-8 without one",
                found=head[: len(mark)].hex(" "),
            )
    if b"\0" in head:
        raise SessionEncoding("there is a zero byte where the session begins", expected="UTF-8", found=head.hex(" "))
