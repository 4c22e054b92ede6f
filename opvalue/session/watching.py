"""Whether a session is as a conclusion grades it: in canonical order, and with nothing in it to take out.

It is looked for while the session is scanned, so cheaply that an ordinary session is graded about as fast. "No" may be
a false alarm, which costs time alone: whoever asked then orders and redacts the events one by one. "Yes" is certain for
what decides any number; secrets in other texts, such as messages and outputs, are not looked for.

1. Order: by the times of what ``structs`` decoded, and by the ranks of other events.
2. Masks, and characters that JSON need not escape: in all of the text.
3. Shapes of secrets: in what the facts hold, such as names, ids and arguments, and in times as they were recorded,
   since redaction leaves none to an event whose own it touched.
4. What a conclusion leaves out, where it claims to be evidence of something else than grading.

Whoever knows that the session is redacted may have the order looked at alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from opvalue.limits import Limits
from opvalue.session.batch import ANSWERED, ASKED, DONE, ROW, START, Batch
from opvalue.session.events import Event
from opvalue.session.order import Rank, rank
from opvalue.session.scanner import Scanner
from opvalue.session.structs import TYPE_OF, Provenance
from opvalue.session.vocabulary import MASKED

_GRADER: Final = "grader"
_APPENDED: Final = ("grader.manifest", "grader.result")
# One character begins each, which is looked for quickly; the rest is only looked at there.
_ESCAPED: Final = re.compile(rb"\\(?=u00[2-7])", re.IGNORECASE)
_MASK: Final = re.compile(rb"-(?<=::[aA][dD][dD]-)(?=[mM][aA][sS][kK](?: [^:]*)?::(?!\*+(?:\"|\\[nr])))")

_TEXTS: Final = {START: slice(3, 7), DONE: slice(3, 5), ASKED: slice(3, 7), ANSWERED: slice(2, 4), ROW: slice(3, 4)}
"""Where a fact of a kind holds names and ids. The arguments of a start are JSON and follow."""
_ARGUMENTS: Final = 7
_ESCAPE: Final = re.compile(rb"\\(?:u[0-9a-fA-F]{4}|[^/])", re.DOTALL)
_OF_TIMES: Final = b"0123456789-:.+TZ\n"


class Watch:
    """Follows a session, batch by batch. ``is_redacted``: only its order matters."""

    def __init__(self, *, is_redacted: bool = False) -> None:
        self.is_redacted: Final = is_redacted
        self.settled = True
        """Whether a conclusion would grade the session just as it is, so far."""
        self._last: Rank | None = None

    def take(self, batch: Batch) -> None:
        """Follow one more stretch."""
        if not batch.settled:
            self.settled = False
        if batch.first is not None:
            if self._last is not None and batch.first < self._last:
                self.settled = False
            self._last = batch.final


class WatchingScanner(Scanner):
    """A scanner whose batches say whether they are settled, and where they begin and end in the canonical order."""

    def __init__(self, limits: Limits, *, is_redacted: bool = False) -> None:
        super().__init__(limits)
        self._is_redacted: Final = is_redacted

    def batch(self, lines: Sequence[bytes | None]) -> Batch:
        """Reduce lines, or elements of an array, ``None`` for one that was too long to be kept."""
        batch = super().batch(lines)
        if batch.settled and not self._is_redacted:
            batch.settled = not _hides(batch, [line for line in lines if line is not None])
        return batch

    def _note(self, batch: Batch, events: Sequence[Any], places: Sequence[Provenance | Event]) -> None:
        if not places:
            return
        self._note_order(batch, places)
        if batch.settled and not self._is_redacted:
            batch.settled = not (_hides_time(events) or _is_appended_to(batch, events))

    def _note_order(self, batch: Batch, places: Sequence[Provenance | Event]) -> None:
        ranks: list[Any]
        try:
            ranks = [one.timestampMs for one in places]  # type: ignore[union-attr]  # most are provenances
            by_time = None not in ranks and all(component != _GRADER for component, _ in batch.places)
        except AttributeError:
            by_time = False
        if not by_time:
            ranks = [rank(one) if isinstance(one, dict) else _rank(one) for one in places]
        batch.first, batch.final = ((1, one) if by_time else one for one in (ranks[0], ranks[-1]))
        batch.settled = batch.settled and ranks == sorted(ranks)


def _rank(provenance: Provenance) -> Rank:
    if provenance.component == _GRADER and provenance.phase == "conclusion":
        return 4, 0
    return (2, 0) if provenance.timestampMs is None else (1, provenance.timestampMs)


def _hides(batch: Batch, lines: Sequence[bytes]) -> bool:
    """Tell whether a stretch may hold something that redaction would take out, and that decides a number."""
    data = b"\n".join(lines)
    if _ESCAPED.search(data) or _MASK.search(data):
        return True
    names, texts = _told(batch)
    if batch.retries:  # whether a message tells of one is what a text without a fact decides
        texts.extend(line for line in lines if b'"mcp.event"' in line)
    return _is_secret(names) or _is_secret(b"\n".join(texts), is_json=True)


def _hides_time(events: Sequence[Any]) -> bool:
    """Tell whether redaction may touch a time as it was recorded: it then takes ``timestampMs`` out, too."""
    times = [event.timestamp if type(event) in TYPE_OF else event.get("timestamp") for event in events]
    texts = "\n".join(_texts_in([time for time in times if time.__class__ is not int]))
    if MASKED in texts:
        return True
    data = texts.encode("utf-8", "surrogatepass")
    return bool(data.translate(None, _OF_TIMES)) and _is_secret(data)


def _is_appended_to(batch: Batch, events: Sequence[Any]) -> bool:
    """Tell whether there is an event as a conclusion appends them, of a component that then counts as collected."""
    if not any(kind in batch.types for kind in _APPENDED):
        return False
    appended = [event for event in events if event.__class__ is dict and event["type"] in _APPENDED]
    return any(event["provenance"].get("component") != _GRADER for event in appended)


def _is_secret(text: bytes, *, is_json: bool = False) -> bool:
    """Tell whether something in ``text`` has the shape of a secret; what JSON escapes is no part of one.

    Shapes are looked for with what has to stand around them, else many beginnings of one would take their square's
    time. So an escaped line end must not pass for a letter.
    """
    plain = text.replace(b"\\/", b"/") if is_json else text
    shapes = [shape for hint, also, shape in _shapes() if hint in plain and also in plain]
    if shapes and is_json:
        text = _ESCAPE.sub(b"\n", text).replace(b"\\/", b"/")
    return any(shape.search(text) for shape in shapes)


@cache
def _shapes() -> tuple[tuple[bytes, bytes, re.Pattern[bytes]], ...]:
    from opvalue.session.secrets import PATTERNS  # noqa: PLC0415 - nothing is looked for in a redacted session

    return tuple((one.hint.encode(), one.also.encode(), re.compile(one.regex.pattern.encode())) for one in PATTERNS)


def _told(batch: Batch) -> tuple[bytes, list[bytes]]:
    """Return the texts that decide anything: a line each, and arguments in JSON."""
    kinds: dict[int, list[Any]] = {}
    for fact in batch.facts:
        kinds.setdefault(fact[0], []).append(fact)
    texts: set[object] = set()
    arguments: list[bytes] = []
    for kind, facts in kinds.items():
        part = _TEXTS.get(kind)
        if part is None:
            texts.update(_texts_in(facts))
            continue
        columns = [*zip(*facts, strict=True)]
        texts.update(*columns[part])
        if kind == START:
            arguments.extend(filter(None, columns[_ARGUMENTS]))
    texts.update(*batch.sources, *batch.scopes, *batch.places)
    names = "\n".join([text for text in texts if text.__class__ is str])
    return names.encode("utf-8", "surrogatepass"), arguments


def _texts_in(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from _texts_in((*value, *value.values()))
        elif isinstance(value, list | tuple):
            yield from _texts_in(value)
