"""A recorded session read: as events, or straight to lookups. Bytes come in as blocks; nothing is opened here.

Either form is read, one event a line or one JSON array, at any size in bounded memory (see ``framing``, ``scanner``).
What is no event ends the reading or is counted (see ``losses``). No event is ever changed.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from opvalue.limits import Limits
from opvalue.session.batch import Bad, Batch
from opvalue.session.errors import ArrayMalformed, LineTooLong
from opvalue.session.events import Event
from opvalue.session.framing import elements, opened, stretches
from opvalue.session.lines import Line, split
from opvalue.session.lookups import Lookups
from opvalue.session.losses import Ledger, Losses
from opvalue.session.parsing import is_blank, parsed
from opvalue.session.reduction import reduce
from opvalue.session.state import State
from opvalue.session.untyped import event_in

if TYPE_CHECKING:
    from opvalue.session.scanner import Scanner
    from opvalue.session.watching import Watch

_TOGETHER = 256
"""Events that are reduced at a time."""


def read_events(
    blocks: Iterable[bytes],
    *,
    skip_malformed: bool = False,
    losses: Losses | None = None,
    limits: Limits | None = None,
) -> Iterator[Event]:
    """Yield the events of a session in their order.

    ``losses``, where given, is filled while reading. Raises ``SessionEncoding``, ``ArrayMalformed``, and, unless
    ``skip_malformed``, ``LineMalformed``, ``NotAnEvent`` and ``LineTooLong`` with the number of the line. Memory is
    that of one block and one event.
    """
    limits = limits or Limits()
    session = opened(blocks)
    ledger = ledger_of(losses, is_array=session.is_array, skip_malformed=skip_malformed)
    frame = elements if session.is_array else split
    for line in frame(session.blocks, limits.session_line_bytes):
        read = _read(line, limits)
        if read is None:
            ledger.take(1, 0, ())
        elif isinstance(read, Bad):
            ledger.take(1, 1, (read,))
        else:
            ledger.take(1, 1, ())
            yield read
    ledger.finish()


def lookups_of(events: Iterable[Event], *, limits: Limits | None = None) -> Lookups:
    """Return the lookups of events in memory, in their order; each is visited once.

    Raises ``NotAnEvent`` for what is none, and ``SessionTooVaried``.
    """
    state = State(limits or Limits())
    rest = iter(events)
    while some := list(islice(rest, _TOGETHER)):
        batch = Batch()
        for event in some:
            reduce(batch, event)
        state.apply(batch)
    return state.lookups()


def scan(
    blocks: Iterable[bytes],
    *,
    skip_malformed: bool = False,
    losses: Losses | None = None,
    limits: Limits | None = None,
    watch: "Watch | None" = None,
) -> Lookups:
    """Return the lookups of a session: those of ``lookups_of`` over ``read_events``, in a fraction of the time.

    ``watch``, where given, follows along. Raises what these raise. Blocks of 128 KiB are good. Memory is that of a
    block and of one event, up to about 15 MiB for what is remembered and 4 MiB for long arguments, and about 175 bytes
    for each model request (see ``requests``).
    """
    limits = limits or Limits()
    session = opened(blocks)
    ledger = ledger_of(losses, is_array=session.is_array, skip_malformed=skip_malformed)
    state = State(limits)
    for batch in _batches(session.blocks, scanner_for(watch, limits), limits, is_array=session.is_array):
        ledger.take(batch.lines, batch.last, batch.bad)
        state.apply(batch)
        if watch is not None:
            watch.take(batch)
    ledger.finish()
    return state.lookups()


def scanner_for(watch: "Watch | None", limits: Limits) -> "Scanner":
    """Return what makes batches, watching if anybody watches."""
    if watch is not None:
        from opvalue.session.watching import WatchingScanner  # noqa: PLC0415 - not where events are read one by one

        return WatchingScanner(limits, is_redacted=watch.is_redacted)
    from opvalue.session.scanner import Scanner  # noqa: PLC0415 - not where events are read one by one

    return Scanner(limits)


def _batches(blocks: Iterable[bytes], scanner: "Scanner", limits: Limits, *, is_array: bool) -> Iterator[Batch]:
    """Yield the facts of a session, stretch by stretch."""
    if not is_array:
        yield from map(scanner.batch, stretches(blocks, limits.session_line_bytes))
        return
    rest = elements(blocks, limits.session_line_bytes)
    refused: ArrayMalformed | None = None
    while refused is None:
        contents: list[bytes | None] = []
        try:
            contents.extend(element.content for element in islice(rest, _TOGETHER))
        except ArrayMalformed as malformed:
            refused = malformed
        if contents:
            yield scanner.batch(contents)
        elif refused is None:
            return
    # What came before the break is judged first, as it is where events are read one by one.
    raise refused


def ledger_of(losses: Losses | None, *, is_array: bool, skip_malformed: bool) -> Ledger:
    """Return the ledger of a session of this form."""
    unit = "element" if is_array else "line"
    return Ledger(losses or Losses(), skip_malformed=skip_malformed, unit=unit, may_be_torn=not is_array)


def _read(line: Line, limits: Limits) -> Event | Bad | None:
    if line.content is None:
        reason = f"is longer than {limits.session_line_bytes} bytes"
        return Bad(1, cut=False, cause=LineTooLong.code, reason=reason)
    if is_blank(line.content):
        return None
    read = event_in(line.content) or parsed(line.content)
    return read._replace(line=1) if isinstance(read, Bad) else read
