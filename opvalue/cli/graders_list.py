"""``opvalue graders list``: every built-in grader, from the registry alone."""

from typing import TYPE_CHECKING, Final

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Style, Styled
from opvalue.cli.table import aligned

if TYPE_CHECKING:
    from opvalue.graders.metadata import Metadata

_HEADINGS: Final = ("id", "unit", "good", "threshold", "on")
_GOOD: Final = {"higher_is_better": "high", "lower_is_better": "low"}


@declare("list", examples=("opvalue graders list", "opvalue graders list --json"))
@json_option
def command(console: Console) -> None:
    """List the built-in graders in canonical order. A grader that is not on by default runs where it is named."""
    from opvalue.graders.metadata import BUILTIN  # noqa: PLC0415 - not for --help

    rows = tuple(BUILTIN.values())
    if console.json:
        console.data({"graders": [_described(row) for row in rows]})
        return
    heading, *lines = aligned((_HEADINGS, *(_row(row) for row in rows)), right=frozenset({3}))
    console.line(Styled(heading, Style.DIM))
    for line in lines:
        console.line(line)


def _row(row: "Metadata") -> tuple[str, ...]:
    threshold = "" if row.threshold is None else str(row.threshold)
    return row.id, row.unit, _GOOD[row.direction], threshold, "by default" if row.default else "where named"


def _described(row: "Metadata") -> dict[str, object]:
    return {
        "id": row.id,
        "name": row.name,
        "description": row.description,
        "unit": row.unit,
        "direction": row.direction,
        "threshold": row.threshold,
        "min": row.minimum,
        "max": row.maximum,
        "default": row.default,
    }
