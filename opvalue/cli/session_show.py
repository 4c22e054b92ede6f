"""``opvalue session show``: the events of a recorded session, one a row."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Style, Styled, single_line
from opvalue.cli.table import aligned

if TYPE_CHECKING:
    from opvalue.cli.session_rows import Row

_TOGETHER: Final = 500
"""Rows that are aligned together; a longer session is not held in memory."""
_WIDTH: Final = 160
"""Columns where the output is no terminal."""
_HEADINGS: Final = ("#", "at s", "type", "where", "what")
_WHERE: Final = 3
_ROOM: Final = 24
"""Columns that what an event says has at least; where it has not, it gets those of where the event is from."""
_RIGHT: Final = frozenset({0, 1})


@declare(
    "show",
    examples=(
        "opvalue session show usage/aw_session.jsonl",
        "opvalue session show session.jsonl --json | jq '.events[0]'",
    ),
)
@click.argument("file", metavar="FILE", type=click.Path(readable=False, path_type=Path))
@click.option("--skip-malformed", is_flag=True, help="Count lines that are no events, and go on.")
@json_option
def command(console: Console, file: Path, *, skip_malformed: bool) -> None:
    """Show the events of the recorded session FILE as a table: order, time, type, where it is from, what it says.

    Times are seconds since the first event that has one; - where there is none. A component's phase is shown where it
    is not the usual one, such as firewall/detection. Rows are cut to the terminal; --json prints the events whole.
    """
    from opvalue.cli.session_file import read, tell  # noqa: PLC0415 - help is shown without it
    from opvalue.cli.session_rows import row  # noqa: PLC0415

    reading = read(file, skip_malformed=skip_malformed)
    if console.json:
        events = list(reading.events)
        console.data({"session": str(file), "events": events, "losses": reading.losses_document()})
        return
    _print(console, (row(number, event) for number, event in enumerate(reading.events, 1)))
    tell(console, reading.losses)


def _print(console: Console, rows: Iterator["Row"]) -> None:
    width, began, first = console.columns or _WIDTH, None, True
    while batch := list(islice(rows, _TOGETHER)):
        if began is None:
            began = next((one.milliseconds for one in batch if one.milliseconds is not None), None)
        table = [_HEADINGS, *_cells(batch, began)]
        lines = aligned(table, right=_RIGHT)
        if width - lines[0].index(_HEADINGS[-1]) < _ROOM:
            lines = aligned((row[:_WHERE] + row[_WHERE + 1 :] for row in table), right=_RIGHT)
        if first:
            console.line(Styled(lines[0], Style.DIM))
        for line in lines[1:]:
            console.line(line if len(line) <= width else f"{line[: width - 1]}…")
        first = False
    if first:
        console.line("no events")


def _cells(batch: Iterable["Row"], began: float | None) -> Iterator[tuple[str, ...]]:
    for one in batch:
        at = "-" if one.milliseconds is None or began is None else f"{(one.milliseconds - began) / 1000:.3f}"
        # Escaped before it is measured and cut, or an escape could be cut in two.
        yield str(one.number), at, single_line(one.type), single_line(one.where), single_line(one.summary)
