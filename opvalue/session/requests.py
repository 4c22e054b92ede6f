"""Model requests: the proxy's rows, one a request id, the last; else what the session or the usage report says.

(DESIGN 8; reference 2.4.) A row is kept as 24 bytes under its request id, about 175 bytes with an id of 24 characters:
the only state of a session that grows with it without bound.

Of two rows of one id the later counts, of untimed ones of different paths that of the path that sorts last. The first
request is the first timed row, or without any the first one of the path that sorts first: the order among sources
decides nothing.
"""

import math
import struct
from collections.abc import Iterable
from typing import Final, NamedTuple

from opvalue.session.lookups import Requests, Source
from opvalue.session.remembered import short

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


class _Results(NamedTuple):
    """The latest value of each field of one session's ``session.result`` events."""

    turns: int = NOT_SHOWN
    duration: object = None
    input: int = NOT_SHOWN
    total: int = NOT_SHOWN


class ModelRequests:
    """All evidence of model requests, in one pass."""

    def __init__(self) -> None:
        self._rows: dict[str | int, bytes] = {}
        self._untimed: dict[str, str] = {}
        """Path of the untimed row that counts, by request id."""
        self._first: str | int | None = None
        self._firsts: dict[str, str | int] = {}
        """The first untimed row of each path."""
        self._results: dict[str | None, _Results] = {}
        self._reported: list[int] = [0, NOT_SHOWN, 0]

    def row(self, path: str, time: float | None, id_: str | None, input_: int, total_: int, took: float | None) -> bool:
        """Take a row of the proxy; return whether it counts for its request so far."""
        key: str | int = len(self._rows) if id_ is None else short(id_)
        if time is not None:
            if self._first is None:
                self._first = key
        elif not self._takes_untimed(short(path), key):
            return False
        self._rows[key] = _ROW.pack(input_, total_, _NONE if took is None else took)
        return True

    def result(self, session: str | None, turns: object, took: object, input_: int, total_: int) -> None:
        """Take a result of the main session; a field it shows replaces an earlier one of the same session."""
        was = self._results.get(session, _Results())
        counted = tokens(turns)
        self._results[session] = _Results(
            turns=was.turns if counted == NOT_SHOWN else counted,
            duration=was.duration if took is None else took,
            input=was.input if input_ == NOT_SHOWN else input_,
            total=was.total if total_ == NOT_SHOWN else total_,
        )

    def report(self, input_: int, total_: int) -> None:
        """Take a usage report of the main agent."""
        reports, _, _ = self._reported
        self._reported = [reports + 1, _add(self._reported[1], total_), self._reported[2] + max(0, input_)]

    def session_duration(self) -> int | float | None:
        """Return what the main session says it took; of several sessions the sum."""
        stated = [duration(one.duration) for one in self._results.values() if one.duration is not None]
        return _sum(stated) if stated else None

    def made(self) -> Requests:
        """Return the figures."""
        if self._rows:
            return self._of_rows()
        shown = [one for one in self._results.values() if (one.turns, one.input, one.total) != (NOT_SHOWN,) * 3]
        if shown:
            turns = sum(max(0, one.turns) for one in shown)
            return _of_totals(
                "session.result", turns, _together(one.input for one in shown), [one.total for one in shown]
            )
        if self._reported[0]:
            return _of_totals("usage.report", 0, self._reported[2], [self._reported[1]])
        return Requests("none", 0, None, 0, 0, 0, None, 0)

    def _takes_untimed(self, path: str, key: str | int) -> bool:
        if path not in self._firsts:
            self._firsts[path] = key
        if isinstance(key, int):
            return True
        earlier = self._untimed.get(key)
        if earlier is not None and path < earlier:
            return False
        self._untimed[key] = path
        return True

    def _of_rows(self) -> Requests:
        rows = list(_ROW.iter_unpack(b"".join(self._rows.values())))
        inputs = [row[0] for row in rows if row[0] != NOT_SHOWN]
        totals = [row[1] for row in rows if row[1] != NOT_SHOWN]
        took = [None if math.isnan(row[2]) else row[2] for row in rows]
        first = self._first if self._first is not None else self._firsts[min(self._firsts)]
        first_total = _ROW.unpack(self._rows[first])[1]
        return Requests(
            source="proxy",
            count=len(rows),
            duration_ms=_sum(took),
            input_sum=sum(inputs),
            peak_input=max(inputs, default=0),
            total_tokens=sum(totals),
            first_total=None if first_total == NOT_SHOWN else first_total,
            without_tokens=len(rows) - len(totals),
        )


def _of_totals(source: Source, count: int, input_: int, totals: list[int]) -> Requests:
    shown = [one for one in totals if one != NOT_SHOWN]
    return Requests(source, count, None, input_, 0, sum(shown), None, len(totals) - len(shown))


def _together(parts: Iterable[int]) -> int:
    return sum(part for part in parts if part != NOT_SHOWN)


def _add(left: int, right: int) -> int:
    return _together((left, right)) if (left, right) != (NOT_SHOWN, NOT_SHOWN) else NOT_SHOWN


def _sum(parts: list[float | None]) -> int | float | None:
    """Return the sum, exactly rounded whatever the order; none where a part is."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    try:
        whole = math.fsum(known)
    except OverflowError:
        return None
    return int(whole) if whole.is_integer() else whole
