"""A session as a conclusion grades it, whatever its file looks like: redacted, and in canonical order.

What an earlier conclusion appended is left out. What the events mask, and what has the shape of a secret, is taken out;
named secrets are not known here. Only where that changes the order, or the file is in none, is the session held in
memory, as text. Nothing is opened or written.
"""

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Final, NamedTuple, Protocol

from opvalue.conclusion.errors import SessionUnordered
from opvalue.graders.results import MANIFEST_PATH, RESULTS_PATH
from opvalue.limits import Limits
from opvalue.session import read_events
from opvalue.session.order import Rank, rank
from opvalue.session.redaction import Redactor
from opvalue.session.secrets import Secrets, masks_in
from opvalue.strictjson import JsonObject, dumps_compact

_TOGETHER: Final = 256
_APPENDED: Final = {"grader.manifest": MANIFEST_PATH, "grader.result": RESULTS_PATH}


class Readable(Protocol):
    """A session whose bytes can be read from the start, more than once."""

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes from the start."""


class Settled:
    """A session that is redacted and put in order while it is read."""

    descriptor: None = None
    line_limits: Final = Limits(session_line_bytes=8 * Limits().session_line_bytes)
    """To read its lines with: a mark is longer than what it stands for, and 9e15 is written out. No event that
    was read is refused for that."""

    def __init__(self, recorded: Readable, *, skip_malformed: bool = False, limits: Limits | None = None) -> None:
        """Read it twice at least. Raises what reading raises, ``TooManySecrets`` and ``SessionUnordered``."""
        self._recorded: Final = recorded
        self._skip: Final = skip_malformed
        self._limits: Final = limits or Limits()
        self.is_redacted = False
        """Whether anything was taken out."""
        found = self._look()
        self._redactor: Final = Redactor(Secrets(masks=found.masks), limits=self._limits)
        in_order = found.in_order
        if not found.is_clean:
            ranks = (rank(event) for _, event, _ in self._lines())
            in_order = all(earlier <= later for earlier, later in pairwise(ranks))
        self._sorted: Final = None if in_order else self._in_order()

    def blocks(self) -> Iterator[bytes]:
        """Yield its lines from the start, many together: to read them one by one takes several times as long."""
        lines = (line for _, _, line in (self._lines() if self._sorted is None else self._sorted))
        while block := b"".join(islice(lines, _TOGETHER)):
            yield block

    def numbers(self) -> Iterator[int]:
        """Yield of each event its place among the events that were recorded, from 0."""
        if self._sorted is None:
            yield from (number for number, _ in self._read())
        else:
            yield from (number for _, number, _ in self._sorted)

    def _read(self) -> Iterator[tuple[int, JsonObject]]:
        events = read_events(self._recorded.blocks(), skip_malformed=self._skip, limits=self._limits)
        return ((number, event) for number, event in enumerate(events) if not is_appended(event))

    def _look(self) -> "_Found":
        """Look at the session as it is recorded."""
        shapes = Redactor(Secrets())
        masks: set[str] = set()
        is_clean = in_order = True
        last: Rank | None = None
        for _, event in self._read():
            text = dumps_compact(event)
            is_clean = is_clean and not shapes.may_change(text)
            if "::" in text:
                masks.update(masks_in([event]))
            place = rank(event)
            in_order = in_order and (last is None or last <= place)
            last = place
        return _Found(tuple(sorted(masks)), is_clean and not masks, in_order)

    def _lines(self) -> Iterator[tuple[int, JsonObject, bytes]]:
        """Yield number, event and line of each, without secrets."""
        for number, event in self._read():
            text = dumps_compact(event)
            # To see that an event holds nothing takes a fifth of the time that it takes to look into each of its texts.
            if self._redactor.may_change(text):
                redacted = self._redactor.event(event)
                self.is_redacted |= redacted is not event
                event, text = redacted, dumps_compact(redacted)  # noqa: PLW2901
            yield number, event, f"{text}\n".encode()

    def _in_order(self) -> list[tuple[Rank, int, bytes]]:
        most = self._limits.session_sorted_bytes
        held: list[tuple[Rank, int, bytes]] = []
        size = 0
        for number, event, line in self._lines():
            size += len(line)
            if size > most:
                message = "the session's events are not in their order, and it is too large to put it in order"
                raise SessionUnordered(message, expected=f"at most {most:,} bytes", found="more")
            held.append((rank(event), number, line))
        return sorted(held)


class _Found(NamedTuple):
    """What a session holds as it is recorded."""

    masks: tuple[str, ...]
    is_clean: bool
    """Whether there is certainly nothing to take out."""
    in_order: bool


def is_appended(event: JsonObject) -> bool:
    """Tell whether an earlier conclusion appended the event."""
    provenance = event.get("provenance")
    path = _APPENDED.get(str(event.get("type")))
    return path is not None and isinstance(provenance, dict) and provenance.get("path") == path
