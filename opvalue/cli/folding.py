"""One long line as several of a terminal's width, with a hanging indent. Nothing is printed here."""

from collections.abc import Iterator
from typing import Final

NARROWEST: Final = 20
"""Columns that a folded text has at least; a hanging indent gives way to that."""
_LITTLE: Final = 4


def hanging(columns: int, hang: int) -> int:
    """Return how far the further lines of a folded text are set in, where ``hang`` is wished for."""
    return hang if columns - hang >= NARROWEST else min(hang, _LITTLE)


def folds(text: str, columns: int, hang: int) -> Iterator[tuple[int, int]]:
    """Yield from where to where each line of ``text`` goes, of at most ``columns`` together with its indent.

    Lines part at spaces; not within as many first characters as the others are set in, which are a label. A word that
    is longer than a line stays whole, for a path or a command is there to be copied.
    """
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
