"""``opvalue graders explain``: the events behind a default grader's number, or what a trajectory grader reads."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, single_line
from opvalue.cli.paths import PATH
from opvalue.cli.table import PROSE, titled, wrapped

if TYPE_CHECKING:
    from opvalue.cli.session_input import SessionFile
    from opvalue.conclusion.settled import Settled
    from opvalue.graders.evaluate import Graded
    from opvalue.graders.metadata import Metadata
    from opvalue.graders.trajectory.projection import Projection
    from opvalue.session.evidence import Row

_HEADINGS: Final = ("#", "time", "type", "what it did")
_PARTS: Final = re.compile(r"^(?=(?:Formula|Source|Unavailable): )", re.MULTILINE)
_OURS: Final = re.compile(r"\s*\([^()]*(?:Graders Specification|DESIGN|reference [0-9]|\b[A-Z]{2}-[0-9]{2})[^()]*\)")
"""References to our own papers, which help nobody else."""


@declare(
    "explain",
    examples=(
        "opvalue graders explain usage/aw_session.jsonl loops",
        "opvalue graders explain usage/aw_session.jsonl tool-failure-count --json",
        "opvalue graders explain usage/aw_session.jsonl recurrence-rate",
    ),
)
@click.argument("session", metavar="SESSION", type=PATH)
@click.argument("grader", metavar="ID", shell_complete=lambda _ctx, _param, begun: _complete(begun))
@click.option("--skip-malformed", is_flag=True, help="Count lines that are no events, and go on.")
@json_option
def command(console: Console, session: Path, grader: str, *, skip_malformed: bool) -> None:
    """Show which events of the recorded SESSION made the number of the grader ID, and what each of them did to it.

    Events are numbered as opvalue session show numbers them. A trajectory grader reads a projection of the session:
    of such a one its formula is shown, and what of the projection this session holds.
    """
    from opvalue.cli.session_file import tell  # noqa: PLC0415 - nothing of the graders is loaded for --help
    from opvalue.cli.session_input import open_session  # noqa: PLC0415
    from opvalue.conclusion.jobs import without_collector  # noqa: PLC0415
    from opvalue.conclusion.recorded import know  # noqa: PLC0415
    from opvalue.conclusion.selection import select  # noqa: PLC0415
    from opvalue.graders.configuration import defaults  # noqa: PLC0415
    from opvalue.graders.evaluate import grade  # noqa: PLC0415
    from opvalue.graders.metadata import BUILTIN  # noqa: PLC0415

    configuration = select(defaults(), (grader,))
    with (
        without_collector(),
        console.progress(f"reading {session}"),
        open_session(session, skip_malformed=skip_malformed) as file,
    ):
        known = know(file, configuration, skip_malformed=skip_malformed)
        rows = _behind(file, known.settled, grader, skip_malformed=skip_malformed) if known.projection is None else ()
    tell(console, known.losses)
    (graded,) = grade(known.lookups, known.projection, configuration)
    if console.json:
        console.data(_document(graded, rows, known.projection))
        return
    _head(console, graded, BUILTIN[grader])
    if known.projection is None:
        _table(console, rows)
    else:
        console.fields(_collections(known.projection))


def _complete(begun: str) -> list[str]:
    from opvalue.graders.metadata import BUILTIN  # noqa: PLC0415

    return [grader for grader in BUILTIN if grader.startswith(begun)]


def _behind(file: "SessionFile", settled: "Settled | None", grader: str, *, skip_malformed: bool) -> tuple["Row", ...]:
    """Return the events in the order in which they are graded, numbered as the file has them."""
    from opvalue.session import read_events  # noqa: PLC0415
    from opvalue.session.evidence import events_behind  # noqa: PLC0415

    if settled is None:
        return events_behind(read_events(file.blocks(), skip_malformed=skip_malformed), grader)
    rows = events_behind(read_events(settled.blocks(), limits=settled.line_limits), grader)
    numbers = [*settled.numbers()]
    return tuple(row._replace(index=numbers[row.index]) for row in rows)


def _head(console: Console, graded: "Graded", metadata: "Metadata") -> None:
    from opvalue.cli.graders_text import table  # noqa: PLC0415

    console.lines(table([graded], console.columns))
    console.line()
    for paragraph in _formula(metadata):
        console.lines(wrapped(paragraph, min(console.columns or PROSE, PROSE)))
    console.line()


def _formula(metadata: "Metadata") -> list[str]:
    """Return what the formula's own file says of it; the description where Python keeps no such texts (``-OO``)."""
    from opvalue.graders.registry import module_of  # noqa: PLC0415

    _, _, text = (import_module(module_of(metadata)).__doc__ or "").strip().partition("\n\n")
    formula = _OURS.sub("", text.partition("\n\n")[0].replace("``", ""))
    parts = [part for part in _PARTS.split(formula) if part]
    return [metadata.description, *(" ".join(part.split()) for part in parts)]


def _table(console: Console, rows: tuple["Row", ...]) -> None:
    if not rows:
        console.line("No event is behind it.")
        return
    console.lines(titled((_HEADINGS, *map(_cells, rows)), console.columns, right=frozenset({0})))


def _cells(row: "Row") -> tuple[str, ...]:
    from opvalue.cli.times import moment  # noqa: PLC0415

    time = "-" if row.time is None else moment(row.time)
    # Escaped before it is measured, or the columns would not meet.
    return str(row.index + 1), time, single_line(row.type), single_line(row.contribution)


def _collections(projection: "Projection") -> Iterator[tuple[str, str]]:
    for name, count in _counts(projection):
        yield name, "not in a session" if count is None else str(count)


def _counts(projection: "Projection") -> Iterator[tuple[str, int | None]]:
    for name, field in (
        ("events", projection.events),
        ("states", projection.states),
        ("actions", projection.actions),
        ("toolCalls", projection.tool_calls),
        ("observations", projection.observations),
        ("resources", projection.resources),
        ("provenanceEdges", projection.provenance_edges),
        ("objectives", projection.objectives),
        ("reference", projection.reference),
    ):
        beyond = projection.beyond.get(name, 0)
        yield name, None if field is None and not beyond else len(field or ()) + beyond


def _document(graded: "Graded", rows: tuple["Row", ...], projection: "Projection | None") -> dict[str, object]:
    document: dict[str, object] = {
        "grader": graded.entry.id,
        "value": graded.value,
        "unit": graded.entry.unit,
        "status": graded.status.value,
        "message": graded.message or graded.error,
    }
    if projection is not None:
        return document | {"projection": dict(_counts(projection))}
    return document | {
        "events": [
            {"number": row.index + 1, "type": row.type, "timeMs": row.time, "contribution": row.contribution}
            for row in rows
        ]
    }
