"""Model requests: the proxy's rows, one a request id, the last; else what the session or the usage report says.

(DESIGN 8; reference 2.4.) A row is kept as 24 bytes under its request id, about 175 bytes with an id of 24 characters:
the only state of a session that grows with it without bound.

A request or session id that redaction touched is none: each such row is a request of its own, and where one of several
results hides its session, nothing tells which of them replace which.

Of two rows of one id the later counts, of untimed ones of different sources that of the source that sorts last. The
first request is the first timed row, or without any the first one of the source that sorts first (by path): the order
among sources decides nothing.
"""

import math
import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from opvalue.session.lookups import Requests, Source
from opvalue.session.remembered import short
from opvalue.session.vocabulary import MASKED

NOT_SHOWN: Final = -1
"""Stands for tokens a row does not show."""

_ROW: Final = struct.Struct("=qqd")
_NONE: Final = math.nan
_LARGEST: Final = 2**53 - 1


def tokens(value: object) -> int:
    """Return a token count: a non-negative integer that a double holds exactly, else ``NOT_SHOWN``."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST:
        return value
    return NOT_SHOWN


def duration(value: object) -> int | float | None:
    """Return a duration in milliseconds: a number that is not negative, else none."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        return value
    return None


def total(
    stated: int, input_: int, output: int, cache_read: int, cache_creation: int, *, includes_cache: object
) -> int:
    """Return the tokens of one request, ``NOT_SHOWN`` without any figure.

    A stated total wins. Cache tokens are added only where the row says that its input excludes them.
    """
    if stated != NOT_SHOWN:
        return stated
    if input_ == NOT_SHOWN and output == NOT_SHOWN:
        return NOT_SHOWN
    apart = (cache_read, cache_creation) if includes_cache is False else ()
    return sum(part for part in (input_, output, *apart) if part != NOT_SHOWN)


_COUNTS: Final = ("turns", "input", "total")


