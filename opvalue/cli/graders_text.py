"""Results of graders as lines a person can read. Numbers are rounded here, nowhere else; nothing is printed here."""

from collections.abc import Iterator, Sequence
from typing import Final

from opvalue.cli.console import Line, Style, Styled
from opvalue.cli.table import fitted
from opvalue.graders.evaluate import Graded
from opvalue.graders.results import Context
from opvalue.records import HIGHER_IS_BETTER, LOWER_IS_BETTER, Status

_HEADINGS: Final = ("grader", "value", "unit", "status", "")
_UNIT: Final = 2
_WITH_UNITS: Final = 72
"""Columns below which units are left out."""
_STYLES: Final = {Status.PASS: Style.GOOD, Status.FAIL: Style.BAD, Status.ERROR: Style.BAD}
_BOUNDS: Final = {HIGHER_IS_BETTER: "at least", LOWER_IS_BETTER: "at most"}
_EXACT: Final = 1e15


def table(graded: Sequence[Graded], width: int | None = None) -> Iterator[Line]:
    """Yield the heading and the lines of each grader, in the order given, at most ``width`` columns wide.

    Where that is narrow, the units are left out.
    """
    cells = [_HEADINGS, *map(_row, graded)]
    if width is not None and width < _WITH_UNITS:
        cells = [row[:_UNIT] + row[_UNIT + 1 :] for row in cells]
    heading, *rows = fitted(cells, width, right=frozenset({1}))
    yield from (Styled(line, Style.DIM) for line in heading)
    for one, lines in zip(graded, rows, strict=True):
        yield from _coloured(lines, one.status)


def summary(graded: Sequence[Graded], context: Context) -> str:
    """Return which run it was and how many graders ended how."""
    run = f"run {context.run_id}, attempt {context.attempt}" if context.run_id else "a session that names no run"
    counts = [(status.value, sum(1 for one in graded if one.status is status)) for status in Status]
    said = ", ".join(f"{count} {word}" for word, count in counts if count)
    return f"{run}: {said or 'no grader is enabled'}"


def number(value: float) -> str:
    """Return a value with at most four decimals, trailing zeros cut. What is not zero is never shown as zero."""
    if isinstance(value, int):
        return str(value)
    if abs(value) >= _EXACT or 0 < abs(value) < 0.00005:
        return f"{value:.4g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _row(graded: Graded) -> tuple[str, ...]:
    value = "n/a" if graded.value is None else number(graded.value)
    unit = "" if graded.value is None else graded.entry.unit or ""
    return graded.entry.id, value, unit, graded.status.value, _note(graded)


def _note(graded: Graded) -> str:
    if graded.status in {Status.UNAVAILABLE, Status.ERROR}:
        return graded.error or graded.message or ""
    entry = graded.entry
    if entry.threshold is None or graded.passed is None:
        return "no threshold"
    return f"{_BOUNDS[entry.direction or '']} {number(entry.threshold)}"


def _coloured(lines: Sequence[str], status: Status) -> Iterator[Line]:
    style = _STYLES.get(status)
    place = next((place for place, line in enumerate(lines) if f" {status.value}" in line), None)
    for number, line in enumerate(lines):
        if style is None or number != place:
            yield line
            continue
        before, word, after = line.partition(f" {status.value}")
        yield (before, Styled(word, style), after)
