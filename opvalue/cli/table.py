"""Rows of text as aligned lines. Nothing is printed here."""

from collections.abc import Iterable


def aligned(rows: Iterable[tuple[str, ...]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Return one line a row, columns two spaces apart; those numbered in ``right`` end at one edge.

    Every row has the same number of cells. Trailing space is cut.
    """
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
