"""``opvalue graders list``: every built-in grader, from the registry alone."""

from typing import TYPE_CHECKING, Final

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.table import titled

if TYPE_CHECKING:
    from opvalue.graders.metadata import Metadata

_HEADINGS: Final = ("id", "unit", "good", "threshold", "on")
_GOOD: Final = {"higher_is_better": "high", "lower_is_better": "low"}


@declare("list", examples=("opvalue graders list", "opvalue graders list --json"))
@json_option
def command(console: Console) -> None:
    """List the built-in graders in canonical order. Those not on run where a workflow or --grader names them."""
    from opvalue.graders.metadata import BUILTIN  # noqa: PLC0415 - not for --help

    rows = tuple(BUILTIN.values())
    if console.json:
        console.data({"graders": [_described(row) for row in rows]})
        return
    console.lines(titled((_HEADINGS, *(_row(row) for row in rows)), console.columns, right=frozenset({3})))


def _row(row: "Metadata") -> tuple[str, ...]:
    threshold = "" if row.threshold is None else str(row.threshold)
    return row.id, row.unit, _GOOD[row.direction], threshold, "yes" if row.default else "no"


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
