"""What measuring gives: a number, or the reason why there is none (DESIGN 2.3). Null is never a zero."""

from typing import NamedTuple


class Measured(NamedTuple):
    """A grader's number, or why it is unavailable: exactly one of the two is there."""

    value: int | float | None
    """Unrounded and never clamped. ``None`` when required evidence is missing."""
    reason: str | None = None
    """One clause in lower case without a full stop, for the person who reads ``unavailable``."""


def unavailable(reason: str) -> Measured:
    """Return the measurement that could not be made."""
    return Measured(None, reason)
