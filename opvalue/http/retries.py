"""Repeat a read until it is answered, within a number of tries and a sum of waits (HB-05).

No clock and no connection here: what waits is passed in. A wait that would pass the sum is not begun; the error of
the last try says what the server asked for.
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from opvalue.errors import OpvalueError

FIRST_PAUSE: Final = 0.5
"""Seconds before the second try where nobody asked for more; doubled for each further try."""
NEVER: Final = math.inf
"""The pause after which another try would help: none."""

T = TypeVar("T")


class Again(NamedTuple):
    """A try that failed and may be repeated."""

    error: OpvalueError
    """What to raise when it is not."""
    pause: float = FIRST_PAUSE
    """Seconds to wait before the next try."""
    grows: bool = True
    """Whether the pause doubles with each try; not so when the server named it."""


def persist(attempt: Callable[[], T | Again], *, tries: int, seconds: float, sleep: Callable[[float], object]) -> T:
    """Return what ``attempt`` returns once that is not ``Again``; raise the last error when it stays so.

    ``tries`` counts the first; ``seconds`` bounds all waits together.
    """
    waited, number = 0.0, 1
    while isinstance(outcome := attempt(), Again):
        pause = max(outcome.pause, FIRST_PAUSE) * (2 ** (number - 1) if outcome.grows else 1)
        if number >= tries or waited + pause > seconds:
            raise outcome.error
        sleep(pause)
        waited += pause
        number += 1
    return outcome
