"""Any event decoded by msgspec, as the strict reader reads it and in a third of the time: importing this loads msgspec.

What this takes, ``parsing`` takes, with equal values. What it refuses, ``parsing`` has to judge: that may be an escaped
lone surrogate, or a very long number that a double holds.
"""

import re
from typing import Any, Final

from msgspec.json import Decoder

from opvalue.session.errors import NotAnEvent
from opvalue.session.events import Event, event_of
from opvalue.strictjson import MAX_DEPTH, is_deeper

_DIGITS: Final = 300
"""Digits of an integer that no double overflows at."""
_LONG: Final = re.compile(rb"[0-9]{%d}" % _DIGITS)
_NO_DIGITS: Final = bytes(byte for byte in range(256) if byte not in b"0123456789")
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
    if is_deeper(text, levels):
        raise ValueError
    # To search takes ten times as long as to see that there are not enough digits.
    if len(text) >= _DIGITS and len(text.translate(None, _NO_DIGITS)) >= _DIGITS and _LONG.search(text):
        raise ValueError
    return _decode(text)
