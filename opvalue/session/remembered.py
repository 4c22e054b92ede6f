"""What was seen lately, in bounded memory: two generations of hashes, the older one forgotten when the newer is full.

About 65 bytes for each thing remembered. Two different things pass for one with a chance of one in 2**64.
"""

import hashlib
from collections.abc import Hashable
from typing import Final

_SHORT: Final = 160


class Remembered:
    """Knows the last ``least`` things again, and up to twice as many."""

    __slots__ = ("_least", "_newer", "_older")

    def __init__(self, least: int) -> None:
        self._least: Final = least
        self._newer: set[int] = set()
        self._older: set[int] = set()

    def __contains__(self, thing: Hashable) -> bool:
        key = hash(thing)
        return key in self._newer or key in self._older

    def add(self, thing: Hashable) -> bool:
        """Remember ``thing``; return whether it is new."""
        key = hash(thing)
        newer = self._newer
        if key in newer or key in self._older:
            return False
        newer.add(key)
        if len(newer) >= self._least:
            self._older, self._newer = newer, set()
        return True


def short(text: str) -> str:
    """Return ``text``, or its digest where it is long: what is kept of a name or an id is never large."""
    if len(text) <= _SHORT:
        return text
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

