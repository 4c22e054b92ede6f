"""A run's raw logs made one session: sources in order, events in canonical order, redacted (reference 1.1 to 1.4, 1.6).

1. The folder is opened; each log is read once, in the order of ``sources``.
2. Every event is redacted: what the logs mask, the named secrets given, shapes of secrets.
3. Timed events by time, ties and untimed ones in the order of reading; the collector's own records around them.

The same logs give the same bytes, whatever the machine. Nothing of the environment enters, so
``guardrail.daily_aic`` is never made up here, and no log of an engine's own text is parsed.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.collect import agent, execution
from opvalue.collect.folder import Found, RunFolder
from opvalue.collect.gathering import Gathering, Native, Source, Timed, Warned
from opvalue.collect.kinds import firewall_kind, mcp_kind
from opvalue.collect.records import masks_of_text, of_lines, of_value, whole
from opvalue.collect.sources import (
    AGENT_ERRORS,
    AGENT_OUTPUT,
    AREAS,
    CONCLUDED,
    CONCLUDED_VERSION,
    COPIES,
    FIREWALL_FOLDERS,
    GATEWAY_FOLDER,
    IN_SECONDS,
    LOOSE_GATEWAY,
    LOOSE_TOKENS,
    PROMPT,
    PROMPTS,
    RAW_DETECTION,
    RECORDS,
    STDIO,
    WORKFLOW,
    Area,
    Place,
    Records,
)
from opvalue.limits import Limits
from opvalue.session.redaction import Redactor
from opvalue.session.secrets import Secrets, mask_payloads, masks_in
from opvalue.session.vocabulary import COLLECTION, FORMAT, REPORTED_WHEN_ABSENT, WARNING
from opvalue.strictjson import JsonObject, dumps_compact, loads_object

SESSION: Final = "usage/aw_session.jsonl"
"""Where a session lies in a run's folder."""
VERSION: Final = 1


class Collected(NamedTuple):
    """A session, ready to be written."""

    lines: tuple[bytes, ...]
    """Its lines, each with its LF."""
    sources: tuple[Source, ...]
    """The logs of which anything could be read, or that are empty."""
    warnings: tuple[Warned, ...]
    """What was left out, up to ``Limits.collect_warnings``."""
    warned: int
    """What was left out, all of it."""
    untimed: int
    """Events of logs whose time is not known."""
    absent: tuple[str, ...]
    """Components that nothing was collected of."""

    @property
    def has_raw_logs(self) -> bool:
        """Tell whether anything was read but copies, which a ``usage`` artifact holds without the logs."""
        return any(not source.path.startswith(COPIES) for source in self.sources)


def collect(folder: Path, *, secrets: Sequence[str] = (), limits: Limits | None = None) -> Collected:
    """Return the session of the run whose logs are in ``folder``.

    ``secrets`` are the values of named secrets. Raises ``FolderAbsent``, ``SourceUnreadable``, ``SourceTooLarge``,
    ``TooManyFiles`` and ``TooManySecrets``. A folder without any log gives the session of an empty run.
    """
    bounds = limits or Limits()
    with RunFolder(folder, bounds) as opened:
        gathering = Gathering(opened, bounds)
        _gather(gathering)
    redactor = Redactor(Secrets(tuple(secrets), tuple(sorted(_masks(gathering)))), limits=bounds)
    return _assembled(gathering, redactor)


def _masks(gathering: Gathering) -> set[str]:
    """Return what the logs mask, and what their events and names do: to redact the session again changes nothing."""
    paths = [*(source.path for source in gathering.sources), *(warned.path for warned in gathering.warnings)]
    masking = (loads_object(one.line.encode(), what="event") for one in gathering.events if mask_payloads(one.line))
    return gathering.masks.union(masks_in(paths), masks_in(masking))


def _gather(gathering: Gathering) -> None:
    _flat(gathering, WORKFLOW)
    _prompts(gathering)
    agent.gather(gathering)
    for area in AREAS:
        _gateway(gathering, area)
        _firewall(gathering, area)
    for records in RECORDS:
        found = _flat(gathering, records)
        if not found and records.type == AGENT_OUTPUT.type:
            _flat(gathering, AGENT_OUTPUT)
    _errors(gathering)
    for path in STDIO:
        if gathering.exists(path):
            masks_of_text(gathering.log(path))


def _flat(gathering: Gathering, records: Records) -> bool:
    path = gathering.first(records.candidates)
    if path is None:
        return False
    natives = _flat_events(gathering, records, path)
    if path in CONCLUDED:
        natives = list(natives)
        if any(native.record.get("version") == CONCLUDED_VERSION for native in natives):
            return False
    gathering.add(records.place, path, natives)
    return True


def _flat_events(gathering: Gathering, records: Records, path: str) -> Iterable[Native]:
    log = gathering.log(path)
    for record in of_lines(log) if path.endswith(".jsonl") else of_value(log, records.unwrap):
        kept = {key: value for key, value in record.items() if key != "reason"} if path == RAW_DETECTION else record
        yield Native(records.type, kept, kept)


