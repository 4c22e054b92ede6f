"""Any event decoded by msgspec, as the strict reader reads it and in a third of the time: importing this loads msgspec.

What this takes, ``parsing`` takes, with equal values. What it refuses, ``parsing`` has to judge: that may be an escaped
lone surrogate, or a very long number that a double holds.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec.json import Decoder

from opvalue.session.errors import NotAnEvent
from opvalue.session.events import Event, event_of
from opvalue.strictjson import MAX_DEPTH

_DIGITS: Final = 300
"""Digits of an integer that no double overflows at."""
_LONG: Final = re.compile(rb"[0-9]{%d}" % _DIGITS)
_NO_DIGITS: Final = bytes(byte for byte in range(256) if byte not in b"0123456789")
_KINDS: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")
_PART: Final = 1 << 16
"""Bytes whose strings are told apart at a time: each takes many times its room."""
_decode: Final = Decoder().decode


def event_in(line: bytes) -> Event | None:
    """Return the event that is certain to be in a line."""
    try:
        return event_of(value_of(line, MAX_DEPTH))
    except (ValueError, RecursionError, NotAnEvent):
        return None


def value_of(text: bytes, levels: int) -> Any:
    """Return the value of strict JSON text of at most so many levels. Raises ``ValueError`` and ``RecursionError``.

    What msgspec takes is UTF-8, and holds no number with a fraction or exponent that overflows.
    """
    if not _is_within(text, levels):
        raise ValueError
    # To search takes ten times as long as to see that there are not enough digits.
    if len(text) >= _DIGITS and len(text.translate(None, _NO_DIGITS)) >= _DIGITS and _LONG.search(text):
        raise ValueError
    return _decode(text)


def _is_within(text: bytes, levels: int) -> bool:
    """Tell whether JSON text is nested no deeper than that; of what is no JSON it says anything.

    The innermost pairs are taken out, again and again: to count brackets one by one takes ten times as long.
    """
    if text.count(b"[") + text.count(b"{") <= levels:
        return True
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = b"".join(_brackets(text))
    for _ in range(levels):
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return True
    return False


def _brackets(text: bytes) -> Iterator[bytes]:
    """Yield what brackets there are outside strings, all of one kind; no quote is escaped in ``text``."""
    inside = False
    for start in range(0, len(text), _PART):
        parts = text[start : start + _PART].split(b'"')
        yield b"".join(parts[inside::2]).translate(_KINDS, _NO_BRACKETS)
        inside ^= len(parts) % 2 == 0
