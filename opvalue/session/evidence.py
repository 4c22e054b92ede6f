"""Which events made a default grader's number, for the person who doubts it.

The same code that makes the lookups runs over the events one at a time, and notes what each of them changed. Events
that changed nothing are left out, so are replayed ones. Rows are in the order of the events. Trajectory graders read a
projection, not lookups: they are not explained here.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from opvalue.limits import Limits
from opvalue.session.batch import Batch
from opvalue.session.calls import NativeCalls
from opvalue.session.events import Event
from opvalue.session.gateway import Gateway
from opvalue.session.records import Asked
from opvalue.session.reduction import reduce, time_of
from opvalue.session.requests import NOT_SHOWN, ModelRequests
from opvalue.session.state import State
from opvalue.session.tools import Call
from opvalue.session.vocabulary import MASKED


class Row(NamedTuple):
    """One event and what it did."""

    index: int  # type: ignore[assignment]  # the tuple's own index is not called
    """Counted from 0 in the session as given."""
    type: str
    time: int | float | None
    """In milliseconds since the epoch; none where the event is untimed."""
    contribution: str
    """What it contributed to the number, in words."""


class Behind(NamedTuple):
    """What one event is behind of."""

    index: int  # type: ignore[assignment]  # as above
    contribution: str
    failed: bool = False
    """Whether it says that a call failed."""


def events_behind(events: Iterable[Event], grader_id: str, *, limits: Limits | None = None) -> tuple[Row, ...]:
    """Return the events behind the number of one of the ten defaults.

    Raises ``KeyError`` for another id, ``NotAnEvent`` and ``SessionTooVaried``. Memory grows with the rows.
    """
    found = _EXPLAINED[grader_id]
    trace = _Trace(limits or Limits())
    heads = [trace.take(event) for event in events]
    trace.state.lookups()
    rows = sorted(found(trace))
    return tuple(Row(row.index, *heads[row.index], row.contribution) for row in rows)


class _Noted(NamedTuple):
    """A native call that counts."""

    name: str
    start: int
    repeats: str | None


class _Native(NativeCalls):
    """Native calls, and the events they are made of."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.now = 0
        self.started: dict[Call, _Noted] = {}
        self.ended: dict[Call, tuple[int, bool]] = {}
        """Event and success, by call; what is not in it never ended."""
        self.alone: list[tuple[int, str, bool]] = []
        """Calls that were only seen complete: event, tool name, success."""

    def start(self, *arguments: Any) -> Call | None:
        before = (self.repeated, self.undecided)
        call = super().start(*arguments)
        if call is not None:
            words = {
                (1, 0): "repeats the call before it",
                (0, 1): "nothing shows whether it repeats the call before it",
            }
            change = (self.repeated - before[0], self.undecided - before[1])
            self.started[call] = _Noted(call.tool.name, self.now, words.get(change))
        return call

    def complete(self, *arguments: Any) -> Call | None:
        before, succeeded = self.total, self.succeeded
        call = super().complete(*arguments)
        success = self.succeeded > succeeded
        if call in self.started:
            self.ended[call] = (self.now, success)
        elif self.total > before:
            self.alone.append((self.now, arguments[3], success))
        return call


class _Recorded(Gateway):
    """The gateway's records, and the events they are."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.now = 0
        self.kept: list[tuple[int, str, Asked]] = []
        self.failures: list[tuple[int, Asked]] = []

    def ask(self, *arguments: Any) -> Asked | None:
        asked = super().ask(*arguments)
        if asked is not None:
            self.kept.append((self.now, arguments[5], asked))
        return asked

    def answer(self, *arguments: Any) -> Asked | None:
        asked = super().answer(*arguments)
        if asked is not None and arguments[-1]:
            self.failures.append((self.now, asked))
        return asked


class _Rows(ModelRequests):
    """The proxy's rows, and the events they are."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.now = 0
        self.counted: dict[object, tuple[int, int, int, float | None]] = {}
        """Event, input, total and duration of the row that counts, by request."""
        self.results: list[int] = []
        self.reports: list[int] = []

    def row(self, *arguments: Any) -> bool:
        counts = super().row(*arguments)
        if counts:
            _, _, id_, input_, total, duration = arguments
            self.counted[(self.now,) if id_ is None or MASKED in id_ else id_] = (self.now, input_, total, duration)
        return counts

    def result(self, *arguments: Any) -> None:
        super().result(*arguments)
        self.results.append(self.now)

    def report(self, *arguments: Any) -> None:
        super().report(*arguments)
        self.reports.append(self.now)


