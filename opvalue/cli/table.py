"""Rows of text as aligned lines, and prose as lines of a width. Nothing is printed here."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from opvalue.cli.console import Line, Style, Styled
from opvalue.cli.folding import FILLER, columns_of, filled

_GAP: Final = 2
_NARROW: Final = 1
_ROOM: Final = 24
"""Columns that are enough to set the last cell's text in beside the others."""
_BELOW: Final = 4
PROSE: Final = 100
"""Columns of prose where the output is no terminal, or a wide one."""


def aligned(
    rows: Iterable[tuple[str, ...]],
    *,
    right: frozenset[int] = frozenset(),
    gap: int = _GAP,
    least: Sequence[int] | None = None,
) -> list[str]:
    """Return one line a row, columns ``gap`` spaces apart; those numbered in ``right`` end at one edge.

    Every row has the same number of cells. Each column is at least as wide as ``least`` says. Trailing space is cut.
    """
    table = list(rows)
    widths = list(map(max, widths_of(table), least)) if least else widths_of(table)
    return [
        (" " * gap)
        .join(
            padded(cell, width, right=place in right)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in table
    ]


def widths_of(table: Sequence[tuple[str, ...]]) -> list[int]:
    """Return the columns of the widest cell of each column."""
    return [max(map(columns_of, column)) for column in zip(*table, strict=True)]


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return ``text`` with space behind it, or before it, up to ``width`` columns."""
    space = " " * (width - columns_of(text))
    return space + text if right else text + space


def titled(
    rows: Iterable[tuple[str, ...]], width: int | None, *, right: frozenset[int] = frozenset()
) -> Iterator[Line]:
    """Yield the lines of ``fitted`` as they are printed: those of the first row, the headings, are dim."""
    heading, *others = fitted(rows, width, right=right)
    yield from (Styled(line, Style.DIM) for line in heading)
    for lines in others:
        yield from lines


def fitted(
    rows: Iterable[tuple[str, ...]], width: int | None, *, right: frozenset[int] = frozenset()
) -> list[list[str]]:
    """Return the lines of each row, none wider than ``width``. ``None`` is a width that everything fits in.

    What is too wide comes closer together first; then the text of the last cell is wrapped, beside the others where
    that row has room, else below them. Where the others alone are too wide, each row takes several lines, the headings
    like the rest, and a cell that is wider than a line is wrapped.
    """
    table = list(rows)
    wide = aligned(table, right=right)
    if width is None:
        return [[line] for line in wide]
    for lines in (wide, aligned(table, right=right, gap=_NARROW)):
        if max(map(columns_of, lines), default=0) <= width:
            return [[line] for line in lines]
    heads = aligned(((*row[:-1], "") for row in table), right=right, gap=_NARROW)
    place = max(map(columns_of, heads)) + _NARROW
    if place - _NARROW > width:
        return _broken(table, width, right)
    room = width - place
    return [
        _beside(head, row[-1], place, width)
        if room >= min(_ROOM, columns_of(row[-1]))
        else [head, *wrapped(row[-1], width, indent=_BELOW)]
        for head, row in zip(heads, table, strict=True)
    ]


def wrapped(text: str, width: int, *, indent: int = 0) -> list[str]:
    """Return ``text`` as lines of at most ``width`` columns, each set in; none for no text."""
    from textwrap import wrap  # noqa: PLC0415 - for those who wrap

    margin = " " * indent
    # What wraps counts characters. A wide one is let take two places, which may come to stand on two lines.
    wide = filled(text)
    room = max(width if wide == text else width - 1, indent + 1)
    lines = wrap(wide, room, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
    return [line.replace(FILLER, "") for line in lines]


def _beside(head: str, text: str, place: int, width: int) -> list[str]:
    first, *rest = wrapped(text, width, indent=place) or [""]
    return [f"{padded(head, place)}{first[place:]}".rstrip(), *rest]


def _broken(table: list[tuple[str, ...]], width: int, right: frozenset[int]) -> list[list[str]]:
    """Return the lines of each row, its columns on as many lines as they need; all but the first are set in."""
    rows: list[list[str]] = [[] for _ in table]
    for together in _together(widths_of(table), width):
        indent = _BELOW if together.start else 0
        ends = frozenset(place - together.start for place in right if place in together and len(together) > 1)
        lines = aligned((row[together.start : together.stop] for row in table), right=ends, gap=_NARROW)
        for row, line in zip(rows, lines, strict=True):
            fits = indent + columns_of(line) <= width
            row.extend([" " * indent + line] if line and fits else wrapped(line, width, indent=indent))
    return rows


def _together(widths: list[int], width: int) -> Iterator[range]:
    """Yield which columns stand on one line; one that is wider than that stands alone."""
    start = used = 0
    for place, room in enumerate(widths):
        if place > start and used + _NARROW + room > width:
            yield range(start, place)
            start, used = place, _BELOW + room
        else:
            used += room + (_NARROW if place > start else 0)
    yield range(start, len(widths))
