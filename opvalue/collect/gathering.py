"""What a collection has gathered so far: events, sources, warnings, masks.

Events are kept as the lines they will be, with their ordering key; decoded they would take many times the memory.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from opvalue.collect import times
from opvalue.collect.fields import project
from opvalue.collect.folder import Entry, Found, RunFolder
from opvalue.collect.records import Log
from opvalue.collect.sources import Place
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, dumps_compact

_ODD: Final = {Found.LINK: "symlink_not_read", Found.OTHER: "not_a_regular_file"}
_CARRIED: Final = ("id", "parentId")
_CARRIED_AFTER: Final = ("agentId", "ephemeral")


class Native(NamedTuple):
    """One event as a log has it."""

    type: str
    record: JsonObject
    """The whole record: it states the time."""
    data: JsonObject
    """Its payload, to be projected; of a flat record that is the record."""
    enveloped: bool = False
    """Whether the record's own ids, agent and ``ephemeral`` are those of the event."""


class Warned(NamedTuple):
    """One thing that was left out."""

    path: str
    code: str
    line: int | None


class Source(NamedTuple):
    """One log that was read."""

    place: Place
    path: str
    events: int
    damaged: bool
    """Whether any of it was left out."""
    seconds: bool


class Timed(NamedTuple):
    """An event's line, and its place in the order."""

    milliseconds: int | float | None
    line: str


class Prepared(NamedTuple):
    """A source that was read, before it takes its place among the others."""

    source: Source
    events: list[Timed]


class Gathering:
    """Filled source by source, in the order of enumeration."""

    def __init__(self, folder: RunFolder, limits: Limits) -> None:
        self.folder = folder
        self.events: list[Timed] = []
        self.sources: list[Source] = []
        self.warnings: list[Warned] = []
        self.warned = 0
        """Warnings, those over the limit included."""
        self.masks: set[str] = set()
        self._odd: set[str] = set()
        self._limits = limits

    def warn(self, path: str, code: str, line: int | None = None) -> None:
        """Note that something at ``path`` was left out."""
        self.warned += 1
        if self.warned <= self._limits.collect_warnings:
            self.warnings.append(Warned(path, code, line))

    def log(self, path: str) -> Log:
        """Return the file at ``path``, to be read once."""
        return Log(
            self.folder.blocks(path),
            lambda code, line: self.warn(path, code, line),
            self.masks,
            self._limits.collect_line_bytes,
        )

    def exists(self, path: str) -> bool:
        """Tell whether a file can be read at ``path``; warn of a link or a device there."""
        entry = self.folder.look(path)
        self.odd(entry)
        return entry.found is Found.FILE

    def odd(self, entry: Entry) -> None:
        """Warn of what is there and not read, once."""
        code = "directory_depth_limit" if entry.too_deep else _ODD.get(entry.found)
        if code is not None and entry.path not in self._odd:
            self._odd.add(entry.path)
            self.warn(entry.path, code)

    def first(self, candidates: Iterable[str]) -> str | None:
        """Return the first of the ``candidates`` that exists."""
        return next((path for path in candidates if self.exists(path)), None)

    def add(self, place: Place, path: str, natives: Iterable[Native], *, seconds: bool = False) -> None:
        """Read the source at ``path`` and take its events."""
        self.take(self.prepare(place, path, natives, seconds=seconds))

    def prepare(self, place: Place, path: str, natives: Iterable[Native], *, seconds: bool = False) -> Prepared:
        """Read the source at ``path``."""
        warned = self.warned
        events = [_event(native, place, path, index, seconds=seconds) for index, native in enumerate(natives)]
        return Prepared(Source(place, path, len(events), self.warned > warned, seconds), events)

    def take(self, prepared: Prepared) -> None:
        """Take the events of a source that was read."""
        self.events += prepared.events
        self.sources.append(prepared.source)


def _event(native: Native, place: Place, path: str, index: int, *, seconds: bool) -> Timed:
    record = native.record
    stated, stamp = times.stamp(record)
    moment = times.milliseconds(stamp, seconds=seconds) if stated else None
    event: JsonObject = {"type": native.type}
    if native.enveloped:
        event.update((key, record[key]) for key in _CARRIED if key in record)
    if stated:
        event["timestamp"] = stamp
    if native.enveloped:
        event.update((key, record[key]) for key in _CARRIED_AFTER if key in record)
    event["data"] = project(native.type, native.data, record)
    provenance: JsonObject = {"component": place.component, "phase": place.phase, "path": path, "index": index}
    if moment is not None:
        provenance["timestampMs"] = moment
    if "provenance" in record:
        provenance["native"] = record["provenance"]
    event["provenance"] = provenance
    return Timed(moment, dumps_compact(event))
