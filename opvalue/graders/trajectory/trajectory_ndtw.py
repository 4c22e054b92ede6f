"""``trajectory-ndtw``: how close the path of states kept to the reference path (reference 3.2).

Formula: exp(-DTW / length of the reference), DTW the dynamic time warping distance with cost 1 for states that differ
and 0 for equal ones.
Source: the refs of ``state_change`` events in their order, and the reference's states.
Unavailable: no reference; a state without an id on either side; no ``state_change`` events.

The distance is quadratic by its definition. NumPy, where it is installed, computes it by anti-diagonals; the numbers
are integers, so that both ways give the same result.
"""

import math
from collections.abc import Sequence
from typing import Any

from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import identified, is_text, of_kind
from opvalue.strictjson import JsonObject, JsonValue


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the closeness, 1 where both paths are equal."""
    declared = (projection.reference or {}).get("states")
    if not isinstance(declared, list) or not declared:
        raise Missing("the reference has no states")
    reference = [_state(state) for state in declared]
    path = [identified(event, "events", "ref") for event in of_kind(projection, "state_change")]
    if not path:
        raise Missing("no change of state is recorded")
    return math.exp(-distance(path, reference) / len(reference))


def _state(state: JsonValue) -> str:
    if is_text(state):
        return state
    if isinstance(state, dict):
        return identified(state, "reference states")
    raise Missing("a state of the reference is malformed")


def distance(path: Sequence[str], reference: Sequence[str]) -> int:
    """Return the DTW distance of two sequences, neither of them empty."""
    numbers = {state: number for number, state in enumerate(dict.fromkeys((*path, *reference)))}
    rows, columns = [numbers[state] for state in path], [numbers[state] for state in reference]
    numpy = numpy_module()
    return _by_rows(rows, columns) if numpy is None else _by_diagonals(numpy, rows, columns)


def numpy_module() -> Any:
    """Return the library, or ``None`` where it is not installed."""
    try:
        import numpy  # noqa: ICN001, PLC0415 - one of the extra ``analysis``; only this formula is worth loading it
    except ImportError:
        return None
    return numpy


def _by_rows(rows: Sequence[int], columns: Sequence[int]) -> int:
    far = len(rows) + len(columns)
    above = [far] * len(columns)
    corner = 0
    for row in rows:
        here: list[int] = []
        before, diagonal = far, corner
        for column, up in zip(columns, above, strict=True):
            if up < before:  # noqa: PLR1730 - min() costs a call for each of millions of cells
                before = up
            if diagonal < before:  # noqa: PLR1730 - the same
                before = diagonal
            if row != column:
                before += 1
            here.append(before)
            diagonal = up
        above, corner = here, far
    return above[-1]


def _by_diagonals(numpy: Any, rows: Sequence[int], columns: Sequence[int]) -> int:
    """Cell (i, j) stands in diagonal i + j at place i; each needs only the two diagonals before it."""
    first, second = numpy.asarray(rows, dtype=numpy.int32), numpy.asarray(columns, dtype=numpy.int32)[::-1]
    height, width = len(rows), len(columns)
    far = height + width
    # One place of padding before the first row keeps (i - 1) in bounds.
    last = numpy.full(height + 1, far, dtype=numpy.int32)
    before_last = last.copy()
    before_last[0] = 0
    for diagonal in range(height + width - 1):
        low, high = max(0, diagonal - width + 1), min(height, diagonal + 1)
        # Columns run backwards along a diagonal, as the reversed array does.
        start = width - 1 - diagonal + low
        unequal = first[low:high] != second[start : start + high - low]
        here = numpy.full(height + 1, far, dtype=numpy.int32)
        least = numpy.minimum(last[low:high], last[low + 1 : high + 1])
        here[low + 1 : high + 1] = numpy.minimum(least, before_last[low:high]) + unequal
        before_last, last = last, here
    return int(last[height])