def _prompts(gathering: Gathering) -> None:
    for kind, path in PROMPTS:
        if gathering.exists(path):
            gathering.add(PROMPT, path, _prompt(gathering, kind, path))


def _prompt(gathering: Gathering, kind: str, path: str) -> Iterator[Native]:
    content = whole(gathering.log(path))
    if content is None:
        return
    text = content.decode("utf-8", "replace")
    if text.encode("utf-8") != content:
        gathering.warn(path, "not_utf8")
    yield Native(kind, {}, {"content": text})


def _gateway(gathering: Gathering, area: Area) -> None:
    place = Place("mcp", area.phase)
    paths = _logs(gathering, area.root + GATEWAY_FOLDER)
    names = {path.rpartition("/")[2] for path in paths}
    loose = [area.root + name for name in LOOSE_GATEWAY if name not in names]
    for path in [*paths, *filter(gathering.exists, loose)]:
        records = of_lines(gathering.log(path))
        gathering.add(place, path, (Native(mcp_kind(record), record, record) for record in records))


def _firewall(gathering: Gathering, area: Area) -> None:
    place = Place("firewall", area.phase)
    paths: dict[str, str] = {}
    for folder in FIREWALL_FOLDERS:
        for path in _logs(gathering, area.root + folder):
            paths.setdefault(path.removeprefix(area.root + folder), path)
    chosen = list(paths.values())
    if not any(path.endswith("/" + LOOSE_TOKENS[0]) for path in chosen):
        loose = gathering.first(area.root + name for name in LOOSE_TOKENS)
        chosen += [loose] if loose else []
    for path in chosen:
        name = path.rpartition("/")[2]
        records = of_lines(gathering.log(path))
        natives = (Native(firewall_kind(record, name), record, record) for record in records)
        gathering.add(place, path, natives, seconds=name == IN_SECONDS)


def _logs(gathering: Gathering, folder: str) -> list[str]:
    gathering.odd(gathering.folder.look(folder))
    found = []
    for entry in gathering.folder.walk(folder):
        if entry.found is Found.FILE and entry.path.endswith(".jsonl"):
            found.append(entry.path)
        else:
            gathering.odd(entry)
    return found


def _errors(gathering: Gathering) -> None:
    path, place = AGENT_ERRORS
    if not gathering.exists(path):
        return
    data = execution.merged(of_lines(gathering.log(path)))
    gathering.add(place, path, [] if data is None else [Native("agent.execution", {}, data)])


def _assembled(gathering: Gathering, redactor: Redactor) -> Collected:
    events = [_redacted(event, redactor) for event in gathering.events]
    untimed = sum(event.milliseconds is None for event in events)
    # A stable sort, so ties and untimed events stay in the order of reading.
    events.sort(key=lambda event: (event.milliseconds is None, event.milliseconds or 0))
    # A log of which nothing could be read shows no more than one that is not there.
    shown = [source for source in gathering.sources if source.events or not source.damaged]
    absent = _absent(shown)
    sources = tuple(source._replace(path=redactor.text(source.path)) for source in shown)
    warnings = tuple(one._replace(path=redactor.text(one.path)) for one in gathering.warnings)
    closing: JsonObject = {
        "sources": [_described(source) for source in sources],
        "warnings": gathering.warned,
        "untimedEvents": untimed,
        "absentComponents": list(absent),
    }
    after = [*((WARNING, _warned(one)) for one in warnings), (COLLECTION, closing)]
    lines = [
        _record(FORMAT, {"version": VERSION}, 0),
        *(event.line for event in events),
        *(_record(kind, data, index) for index, (kind, data) in enumerate(after, 1)),
    ]
    return Collected(
        tuple(f"{line}\n".encode() for line in lines),
        sources,
        warnings,
        gathering.warned,
        untimed,
        absent,
    )


def _redacted(event: Timed, redactor: Redactor) -> Timed:
    if not redactor.may_change(event.line):
        return event
    before = loads_object(event.line.encode(), what="event")
    after = redactor.event(before)
    timed = isinstance(after["provenance"], dict) and "timestampMs" in after["provenance"]
    return Timed(event.milliseconds if timed else None, dumps_compact(after))


def _record(kind: str, data: JsonObject, index: int) -> str:
    where: JsonObject = {"component": "collector", "phase": "conclusion", "path": SESSION, "index": index}
    return dumps_compact({"type": kind, "data": data, "provenance": where})


def _warned(warned: Warned) -> JsonObject:
    data: JsonObject = {"path": warned.path, "code": warned.code}
    return data if warned.line is None else data | {"line": warned.line}


def _described(source: Source) -> JsonObject:
    described: JsonObject = {
        "component": source.place.component,
        "phase": source.place.phase,
        "path": source.path,
        "events": source.events,
    }
    return described | {"timestampUnit": "seconds"} if source.seconds else described


def _absent(sources: Sequence[Source]) -> tuple[str, ...]:
    seen = {source.place.component for source in sources}
    return tuple(component for component in REPORTED_WHEN_ABSENT if component not in seen)
