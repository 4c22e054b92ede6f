"""``opvalue session collect``: a run's raw logs made one session."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Style, Styled, single_line
from opvalue.cli.named_secrets import named_secrets
from opvalue.cli.paths import OUTPUT, PATH
from opvalue.cli.table import titled

if TYPE_CHECKING:
    from opvalue.collect import Collected

_SHOWN: Final = 10


@declare(
    "collect",
    examples=(
        "opvalue session collect run-123/",
        "opvalue session collect run-123/ -o session.jsonl",
        "opvalue session collect run-123/ --json",
    ),
)
@click.argument("folder", metavar="DIR", type=PATH)
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    metavar="FILE",
    help="Where to write the session. Default: usage/aw_session.jsonl in DIR.",
)
@json_option
def command(console: Console, folder: Path, output: Path | None) -> None:
    """Make a session from the raw logs in DIR, where a run's artifact was unpacked.

    Secrets are taken out: what the logs mask, what has the shape of a secret, and the values of SECRET_* variables.
    A session that is there is replaced, unless no raw log is there to make it of. What could not be read is listed in
    the session, and here.
    """
    from opvalue.collect import (  # noqa: PLC0415 - help is shown without it
        check_folder,
        collect,
        default_output,
        keep,
        write,
    )

    check_folder(folder)
    path = output or default_output(folder)
    secrets = named_secrets(os.environ)

    def make() -> tuple["Collected", Iterable[bytes]]:
        collected = collect(folder, secrets=secrets)
        if not collected.has_raw_logs:
            keep(path, collected.lines)
        return collected, collected.lines

    with console.progress(f"collecting {folder}"):
        collected = write(path, make)
    if console.json:
        console.data(_document(path, collected))
        return
    _print(console, path, collected)


def _document(path: Path, collected: "Collected") -> dict[str, object]:
    return {
        "session": str(path),
        "events": len(collected.lines),
        "untimedEvents": collected.untimed,
        "sources": [
            {"component": one.place.component, "phase": one.place.phase, "path": one.path, "events": one.events}
            for one in collected.sources
        ],
        "absentComponents": list(collected.absent),
        "warnings": [{"path": one.path, "code": one.code, "line": one.line} for one in collected.warnings],
        "warned": collected.warned,
    }


def _print(console: Console, path: Path, collected: "Collected") -> None:
    console.fields(
        [
            ("session", str(path)),
            ("events", f"{len(collected.lines)}, {collected.untimed} of the logs' without a time"),
            ("absent", ", ".join(collected.absent) or "nothing"),
        ]
    )
    if collected.sources:
        console.line()
        console.lines(titled(_rows(collected), console.columns, right=frozenset({2})))
    else:
        text = "no log of a run was found in there: give the folder that the run's artifact was unpacked to"
        console.line(Styled(text, Style.WARN), hang=4)
    console.lines(_warnings(collected), hang=4)


def _rows(collected: "Collected") -> Iterator[tuple[str, ...]]:
    yield "component", "phase", "events", "log"
    for one in collected.sources:
        yield one.place.component, one.place.phase, str(one.events), single_line(one.path)


def _warnings(collected: "Collected") -> Iterator[Styled | str]:
    if not collected.warned:
        return
    yield ""
    yield Styled(f"left out, {collected.warned} in all:", Style.WARN)
    for one in collected.warnings[:_SHOWN]:
        yield f"  {one.path}{'' if one.line is None else f', line {one.line}'}: {one.code}"
    if collected.warned > _SHOWN:
        yield f"  and {collected.warned - _SHOWN} more, counted in the session"
