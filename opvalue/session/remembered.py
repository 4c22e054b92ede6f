"""What was seen lately, in bounded memory: two generations of hashes, the older one forgotten when the newer is full.

About 110 bytes for each thing remembered. Two different things pass for one with a chance of one in 2**64.
"""

import hashlib
from collections.abc import Hashable
from typing import Final

LONG: Final = 160
"""Characters of a name or id that are kept as they are."""


class Remembered:
    """Knows the last ``least`` things again, and up to twice as many; of each, one thing that was said of it."""

    __slots__ = ("_least", "_newer", "_older")

    def __init__(self, least: int) -> None:
        self._least: Final = least
        self._newer: dict[int, int] = {}
        self._older: dict[int, int] = {}

    def __contains__(self, thing: Hashable) -> bool:
        key = hash(thing)
        return key in self._newer or key in self._older

    def add(self, thing: Hashable, said: Hashable = None) -> bool:
        """Remember ``thing`` and what is ``said`` of it; return whether that is new."""
        key, value = hash(thing), hash(said)
        newer = self._newer
        known = newer.get(key)
        if known is None and self._older:
            known = self._older.get(key)
        if known == value:
            return False
        newer[key] = value
        if len(newer) >= self._least:
            self._older, self._newer = newer, {}
        return True


def short(text: str) -> str:
    """Return ``text``, or its digest where it is long: what is kept of a name or an id is never large."""
    if len(text) <= LONG:
        return text
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
