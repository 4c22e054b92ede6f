"""``opvalue session validate``: everything that is wrong with a recorded session."""

from itertools import islice
from pathlib import Path
from typing import Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Style, Styled, single_line
from opvalue.cli.paths import PATH
from opvalue.cli.table import titled

FOUND: Final = 10
"""The exit status where anything is wrong."""

_LISTED: Final = 1_000


@declare(
    "validate",
    examples=("opvalue session validate usage/aw_session.jsonl", "opvalue session validate session.jsonl --json"),
)
@click.argument("file", metavar="FILE", type=PATH)
@json_option
def command(console: Console, file: Path) -> int:
    """List everything that is wrong with the recorded session FILE, each with its line.

    Lines and events are held to the format, and the whole to its order and to the collector's count, so that lost
    events are noticed. Exit 10 if anything is wrong.
    """
    from opvalue.cli.session_input import read_once  # noqa: PLC0415 - help is shown without it
    from opvalue.session.validation import problems  # noqa: PLC0415

    with console.progress(f"reading {file}"):
        found = problems(read_once(file))
        listed = list(islice(found, _LISTED))
        count = len(listed) + sum(1 for _ in found)
    if console.json:
        problem = [{one.unit: one.line, "code": one.code, "text": one.text} for one in listed]
        console.data({"session": str(file), "valid": not count, "count": count, "problems": problem})
    elif count:
        # Escaped before it is measured.
        rows = [(listed[0].unit, "code", "what"), *((str(one.line), one.code, single_line(one.text)) for one in listed)]
        console.lines(titled(rows, console.columns, right=frozenset({0})))
        console.line()
        more = f", of which the first {_LISTED} are listed" if count > len(listed) else ""
        console.line(Styled(f"{count} {'problem' if count == 1 else 'problems'}{more}", Style.BAD), hang=4)
    else:
        console.line(Styled("nothing is wrong", Style.GOOD))
    return FOUND if count else 0
