"""``opvalue session show``: the events of a recorded session, one a row."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Line, Style, Styled, single_line
from opvalue.cli.folding import columns_of, within
from opvalue.cli.paths import PATH
from opvalue.cli.table import aligned, padded, widths_of

if TYPE_CHECKING:
    from opvalue.cli.session_rows import Row

_TOGETHER: Final = 500
"""Rows that are aligned together; a longer session is not held in memory."""
_WIDTH: Final = 160
"""Columns where the output is no terminal."""
_HEADINGS: Final = ("#", "at s", "type", "where", "what")
_BESIDE: Final = (0, 1, 2, 3)
"""What stands before what an event says; the last gives way where a terminal is narrow."""
_ROOM: Final = 24
"""Columns that what an event says has at least; where it has not, it gets those of where the event is from."""
_LITTLE: Final = 12
"""Columns that it then has at least; where it has not, it stands on a line of its own."""
_NAME: Final = 40
"""Characters of a type that are shown; one long one would take every row's room."""
_GAP: Final = 2
_BELOW: Final = 4
_RIGHT: Final = frozenset({0, 1})


class _Layout:
    """How rows are set. Once narrowed it stays so, and no column gets narrower, so that all rows of a table meet."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._least = [*map(len, _HEADINGS)]
        self._beside: tuple[int, ...] = ()
        self._below = False

    def lines(self, rows: Sequence[tuple[str, ...]]) -> Iterator[Line]:
        """Yield the lines of the rows, the headings first where they are new."""
        self._least = list(map(max, self._least, widths_of(rows)))
        before = (self._beside, self._below)
        self._narrow()
        if before != (self._beside, self._below):
            yield from (Styled(line, Style.DIM) for line in self._set([_HEADINGS]))
        yield from self._set(rows)

    def _narrow(self) -> None:
        if not self._beside:
            self._beside = _BESIDE
        if self._room() < _ROOM:
            self._beside = _BESIDE[:-1]
        self._below = self._below or self._room() < _LITTLE

    def _room(self) -> int:
        return self._width - sum(self._least[place] + _GAP for place in self._beside)

    def _set(self, rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
        least = [self._least[place] for place in self._beside]
        heads = aligned((tuple(row[place] for place in self._beside) for row in rows), right=_RIGHT, least=least)
        start = sum(least) + _GAP * len(least)
        for head, row in zip(heads, rows, strict=True):
            if not self._below:
                yield self._cut(f"{padded(head, start)}{row[-1]}".rstrip())
                continue
            yield self._cut(head)
            if row[-1]:
                yield self._cut(" " * _BELOW + row[-1])

    def _cut(self, line: str) -> str:
        if columns_of(line) <= self._width:
            return line
        return f"{within(line, self._width - 1)}…"


@declare(
    "show",
    examples=(
        "opvalue session show usage/aw_session.jsonl",
        "opvalue session show session.jsonl --json | jq '.events[0]'",
    ),
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--skip-malformed", is_flag=True, help="Count lines that are no events, and go on.")
@json_option
def command(console: Console, file: Path, *, skip_malformed: bool) -> None:
    """Show the events of the recorded session FILE as a table: order, time, type, where it is from, what it says.

    Times are seconds since the first event that has one; - where there is none. A component's phase is shown where it
    is not the usual one, such as firewall/detection. Rows are cut to the terminal; --json prints the events whole.
    """
    from opvalue.cli.session_file import read, tell  # noqa: PLC0415 - help is shown without it
    from opvalue.cli.session_rows import row  # noqa: PLC0415
    from opvalue.strictjson import dumps  # noqa: PLC0415

    reading = read(file, skip_malformed=skip_malformed)
    if console.json:
        with console.progress(f"reading {file}"):
            events = list(reading.events)
            document = dumps({"session": str(file), "events": events, "losses": reading.losses_document()}).encode()
        console.raw(document)
        return
    # On a terminal the rows themselves show how far it is.
    with console.progress(f"reading {file}") if console.columns is None else nullcontext():
        _print(console, (row(number, event) for number, event in enumerate(reading.events, 1)))
    tell(console, reading.losses)


def _print(console: Console, rows: Iterator["Row"]) -> None:
    layout, began, number = _Layout(console.columns or _WIDTH), None, 0
    while batch := list(islice(rows, _TOGETHER)):
        if began is None:
            began = next((one.milliseconds for one in batch if one.milliseconds is not None), None)
        console.lines(layout.lines(list(_cells(batch, began))))
        number = batch[-1].number
    if not number:
        console.line("no events")


def _cells(batch: Iterable["Row"], began: float | None) -> Iterator[tuple[str, ...]]:
    from opvalue.cli.times import seconds  # noqa: PLC0415 - help is shown without it

    for one in batch:
        at = "-" if one.milliseconds is None or began is None else seconds(began, one.milliseconds)
        # Escaped before it is measured and cut, or an escape could be cut in two.
        yield (
            str(one.number),
            at,
            _short(single_line(one.type)),
            _short(single_line(one.where)),
            single_line(one.summary),
        )


def _short(text: str) -> str:
    return text if len(text) <= _NAME else f"{text[: _NAME - 1]}…"
