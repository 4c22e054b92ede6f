"""Everything that is wrong with a recorded session, each with its line (reference 1.1, 1.2; SE-08, SE-09).

1. Every line: one JSON object in strict UTF-8, ended by LF, no key twice.
2. Every event: the envelope's fields and their kinds, and provenance.
3. The whole: the header first, timed events by time, untimed ones after them, the collector's closing event after all
   but the graders', and as many events of each source as it says.

Nothing is repaired. Not checked: payloads of known types (a log may lack any field), and whether anything is true.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from opvalue.limits import Limits
from opvalue.session.errors import ArrayMalformed
from opvalue.session.framing import Opened, elements, opened
from opvalue.session.lines import Line, split
from opvalue.session.parsing import is_blank, within
from opvalue.session.vocabulary import COLLECTION, COMPONENTS, ENVELOPE, FORMAT, PHASES, WARNING
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, is_number, kind_of, loads

VERSION: Final = 1
"""Of the session's format."""

_SHOWN: Final = 80
_DIGITS: Final = 40
_FRAME: Final = (FORMAT, WARNING, COLLECTION)
_OBJECTS: Final = ("data", "provenance")


class Problem(NamedTuple):
    """One thing that is wrong."""

    line: int
    """Counted from 1, elements in an array; one after the last where something is missing at the end."""
    code: str
    text: str
    unit: str = "line"
    """What is counted: ``line`` or ``element``."""


def problems(blocks: Iterable[bytes], limits: Limits | None = None) -> Iterator[Problem]:
    """Yield what is wrong with the session in ``blocks``, in the order of its lines, or of the elements of its array.

    Memory is that of one event and of the names of the sources. Raises ``SessionEncoding``.
    """
    most = (limits or Limits()).session_line_bytes
    session = opened(blocks)
    unit = "element" if session.is_array else "line"
    for problem in _found(session, most):
        yield problem._replace(unit=unit)


def _found(session: Opened, most: int) -> Iterator[Problem]:
    whole = _Whole()
    number = 0
    try:
        for line in (elements if session.is_array else split)(session.blocks, most):
            number = line.number
            yield from _of_line(line._replace(ended=line.ended or session.is_array), most, whole)
    except ArrayMalformed as refused:
        yield Problem(number + 1, "array", refused.message)
        return
    if not number:
        yield Problem(1, "empty", "there is no event in it, not even a header")
    else:
        yield from whole.at_end(number + 1)


def _of_line(line: Line, most: int, whole: "_Whole") -> Iterator[Problem]:
    content = line.content
    if content is None:
        yield Problem(line.number, "line-too-long", f"longer than {most} bytes")
        return
    if is_blank(content):
        yield Problem(line.number, "blank-line", "a blank line")
        return
    try:
        value = loads(content, what="it", max_number=most)  # as reading takes them
    except JsonRefused as refused:
        yield _unreadable(line, refused)
        return
    if not line.ended:
        yield Problem(line.number, "no-line-end", "the last line does not end with a line feed")
    if not isinstance(value, dict):
        yield Problem(line.number, "not-an-object", f"an event is an object, not {kind_of(value)}")
        return
    for code, text in (*_of_event(value), *whole.add(value)):
        yield Problem(line.number, code, text)


def _unreadable(line: Line, refused: JsonRefused) -> Problem:
    if line.ended:
        return Problem(line.number, "not-json", f"{refused.message}{within(refused.found)}")
    return Problem(line.number, "torn-line", "the last line breaks off, so it is left out")


_Found = tuple[str, str]


def _of_event(event: JsonObject) -> Iterator[_Found]:
    kind = event.get("type")
    if not isinstance(kind, str) or "." not in kind:
        yield "type", "type must be a text that holds a dot"
    for name in _OBJECTS:
        if not isinstance(event.get(name), dict):
            yield name, f"{name} must be an object"
    for name in event:
        if name not in ENVELOPE:
            yield "unknown-field", f"an event has no field {_shown(name)}"
    provenance = event.get("provenance")
    if isinstance(provenance, dict):
        yield from _of_provenance(provenance)