class _Trace:
    """A session's state, and what each event did to it."""

    def __init__(self, limits: Limits) -> None:
        self.state: Final = State(limits, native=_Native, gateway=_Recorded, requests=_Rows)
        self.retries: list[int] = []
        self.results: list[int] = []
        self._index = 0

    def take(self, event: Event) -> tuple[str, int | float | None]:
        """Apply an event; return its type and time."""
        batch = Batch()
        reduce(batch, event)
        for noting in (self.native, self.gateway, self.rows):
            noting.now = self._index
        if batch.facts:
            self.state.apply(batch)
        self.retries += [self._index] * batch.retries
        self.results += [self._index] * batch.results
        self._index += 1
        return str(event["type"]), time_of(event)

    @property
    def native(self) -> _Native:
        """The native calls."""
        assert isinstance(self.state.native, _Native)  # noqa: S101 - made above
        return self.state.native

    @property
    def gateway(self) -> _Recorded:
        """The gateway's records."""
        assert isinstance(self.state.gateway, _Recorded)  # noqa: S101 - made above
        return self.state.gateway

    @property
    def rows(self) -> _Rows:
        """The proxy's rows."""
        assert isinstance(self.state.requests, _Rows)  # noqa: S101 - made above
        return self.state.requests


def _calls(trace: _Trace) -> Iterator[Behind]:
    started, ended = trace.native.started, trace.native.ended
    for call, noted in started.items():
        failed = call not in ended
        yield Behind(noted.start, f"call of {noted.name}" + (": never ended, so it failed" if failed else ""), failed)
    for call, (index, success) in ended.items():
        yield Behind(index, f"{_outcome(success)} of {started[call].name}", not success)
    for index, name, success in trace.native.alone:
        yield Behind(index, f"call of {name}, seen only complete: {_outcome(success)}", not success)
    for index, name, asked in trace.gateway.kept:
        if asked.stays:
            outcome = ": failed" if asked.failed else ""
            yield Behind(index, f"call of {name} that only the gateway saw{outcome}", asked.failed)
    for index, asked in trace.gateway.failures:
        if asked.stays:
            yield Behind(index, "says that the gateway's call failed", failed=True)


def _failures(trace: _Trace) -> Iterator[Behind]:
    return (row for row in _calls(trace) if row.failed)


def _repeated(trace: _Trace) -> Iterator[Behind]:
    for noted in trace.native.started.values():
        if noted.repeats is not None:
            yield Behind(noted.start, f"call of {noted.name}: {noted.repeats}")


def _names(trace: _Trace) -> Iterator[Behind]:
    starts = [(noted.start, noted.name) for noted in trace.native.started.values()]
    starts += [(index, name) for index, name, _ in trace.native.alone]
    starts += [(index, name) for index, name, asked in trace.gateway.kept if asked.stays]
    seen: set[str] = set()
    for index, name in sorted(starts):
        yield Behind(index, f"call of {name}" + ("" if name in seen else ", its first"))
        seen.add(name)


def _rows(trace: _Trace, words: Callable[[int, int, float | None], str]) -> Iterator[Behind]:
    for index, input_, total, duration in trace.rows.counted.values():
        yield Behind(index, words(input_, total, duration))
    if not trace.rows.counted:
        yield from (Behind(index, "the main session's own figures") for index in trace.rows.results)
        yield from (Behind(index, "figures of the usage report") for index in trace.rows.reports)


def _steps(trace: _Trace) -> Iterator[Behind]:
    return _rows(trace, lambda *_: "model request")


def _durations(trace: _Trace) -> Iterator[Behind]:
    return _rows(trace, lambda _input, _total, took: "no usable duration" if took is None else f"{took:g} ms")


def _inputs(trace: _Trace) -> Iterator[Behind]:
    return _rows(trace, lambda input_, *_: f"{_tokens(input_)} of input")


def _totals(trace: _Trace) -> Iterator[Behind]:
    return _rows(trace, lambda _input, total, _took: _tokens(total))


def _retries(trace: _Trace) -> Iterator[Behind]:
    return (Behind(index, "retry observation") for index in trace.retries)


def _results(trace: _Trace) -> Iterator[Behind]:
    return (Behind(index, "safe-output result") for index in trace.results)


def _tokens(count: int) -> str:
    return "no tokens shown" if count == NOT_SHOWN else f"{count} tokens"


def _outcome(success: bool) -> str:
    return "success" if success else "failure"


_EXPLAINED: Final[dict[str, Callable[[_Trace], Iterator[Behind]]]] = {
    "tool-success-rate": _calls,
    "tool-failure-count": _failures,
    "retries": _retries,
    "loops": _repeated,
    "trajectory-efficiency": _names,
    "execution-step-count": _steps,
    "execution-duration": _durations,
    "working-set-rebuild-factor": _inputs,
    "context-growth": _totals,
    "artifact-production": _results,
}
