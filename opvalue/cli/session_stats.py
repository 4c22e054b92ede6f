"""``opvalue session stats``: how many events of what, over which time."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, single_line
from opvalue.cli.paths import PATH
from opvalue.cli.table import titled
from opvalue.strictjson import is_number

if TYPE_CHECKING:
    from opvalue.strictjson import JsonObject

_Key = TypeVar("_Key", str, tuple[str, str])
_KINDS: Final = 1_000
"""Different names that are counted apart; what comes after is counted together."""
_TEXT: Final = 200
_OTHERS: Final = "(others)"


class _Stats(NamedTuple):
    """Counts of a session."""

    events: int
    untimed: int
    first: int | float | None
    last: int | float | None
    types: Counter[str]
    places: Counter[tuple[str, str]]


@declare(
    "stats", examples=("opvalue session stats usage/aw_session.jsonl", "opvalue session stats session.jsonl --json")
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--skip-malformed", is_flag=True, help="Count lines that are no events, and go on.")
@json_option
def command(console: Console, file: Path, *, skip_malformed: bool) -> None:
    """Count the events of the recorded session FILE by type, component and phase, with its time span and losses."""
    from opvalue.cli.session_file import read  # noqa: PLC0415 - help is shown without it

    reading = read(file, skip_malformed=skip_malformed)
    with console.progress(f"reading {file}"):
        stats = _count(reading.events)
    if console.json:
        console.data({"session": str(file), **_document(stats), "losses": reading.losses_document()})
        return
    untimed = f", {stats.untimed} of them without a time" if stats.untimed else ""
    console.fields(
        [
            ("session", str(file)),
            ("events", f"{stats.events}{untimed}"),
            ("time", _span(stats)),
            ("losses", "; ".join(reading.losses_in_words()) or "nothing"),
        ]
    )
    _table(console, ("type", "events"), [(kind, str(count)) for kind, count in _sorted(stats.types)])
    places: list[tuple[str, ...]] = [(*place, str(count)) for place, count in _sorted(stats.places)]
    _table(console, ("component", "phase", "events"), places)


def _count(events: Iterable["JsonObject"]) -> _Stats:
    types: Counter[str] = Counter()
    places: Counter[tuple[str, str]] = Counter()
    count = timed = 0
    first: int | float | None = None
    last: int | float | None = None
    for event in events:
        count += 1
        found = event.get("provenance")
        provenance = found if isinstance(found, dict) else {}
        kind = _name(event.get("type"))
        types[kind if kind in types or len(types) < _KINDS else _OTHERS] += 1
        place = _name(provenance.get("component")), _name(provenance.get("phase"))
        places[place if place in places or len(places) < _KINDS else (_OTHERS, "")] += 1
        moment = provenance.get("timestampMs")
        if is_number(moment):
            timed += 1
            first = moment if first is None else min(first, moment)
            last = moment if last is None else max(last, moment)
    return _Stats(count, count - timed, first, last, types, places)


def _document(stats: _Stats) -> dict[str, object]:
    return {
        "events": stats.events,
        "untimedEvents": stats.untimed,
        "firstMs": stats.first,
        "lastMs": stats.last,
        "types": dict(_sorted(stats.types)),
        "places": [
            {"component": component, "phase": phase, "events": count}
            for (component, phase), count in _sorted(stats.places)
        ],
    }


def _sorted(counter: Counter[_Key]) -> list[tuple[_Key, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def _span(stats: _Stats) -> str:
    from opvalue.cli.times import moment, seconds  # noqa: PLC0415 - help is shown without it

    if stats.first is None or stats.last is None:
        return "not known"
    return f"{moment(stats.first)} to {moment(stats.last)}, {seconds(stats.first, stats.last)} s"


def _table(console: Console, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    if not rows:
        return
    console.line()
    # Escaped before it is measured.
    cells = (tuple(map(single_line, row)) for row in rows)
    console.lines(titled([headings, *cells], console.columns, right=frozenset({len(headings) - 1})))


def _name(value: object) -> str:
    return value[:_TEXT] if isinstance(value, str) else ""