class _Results:
    """The latest value of each field of one session's ``session.result`` events."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[str | None, int | float]] = {}

    def take(self, rank: str | None, shown: Mapping[str, int | float]) -> None:
        """Take the fields one event shows; ``rank`` is that of its source where it is untimed."""
        for field, value in shown.items():
            earlier = self._values.get(field)
            # Of two untimed ones of different sources that of the source that sorts last counts, as with rows.
            if earlier is None or rank is None or earlier[0] is None or rank >= earlier[0]:
                self._values[field] = (rank, value)

    def __getitem__(self, field: str) -> int | float | None:
        known = self._values.get(field)
        return None if known is None else known[1]

    def whole(self, field: str) -> int:
        """Return a count; ``NOT_SHOWN`` where there is none."""
        value = self[field]
        return value if isinstance(value, int) else NOT_SHOWN


class ModelRequests:
    """All evidence of model requests, in one pass."""

    def __init__(self) -> None:
        self._rows: dict[str | int, bytes] = {}
        self._untimed: dict[str, str] = {}
        """Source of the untimed row that counts, by request id."""
        self._first: str | int | None = None
        self._firsts: dict[str, str | int] = {}
        """The first untimed row of each source."""
        self._results: dict[str | None, _Results] = {}
        self._taken = 0
        self._hidden = False
        """Whether a result hides its session."""
        self._reported: list[int] = [0, NOT_SHOWN, 0]

    def row(
        self, source: str, time: float | None, id_: str | None, input_: int, total_: int, took: float | None
    ) -> bool:
        """Take a row of the proxy; return whether it counts for its request so far."""
        key: str | int = len(self._rows) if id_ is None or MASKED in id_ else short(id_)
        if time is not None:
            if self._first is None:
                self._first = key
        elif not self._takes_untimed(short(source), key):
            return False
        self._rows[key] = _ROW.pack(input_, total_, _NONE if took is None else took)
        return True

    def result(
        self, session: str | None, rank: str | None, turns: int | None, took: float | None, input_: int, total_: int
    ) -> None:
        """Take a result of the main session; a field it shows replaces an earlier one of the same session.

        ``rank`` is that of its source where it is untimed. ``turns`` and ``took`` are ``NOT_SHOWN`` where they are
        stated and no count and no duration: what an earlier result says counts no more then.
        """
        stated = {"turns": turns, "duration": took}
        shown = {"input": input_, "total": total_}
        taken = {field: value for field, value in stated.items() if value is not None}
        taken |= {field: count for field, count in shown.items() if count != NOT_SHOWN}
        self._results.setdefault(session, _Results()).take(rank, taken)
        self._taken += 1
        self._hidden |= session is not None and MASKED in session

    def report(self, input_: int, total_: int) -> None:
        """Take a usage report of the main agent."""
        reports, _, _ = self._reported
        self._reported = [reports + 1, _add(self._reported[1], total_), self._reported[2] + max(0, input_)]

    def session_duration(self) -> int | float | None:
        """Return what the main session says it took; of several sessions the sum, none where one does not say.

        Infinite where that is beyond a double.
        """
        stated = [one["duration"] for one in self._results.values()]
        if not stated or self._mixed:
            return None
        usable = [_NONE if took is None or duration(took) is None else took for took in stated]
        return _sum(lambda: usable)

    def made(self) -> Requests:
        """Return the figures."""
        if self._rows:
            return self._of_rows()
        if self._mixed:
            return _of_totals("session.result", None, 0, [])
        turns, inputs, totals = ([one.whole(field) for one in self._results.values()] for field in _COUNTS)
        silent = all(figure == NOT_SHOWN for figure in (*turns, *inputs, *totals))
        if silent and self._reported[0]:
            return _of_totals("usage.report", None, self._reported[2], [self._reported[1]])
        if self._results:
            # A session that says nothing did run all the same, so nothing tells how many requests there were.
            count = None if NOT_SHOWN in turns else sum(turns)
            return _of_totals("session.result", count, _together(inputs), totals)
        return Requests("none", 0, None, 0, 0, 0, None, 0)

    @property
    def _mixed(self) -> bool:
        """Whether nothing tells which results are of one session."""
        return self._hidden and self._taken > 1

    def _takes_untimed(self, source: str, key: str | int) -> bool:
        self._firsts.setdefault(source, key)
        if isinstance(key, int):
            return True
        earlier = self._untimed.get(key)
        if earlier is not None and source < earlier:
            return False
        self._untimed[key] = source
        return True

    def _of_rows(self) -> Requests:
        packed = b"".join(self._rows.values())
        inputs = peak = totals = without = 0
        # One by one: a list of them all would be several times what the rows themselves take.
        for input_, total_, _ in _ROW.iter_unpack(packed):
            if input_ != NOT_SHOWN:
                inputs += input_
                peak = max(peak, input_)
            if total_ != NOT_SHOWN:
                totals += total_
            else:
                without += 1
        first = self._first if self._first is not None else self._firsts[min(self._firsts)]
        first_total = _ROW.unpack(self._rows[first])[1]
        return Requests(
            source="proxy",
            count=len(self._rows),
            duration_ms=_sum(lambda: (took for _, _, took in _ROW.iter_unpack(packed))),
            input_sum=inputs,
            peak_input=peak,
            total_tokens=totals,
            first_total=None if first_total == NOT_SHOWN else first_total,
            without_tokens=without,
        )


def _of_totals(source: Source, count: int | None, input_: int, totals: list[int]) -> Requests:
    shown = [one for one in totals if one != NOT_SHOWN]
    return Requests(source, count, None, input_, 0, sum(shown), None, len(totals) - len(shown))


def _together(parts: Iterable[int]) -> int:
    return sum(part for part in parts if part != NOT_SHOWN)


def _add(left: int, right: int) -> int:
    return _together((left, right)) if (left, right) != (NOT_SHOWN, NOT_SHOWN) else NOT_SHOWN


def _sum(parts: Callable[[], Iterable[float]]) -> int | float | None:
    """Return the exactly rounded sum; none where a part is no number, infinite where it is beyond a double."""
    try:
        whole = math.fsum(parts())
    except OverflowError:
        return None if any(map(math.isnan, parts())) else math.inf
    if math.isnan(whole):
        return None
    return int(whole) if whole.is_integer() and whole <= _LARGEST else whole
