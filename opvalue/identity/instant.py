"""Instants: one strict reader for RFC 3339, one spelling on output (DESIGN 4.1, EV-06, EV-07).

Accepted on input: ``YYYY-MM-DDTHH:MM:SS``, at most three fractional digits, then ``Z`` or a numeric offset; ``t`` and
``z`` may be lower case. Refused: no zone, a date alone, ``-00:00`` (RFC 3339 4.3: offset unknown), a leap second,
hour 24, a space for the ``T``, non-ASCII digits, anything before or after. Output is always UTC with milliseconds.

The reader does not use the standard library's ISO parsers, whose leniency differs between Python versions.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Self

from opvalue.errors import Kind, OpvalueError

EXAMPLE: Final = "2026-08-30T12:00:00Z"

_DATE_TIME = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})[Tt]"
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]+))?"
    r"(?P<zone>[Zz]|[+-][0-9]{2}:[0-9]{2})?"
)
_UTC_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{3})?Z")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_PARTS = ("year", "month", "day", "hour", "minute", "second")
_MAX_FRACTION_DIGITS = 3
_MAX_OFFSET_HOURS = 23
_MAX_MINUTE = 59
_LEAP_SECOND = 60


class InstantRefused(OpvalueError):
    """A time that is not an RFC 3339 instant with a zone and at most milliseconds."""

    code = "instant.refused"
    kind = Kind.USAGE
    advice = f"Write it like {EXAMPLE} or 2026-08-30T14:00:00.000+02:00."


class Instant(NamedTuple):
    """A point in time, in whole milliseconds since 1970-01-01T00:00:00Z. Ordered; two spellings of one are equal."""

    milliseconds: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an RFC 3339 date-time with a zone. Raises ``InstantRefused``, naming what is wrong."""
        found = _DATE_TIME.fullmatch(text)
        if found is None:
            raise _refused(text, "not a date and time")
        fraction = found["fraction"] or ""
        if len(fraction) > _MAX_FRACTION_DIGITS:
            raise _refused(text, "finer than a millisecond")
        if int(found["second"]) == _LEAP_SECOND:
            raise _refused(text, "a leap second, which has no place on the UTC millisecond scale")
        offset = _offset(text, found["zone"])
        try:
            year, month, day, hour, minute, second = (int(found[part]) for part in _PARTS)
            local = datetime(year, month, day, hour, minute, second, int(fraction.ljust(6, "0")), tzinfo=UTC)
            moment = local - offset
        except (ValueError, OverflowError):
            raise _refused(text, "no such date or time of day") from None
        return cls((moment - _EPOCH) // _MILLISECOND)

    @classmethod
    def parse_utc(cls, text: object) -> Self | None:
        """Read an evaluator's or archive's UTC stamp: seconds or milliseconds, ``Z`` (reference 2.5).

        Returns ``None`` for anything else, so that the caller can refuse with its own code.
        """
        if not isinstance(text, str) or not _UTC_STAMP.fullmatch(text):
            return None
        try:
            return cls.parse(text)
        except InstantRefused:
            return None

    @classmethod
    def from_datetime(cls, moment: datetime) -> Self:
        """Return the instant of an aware ``datetime``, cut to the millisecond."""
        return cls((moment - _EPOCH) // _MILLISECOND)

    @property
    def seconds(self) -> int:
        """Whole seconds since the epoch, cut toward the past."""
        return self.milliseconds // 1000

    def __str__(self) -> str:
        moment = _EPOCH + self.milliseconds * _MILLISECOND
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{self.milliseconds % 1000:03d}Z".rjust(24, "0")


def _offset(text: str, zone: str | None) -> timedelta:
    if zone is None:
        raise _refused(text, "without a time zone; a local time is never assumed")
    if zone in "Zz":
        return timedelta(0)
    if zone == "-00:00":
        raise _refused(text, "with the offset -00:00, which means that the zone is unknown")
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > _MAX_OFFSET_HOURS or minutes > _MAX_MINUTE:
        raise _refused(text, "with an offset that does not exist")
    size = timedelta(hours=hours, minutes=minutes)
    return -size if zone[0] == "-" else size


def _refused(text: str, why: str) -> InstantRefused:
    shown = text if len(text) <= 40 else text[:40] + "..."
    return InstantRefused(f"{shown!r} is {why}", expected="an RFC 3339 instant with a zone", found=repr(shown))
