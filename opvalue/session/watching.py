"""Whether a session is as a conclusion grades it: in canonical order, and with nothing in it to take out.

It is looked for while the session is scanned, so cheaply that an ordinary session is graded about as fast. "No" may be
a false alarm, which costs time alone: whoever asked then orders and redacts the events one by one. "Yes" is certain for
what decides any number; secrets in other texts, such as messages and outputs, are not looked for.

1. Order: by the times of what ``structs`` decoded; of other lines by their ends, or they are read for their place.
2. Masks, and characters that JSON need not escape: in all of the text.
3. Shapes of secrets: in what the facts hold, such as names, ids and arguments.

Whoever knows that the session is redacted may have the order looked at alone.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from opvalue.limits import Limits
from opvalue.session.batch import ANSWERED, ASKED, DONE, ROW, START, Batch, Fact
from opvalue.session.events import Event
from opvalue.session.order import Rank, rank
from opvalue.session.scanner import Scanner
from opvalue.session.structs import Provenance

_GRADER: Final = "grader"
# One character begins each, which is looked for quickly; the rest is only looked at there.
_ESCAPED: Final = re.compile(rb"\\(?=u00[2-7])", re.IGNORECASE)
_MASK: Final = re.compile(rb"-(?<=::[aA][dD][dD]-)(?=[mM][aA][sS][kK](?: [^:\"]*)?::(?!\*+(?:\"|\\[nr])))")

_TEXTS: Final = {START: slice(3, 7), DONE: slice(3, 5), ASKED: slice(3, 7), ANSWERED: slice(2, 4), ROW: slice(3, 4)}
"""Where a fact of a kind holds names and ids. The arguments of a start are JSON and follow."""
_ARGUMENTS: Final = 7
_AROUND: Final = re.compile(r"\(\?<?[=!][^()]*\)")


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
            batch.settled = not _hides(batch, b"\n".join(line for line in lines if line is not None))
        return batch

    def _note_order(self, batch: Batch, places: Sequence[Provenance | Event]) -> None:
        if not places:
            return
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


def _hides(batch: Batch, data: bytes) -> bool:
    """Tell whether a stretch may hold something that redaction would take out, and that decides a number."""
    if _ESCAPED.search(data) or _MASK.search(data):
        return True
    text = _told(batch)
    if batch.retries:  # whether a message tells of one is what a text without a fact decides
        text += b"\n".join(line for line in data.split(b"\n") if b'"mcp.event"' in line)
    return any(hint in text and also in text and shape.search(text) for hint, also, shape in _shapes())


@cache
def _shapes() -> tuple[tuple[bytes, bytes, re.Pattern[bytes]], ...]:
    from opvalue.session.secrets import PATTERNS  # noqa: PLC0415 - nothing is looked for in a redacted session

    # What stands before and after a secret is not looked at: an escaped line end is a letter here.
    return tuple(
        (one.hint.encode(), one.also.encode(), re.compile(_AROUND.sub("", one.regex.pattern).encode()))
        for one in PATTERNS
    )


def _told(batch: Batch) -> bytes:
    """Return the texts that decide anything."""
    kinds: dict[int, list[Fact]] = {}
    for fact in batch.facts:
        kinds.setdefault(fact[0], []).append(fact)
    texts: set[object] = set()
    arguments: list[bytes] = []
    for kind, facts in kinds.items():
        part = _TEXTS.get(kind)
        if part is None:
            texts.update(str(fact) for fact in facts)
            continue
        columns = [*zip(*facts, strict=True)]
        texts.update(*columns[part])
        if kind == START:
            arguments.extend(filter(None, columns[_ARGUMENTS]))
    texts.update(*batch.sources, *batch.scopes, *batch.places)
    names = "\n".join([text for text in texts if text.__class__ is str])
    return b"\n".join((names.encode("utf-8", "surrogatepass"), *arguments)).replace(b"\\/", b"/")
