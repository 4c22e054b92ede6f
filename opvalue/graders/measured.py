"""What measuring gives: a number, or the reason why there is none (DESIGN 2.3). Null is never a zero."""

from typing import NamedTuple


class Measured(NamedTuple):
    """A grader's number, or why it is unavailable: a message is always there where a number is not."""

    value: int | float | None
    """Unrounded and never clamped. ``None`` when required evidence is missing."""
    message: str | None = None
    """Why there is none, or what it leaves unsaid: one clause without a full stop. Most numbers need none."""


def unavailable(reason: str) -> Measured:
    """Return the measurement that could not be made."""
    return Measured(None, reason)
