"""Findings as text for people: file and line, the line itself, a caret, what to do. Pure; the console prints."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from opvalue.cli.console import Line, Style, Styled, folded
from opvalue.errors import printable
from verifier.findings import Counts, Finding, Severity
from verifier.report import Report, Script

_STYLES: Final = {Severity.ERROR: Style.BAD, Severity.WARNING: Style.WARN, Severity.NOTE: Style.DIM}
_WIDTH: Final = 100
_EXCERPT: Final = 96
_SET_IN: Final = 8
_LEAST: Final = 30
"""Columns below which nothing is narrowed any more."""


def lines(report: Report, columns: int | None = None) -> Iterator[Line]:
    """Yield the lines of the report, folded to a terminal of so many columns."""
    for script in report.scripts:
        yield from _script(script, columns)
    if len(report.scripts) > 1:
        yield (Styled(f"{len(report.scripts)} evaluators: {report.counts.described()}", Style.BOLD),)


def _script(script: Script, columns: int | None) -> Iterator[Line]:
    for finding in script.findings:
        yield from _finding(finding, columns)
        yield ""
    for finding, ignore in script.ignored:
        told = f"  {_place(finding)}  {finding.rule}: {ignore.reason}"
        yield from folded((Styled("ignored", Style.DIM), told), columns, len("ignored  "))
    counts = Counts.of(script.findings)
    good = not script.findings
    verdict = "verified" if good else counts.described()
    work = script.work
    summed = (
        Styled(f"{script.path}: {verdict}", Style.GOOD if good else Style.BOLD),
        Styled(f"  ({work.rules} rules, {work.grade_runs} gradings, {work.scripts_run} runs)", Style.DIM),
    )
    yield from folded(summed, columns, _SET_IN)


def _finding(finding: Finding, columns: int | None) -> Iterator[Line]:
    style = _STYLES[finding.severity]
    heading = (
        Styled(_place(finding), Style.BOLD),
        "  ",
        Styled(finding.severity.value, style),
        f"  {finding.message}  ",
        Styled(f"[{finding.rule}]", Style.DIM),
    )
    yield from folded(heading, columns, _SET_IN)
    if finding.excerpt is not None and finding.line is not None:
        shown = _EXCERPT if columns is None else max(_LEAST, min(_EXCERPT, columns - _SET_IN))
        yield from _excerpt(finding.excerpt, finding.line, finding.column or 1, style, shown)
    width = _WIDTH if columns is None else max(_LEAST, min(_WIDTH, columns))
    yield from _set_in("do", finding.advice, width - _SET_IN)


def _place(finding: Finding) -> str:
    if finding.line is None:
        return finding.path
    return f"{finding.path}:{finding.line}" + ("" if finding.column is None else f":{finding.column}")


def _excerpt(text: str, line: int, column: int, style: Style, room: int) -> Iterator[Line]:
    """Yield the line and a caret below it. A line longer than ``room`` is cut around the column.

    Cells are counted as the line is shown: escapes as they are written, wide characters twice, marks not at all.
    """
    before, after = (printable(piece.replace("\t", " ")) for piece in (text[: column - 1], text[column - 1 :]))
    cut = max(0, min(len(before) - room // 2, len(before) + len(after) - room))
    shown = (before + after)[cut : cut + room]
    number = f"{line:>5} | "
    yield (Styled(number, Style.DIM), shown.rstrip())
    yield (Styled(" " * (len(number) - 2) + "| ", Style.DIM), " " * _cells(before[cut:]), Styled("^", style))


def _cells(text: str) -> int:
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - only where there is something to point at

    return sum(0 if combining(one) else 2 if east_asian_width(one) in {"W", "F"} else 1 for one in text)


def _set_in(name: str, text: str, room: int) -> Iterator[Line]:
    for index, row in enumerate(wrap(text, room, break_on_hyphens=False)):
        yield (Styled((name if index == 0 else "").rjust(5), Style.DIM), f"   {row}")
