"""Times and durations in words, however far they lie from every calendar: a session may record any number."""

from typing import Final

from opvalue.identity import Instant

_WHOLE: Final = 20
"""Characters that a number shown whole has fewer than; of a longer one the first digits are shown."""
_FAR: Final = 1e15
"""Milliseconds, more than any calendar has: a time this far off has no thousandths worth showing."""
_FIGURES: Final = ".4g"


def moment(milliseconds: float) -> str:
    """Return a time, given since 1970, as a date; in milliseconds where no calendar reaches it."""
    try:
        return str(Instant(int(milliseconds)))
    except OverflowError:
        return duration(milliseconds)


def duration(milliseconds: float) -> str:
    """Return it in milliseconds, such as ``250 ms``."""
    whole = int(milliseconds) if milliseconds == int(milliseconds) else milliseconds
    text = str(whole)
    return f"{text if len(text) < _WHOLE else format(milliseconds, _FIGURES)} ms"


def seconds(start: float, end: float) -> str:
    """Return how many seconds lie between two times in milliseconds, to the thousandth, without their unit."""
    between = end - start
    if abs(between) < _FAR:
        return f"{between / 1000:.3f}"
    # The difference itself may be more than a number holds.
    return format(end / 1000 - start / 1000, _FIGURES)
