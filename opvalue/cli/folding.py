"""How wide a text is on a terminal, and one long line as several of its width. Nothing is printed here.

Texts are safe for a terminal before they come here, so none holds ``FILLER``.
"""

from collections.abc import Iterator
from typing import Final

NARROWEST: Final = 20
"""Columns that a folded text has at least; a hanging indent gives way to that."""
FILLER: Final = "\0"
"""Stands for the second column of a wide character where columns are counted as characters."""
_LITTLE: Final = 4


def columns_of(text: str) -> int:
    """Return how many columns a terminal gives to ``text``: two to a wide character, none to one that combines."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - for texts that need it

    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)


def filled(text: str) -> str:
    """Return ``text`` with ``FILLER`` behind each wide character: so it has as many characters as columns, or more."""
    return text if text.isascii() else "".join(one + FILLER * (columns_of(one) - 1) for one in text)


def within(text: str, columns: int) -> str:
    """Return as much of the beginning of ``text`` as ``columns`` hold, no wide character cut in two."""
    wide = filled(text)
    end = columns - (wide[columns : columns + 1] == FILLER)
    return wide[:end].replace(FILLER, "")


def hanging(columns: int, hang: int) -> int:
    """Return how far the further lines of a folded text are set in, where ``hang`` is wished for."""
    return hang if columns - hang >= NARROWEST else min(hang, _LITTLE)


def folds(text: str, columns: int, hang: int) -> Iterator[tuple[int, int]]:
    """Yield from where to where each line of ``text`` goes, of at most ``columns`` together with its indent.

    Lines part at spaces; not within as many first characters as the others are set in, which are a label. A word that
    is longer than a line stays whole, for a path or a command is there to be copied.
    """
    wide = filled(text)
    for start, end in _folds(wide, columns, hang):
        yield start - wide.count(FILLER, 0, start), end - wide.count(FILLER, 0, end)


def _folds(text: str, columns: int, hang: int) -> Iterator[tuple[int, int]]:
    start, room, last = 0, columns, len(text.rstrip(" "))
    least = max(hanging(columns, hang), len(text) - len(text.lstrip(" ")))
    while last - start > room:
        cut = text.rfind(" ", least + 1, start + room + 1)
        if cut < 0:
            cut = text.find(" ", max(least + 1, start + room), last)
        if cut < 0:
            break
        yield start, len(text[:cut].rstrip(" "))
        start = least = len(text) - len(text[cut:].lstrip(" "))
        room = max(columns - hanging(columns, hang), NARROWEST)
    yield start, len(text)
