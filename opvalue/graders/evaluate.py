"""Measure every enabled built-in grader once, and judge each number against its threshold (Graders Specification 2).

Nothing but the arguments decides. What one grader raises becomes its own error row; the others go on. Custom graders
have no code here: they are passed over, and the caller says what became of them.
"""

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.graders.configuration import Configuration, Entry, Source
from opvalue.graders.measured import Measured
from opvalue.graders.registry import Grader, registered
from opvalue.records import Status, outcome
from opvalue.strictjson import is_number, kind_of

if TYPE_CHECKING:
    from opvalue.graders.trajectory.projection import Projection
    from opvalue.session.lookups import Lookups

_TEXT: Final = 500
"""Characters of an exception's words that a result keeps."""


class Graded(NamedTuple):
    """One grader's result."""

    entry: Entry
    value: int | float | None
    status: Status
    passed: bool | None
    """``None`` where there is no threshold, or no value."""
    message: str | None = None
    """Why the value is unavailable, or what it leaves unsaid."""
    error: str | None = None
    """Why there is no result at all."""


def grade(lookups: "Lookups", projection: "Projection | None", configuration: Configuration) -> tuple[Graded, ...]:
    """Return the results of the enabled built-ins, in the configuration's order.

    ``projection`` is needed only where ``reads_projection`` says so. Neither argument is changed.
    """
    entries = [entry for entry in configuration.enabled if entry.source is Source.BUILTIN]
    return tuple(_graded(entry, lookups, projection) for entry in entries)


def reads_projection(configuration: Configuration) -> bool:
    """Tell whether any enabled grader measures the projection of a trajectory."""
    entries = [entry for entry in configuration.enabled if entry.source is Source.BUILTIN]
    return any(registered(entry.id).reads_projection for entry in entries)


def failed(entry: Entry, error: str) -> Graded:
    """Return the row of a grader that gave no result."""
    return Graded(entry, None, Status.ERROR, None, error=error)


def _graded(entry: Entry, lookups: "Lookups", projection: "Projection | None") -> Graded:
    try:
        measured = _measured(registered(entry.id), entry, lookups, projection)
    except Exception as error:  # whatever it is, it must not end the other graders (RS-06)
        return failed(entry, f"{entry.id}: {type(error).__name__}: {error}"[:_TEXT])
    return judged(entry, measured)


def judged(entry: Entry, measured: Measured) -> Graded:
    """Return the row of a measurement. A value that is no finite number is an error, never a score."""
    value = measured.value
    if value is not None and not (is_number(value) and _finite(value)):
        found = "a number that is not finite" if is_number(value) else kind_of(value)
        return failed(entry, f"{entry.id}: the value must be a finite number or null, not {found}")
    judgement = outcome(value, threshold=entry.threshold, direction=entry.direction or "")
    # Adding nothing turns -0.0 into 0.0.
    return Graded(entry, None if value is None else value + 0, judgement.status, judgement.passed, measured.message)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer that no double can hold
        return False


def _measured(grader: Grader, entry: Entry, lookups: "Lookups", projection: "Projection | None") -> Measured:
    if grader.reads_projection:
        return grader.measure(projection, entry.config)
    return grader.measure(lookups)
