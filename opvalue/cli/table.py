"""Rows of text as aligned lines, and prose as lines of a width. Nothing is printed here."""

from collections.abc import Iterable
from typing import Final

_GAP: Final = 2
_NARROW: Final = 1
_ROOM: Final = 24
"""Columns that are enough to set the last cell's text in beside the others."""
_BELOW: Final = 4
PROSE: Final = 100
"""Columns of prose where the output is no terminal, or a wide one."""


def aligned(rows: Iterable[tuple[str, ...]], *, right: frozenset[int] = frozenset(), gap: int = _GAP) -> list[str]:
    """Return one line a row, columns ``gap`` spaces apart; those numbered in ``right`` end at one edge.

    Every row has the same number of cells. Trailing space is cut.
    """
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        (" " * gap)
        .join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in table
    ]


def fitted(
    rows: Iterable[tuple[str, ...]], width: int | None, *, right: frozenset[int] = frozenset()
) -> list[list[str]]:
    """Return the lines of each row, so that none is wider than ``width`` if the cells but the last let it.

    What is too wide comes closer together first; then the text of the last cell is wrapped, beside the others where
    that row has room, else below them. ``None`` is a width that everything fits in.
    """
    table = list(rows)
    wide = aligned(table, right=right)
    if width is None:
        return [[line] for line in wide]
    for lines in (wide, aligned(table, right=right, gap=_NARROW)):
        if max(map(len, lines), default=0) <= width:
            return [[line] for line in lines]
    heads = aligned(((*row[:-1], "") for row in table), right=right, gap=_NARROW)
    place = max(map(len, heads)) + _NARROW
    room = width - place
    return [
        _beside(head, row[-1], place, width)
        if room >= min(_ROOM, len(row[-1]))
        else [head, *wrapped(row[-1], width, indent=_BELOW)]
        for head, row in zip(heads, table, strict=True)
    ]


def wrapped(text: str, width: int, *, indent: int = 0) -> list[str]:
    """Return ``text`` as lines of at most ``width`` columns, each set in; none for no text."""
    from textwrap import wrap  # noqa: PLC0415 - for those who wrap

    margin = " " * indent
    return wrap(text, max(width, indent + 1), initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)


def _beside(head: str, text: str, place: int, width: int) -> list[str]:
    first, *rest = wrapped(text, width, indent=place) or [""]
    return [f"{head.ljust(place)}{first[place:]}".rstrip(), *rest]
