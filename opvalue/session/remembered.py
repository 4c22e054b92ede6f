"""What was seen lately, in bounded memory: hashes, the older half forgotten when there are too many.

About 110 bytes for each thing remembered. Two different things pass for one with a chance of one in 2**64.
"""

from collections.abc import Hashable
from itertools import islice
from typing import Final

from opvalue.session.vocabulary import MASKED

LONG: Final = 160
"""Characters of a name or id that are kept as they are."""


class Remembered:
    """Knows the last ``least`` things again, and up to twice as many; of each, everything that was said of it."""

    __slots__ = ("_known", "_least", "_most")

    def __init__(self, least: int) -> None:
        self._least: Final = least
        self._most: Final = 2 * least
        self._known: dict[int, int] = {}

    def __contains__(self, thing: Hashable) -> bool:
        return hash(thing) in self._known

    def add(self, thing: Hashable, said: Hashable = None) -> bool:
        """Remember ``thing`` and what is ``said`` of it; return whether that is new."""
        key, value = hash(thing), hash(said)
        known = self._known
        earlier = known.get(key)
        if earlier == value:
            return False
        if earlier is not None:
            # What was said first stays with the thing; what else is said of it is a thing of its own.
            key = hash((key, value))
            if key in known:
                return False
        known[key] = value
        if len(known) > self._most:
            # A new one: what was deleted from a dictionary takes its room until it grows.
            self._known = dict(islice(known.items(), self._least + 1, None))
        return True


def short(text: str) -> str:
    """Return ``text``, or its digest where it is long: what is kept of a name or an id is never large.

    The digest of a text that redaction touched begins with a mark, so that it still tells of that.
    """
    if len(text) <= LONG:
        return text
    import hashlib  # noqa: PLC0415 - for long texts only

    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return MASKED + digest if MASKED in text else digest