def _of_provenance(provenance: JsonObject) -> Iterator[_Found]:
    for name, words in (("component", COMPONENTS), ("phase", PHASES)):
        word = provenance.get(name)
        if word not in words:
            yield name, f"{_shown(word)} is no {name} of a run"
    if not isinstance(provenance.get("path"), str):
        yield "path", "provenance.path must be a text"
    index = provenance.get("index")
    if type(index) is not int or index < 0:
        yield "index", "provenance.index must be a whole number, 0 or more"
    if "timestampMs" in provenance and not is_number(provenance["timestampMs"]):
        yield "timestamp", "provenance.timestampMs must be a number"


class _Whole:
    """What can be said only of several events together."""

    def __init__(self) -> None:
        self._events = 0
        self._latest: float | None = None
        self._untimed = False
        self._closed = False
        self._sources: Counter[tuple[str, ...]] = Counter()
        self._claimed: dict[tuple[str, ...], int] = {}

    def add(self, event: JsonObject) -> Iterator[_Found]:
        self._events += 1
        kind, provenance = event.get("type"), event.get("provenance")
        place = provenance if isinstance(provenance, dict) else {}
        own = place.get("component") == "collector" and kind in _FRAME
        if self._events == 1:
            yield from _of_header(event, own=own)
        if self._closed and place.get("component") != "grader":
            yield "after-the-end", "only graders' events follow the collector's closing event"
        if own and kind == COLLECTION:
            self._close(event.get("data"))
        if not own and place.get("phase") != "conclusion":
            self._sources[_source(place)] += 1
            yield from self._in_order(place.get("timestampMs"))

    def at_end(self, line: int) -> Iterator[Problem]:
        if not self._closed:
            yield Problem(line, "no-closing-event", f"the collector's closing event, {COLLECTION}, is missing")
            return
        for source in sorted(self._claimed.keys() | self._sources.keys()):
            if source[0] == "grader":  # a conclusion replaces what an earlier one left
                continue
            claimed, seen = self._claimed.get(source, 0), self._sources[source]
            if claimed != seen:
                events = "1 event" if seen == 1 else f"{seen} events"
                text = f"{_shown(source[2])} has {events}, and {COLLECTION} counts {claimed}"
                yield Problem(line, "count", text)

    def _in_order(self, moment: JsonValue) -> Iterator[_Found]:
        if not is_number(moment):
            self._untimed = True
        elif self._untimed:
            yield "order", "an event with a time after one without"
        elif self._latest is not None and moment < self._latest:
            yield "order", f"an event of {_shown(moment)} after one of {_shown(self._latest)}"
        else:
            self._latest = moment

    def _close(self, data: JsonValue) -> None:
        self._closed = True
        sources = data.get("sources") if isinstance(data, dict) else None
        for source in sources if isinstance(sources, list) else []:
            events = source.get("events") if isinstance(source, dict) else None
            if isinstance(source, dict) and type(events) is int:
                self._claimed[_source(source)] = self._claimed.get(_source(source), 0) + events


def _of_header(event: JsonObject, *, own: bool) -> Iterator[_Found]:
    if not own or event.get("type") != FORMAT:
        yield "no-header", f"the first event must be the collector's {FORMAT}"
        return
    data = event.get("data")
    version = data.get("version") if isinstance(data, dict) else None
    if version != VERSION or isinstance(version, bool):
        yield "version", f"the format's version is {_shown(version)}; this tool knows {VERSION}"


def _source(place: JsonObject) -> tuple[str, ...]:
    words = (place.get(name) for name in ("component", "phase", "path"))
    return tuple(word if isinstance(word, str) else "" for word in words)


def _shown(value: JsonValue) -> str:
    if isinstance(value, dict | list):
        return f"an {kind_of(value)}"
    text = repr(value) if isinstance(value, str) else str(value)
    most = _SHOWN if isinstance(value, str) else _DIGITS
    return text if len(text) <= most else f"{text[:most]}..."
