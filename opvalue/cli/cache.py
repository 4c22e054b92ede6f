"""``opvalue cache``: which downloaded artifacts are kept, and their removal. Nothing is ever removed unasked."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import LazyCommand, LazyGroup, declare, json_option
from opvalue.cli.console import Console, Style, Styled
from opvalue.cli.table import fitted
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.cache import Entry
    from opvalue.identity import Instant

_SECTION: Final = "Commands"
_HEADINGS: Final = ("host", "repository", "run", "artifact", "size", "last used")
_RIGHT: Final = frozenset({1, 2, 3, 4})
_LOST: Final = "damaged or unfinished"
_DAY: Final = 24 * 60 * 60 * 1000
_MOST_DAYS: Final = 36_500

command: Final = LazyGroup(
    "cache",
    lazy={
        "list": LazyCommand("opvalue.cli.cache", "List the artifacts that are kept.", _SECTION, "list_entries"),
        "prune": LazyCommand("opvalue.cli.cache", "Remove artifacts that are kept.", _SECTION, "prune"),
    },
    help="Look after the artifacts that were downloaded. Each is kept until it is pruned, and checked at every use.",
    examples=("opvalue cache list", "opvalue cache prune --older-than 90"),
)


@declare("list", examples=("opvalue cache list", "opvalue cache list --json"))
@json_option
def list_entries(console: Console) -> None:
    """List the artifacts that are kept, last used first."""
    from opvalue.cache import open_default  # noqa: PLC0415 - nothing of the cache is loaded for --help

    cache = open_default(os.environ)
    entries = cache.entries()
    if console.json:
        document = {"folder": str(cache.folder), **_amount(entries), "artifacts": [_described(one) for one in entries]}
        console.data(document)
        return
    console.fields([("cache", str(cache.folder))])
    if entries:
        console.line()
        _print_table(console, entries)
        console.line()
    console.line(_in_words(entries))


@declare(
    "prune",
    examples=(
        "opvalue cache prune --older-than 90",
        "opvalue cache prune --keep-bytes 1000000000",
        "opvalue cache prune --all",
    ),
)
@click.option(
    "--older-than",
    type=click.IntRange(0, _MOST_DAYS),
    metavar="DAYS",
    help="Remove what was not used for so many days.",
)
@click.option(
    "--keep-bytes",
    type=click.IntRange(0),
    metavar="N",
    help="Remove what was not used for longest, until the rest is at most N bytes.",
)
@click.option("--all", "everything", is_flag=True, help="Remove everything.")
@json_option
def prune(console: Console, older_than: int | None, keep_bytes: int | None, everything: bool) -> None:
    """Remove artifacts that are kept. Without an option, only what is damaged or was never finished.

    What another process is at work on stays. An artifact that has expired at GitHub cannot be downloaded again.
    """
    from opvalue.cache import open_default  # noqa: PLC0415

    if everything and (older_than is not None or keep_bytes is not None):
        raise UsageError("--all leaves nothing for --older-than or --keep-bytes to keep", hint="Give one or the other.")
    cache = open_default(os.environ)
    since = _days_ago(older_than) if older_than is not None else None
    pruned = cache.prune(unused_since=since, max_bytes=keep_bytes, everything=everything)
    if console.json:
        removed, kept = _amount(pruned.removed), _amount(pruned.kept)
        console.data({"folder": str(cache.folder), "removed": removed, "kept": kept})
        return
    console.fields(
        (("cache", str(cache.folder)), ("removed", _in_words(pruned.removed)), ("kept", _in_words(pruned.kept)))
    )


def size_in_words(size: int) -> str:
    """Return a number of bytes as people read it, in powers of 1024."""
    amount, units = float(size), ["KiB", "MiB", "GiB"]
    if size < 1024:
        return f"{size} B"
    unit = ""
    while units and amount >= 1024:
        amount, unit = amount / 1024, units.pop(0)
    return f"{amount:.1f} {unit}"


def _days_ago(days: int) -> "Instant":
    from opvalue.identity import Instant  # noqa: PLC0415

    now = Instant.from_datetime(datetime.now(UTC))
    return Instant(now.milliseconds - days * _DAY)


def _print_table(console: Console, entries: Iterable["Entry"]) -> None:
    rows = [_row(entry) for entry in entries]
    heading, *others = fitted([_HEADINGS, *rows], console.columns, right=_RIGHT)
    console.lines(Styled(line, Style.DIM) for line in heading)
    for row, lines in zip(rows, others, strict=True):
        console.lines(Styled(line, Style.WARN) if row[0] == _LOST else line for line in lines)


def _row(entry: "Entry") -> tuple[str, ...]:
    size, used = size_in_words(entry.bytes), f"{str(entry.used)[:19]}Z"
    if entry.record is None:
        return (_LOST, "", "", "", size, used)
    key = entry.record.key
    return (str(key.host), str(key.repository_id), key.run_id, str(key.artifact_id), size, used)


def _described(entry: "Entry") -> dict[str, object]:
    record = entry.record
    return {
        "host": str(record.key.host) if record else None,
        "repositoryId": record.key.repository_id if record else None,
        "runId": record.key.run_id if record else None,
        "artifactId": record.key.artifact_id if record else None,
        "sha256": str(record.digest) if record else None,
        "bytes": entry.bytes,
        "usedAt": str(entry.used),
        "whole": record is not None,
    }


def _amount(entries: tuple["Entry", ...]) -> dict[str, object]:
    return {"count": len(entries), "bytes": sum(entry.bytes for entry in entries)}


def _in_words(entries: tuple["Entry", ...]) -> str:
    if not entries:
        return "nothing"
    noun = "artifact" if len(entries) == 1 else "artifacts"
    return f"{len(entries)} {noun}, {size_in_words(sum(entry.bytes for entry in entries))}"
