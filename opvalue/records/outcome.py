"""A value against its threshold (reference 2.5, end). Null, zero and error stay three things; nothing is clamped."""

import enum
from typing import Final, NamedTuple

HIGHER_IS_BETTER: Final = "higher_is_better"
LOWER_IS_BETTER: Final = "lower_is_better"


class Status(enum.Enum):
    """How a grading ended."""

    PASS = "pass"  # noqa: S105 - a status, not a password
    FAIL = "fail"
    UNAVAILABLE = "unavailable"
    ERROR = "error"
    NOT_OBSERVED = "not-observed"


class Outcome(NamedTuple):
    """A status, and whether a threshold was met: ``None`` where there was none to meet."""

    status: Status
    passed: bool | None


def outcome(value: float | None, *, threshold: float | None, direction: str) -> Outcome:
    """Judge ``value``: null is unavailable; no threshold passes with no outcome; equality passes; 0 is a threshold.

    A direction that is neither ``higher_is_better`` nor ``lower_is_better`` gives no outcome, since nobody can say
    which side is the good one. ``value`` must be finite or ``None``; that is the contract's check, not repeated here.
    """
    if value is None:
        return Outcome(Status.UNAVAILABLE, None)
    if threshold is None or direction not in {HIGHER_IS_BETTER, LOWER_IS_BETTER}:
        return Outcome(Status.PASS, None)
    passed = value <= threshold if direction == LOWER_IS_BETTER else value >= threshold
    return Outcome(Status.PASS if passed else Status.FAIL, passed)
