"""What every trajectory grader does before and after its formula: hold the bound, turn missing evidence into a reason.

A formula raises ``Missing`` where it lacks evidence, and so reads like its definition.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias

from opvalue.graders.measured import Measured, unavailable
from opvalue.graders.trajectory.projection import MOST_ITEMS, Projection, past_bound
from opvalue.strictjson import JsonObject

Formula: TypeAlias = Callable[[Projection, JsonObject], int | float | Measured]


class Missing(Exception):
    """Required evidence is not there; the text says which. Never leaves this room."""


def trajectory(formula: Formula) -> Callable[[Projection, JsonObject], Measured]:
    """Return the grader of ``formula``: unavailable past the bound and wherever it raises ``Missing``."""

    @wraps(formula)
    def measure(projection: Projection, config: JsonObject) -> Measured:
        crowded = past_bound(projection)
        if crowded is not None:
            return unavailable(f"{crowded} holds more than {MOST_ITEMS:,} items")
        try:
            found = formula(projection, config)
        except Missing as missing:
            return unavailable(str(missing))
        return found if isinstance(found, Measured) else Measured(found)

    return measure


def clamped(value: float) -> float:
    """Return ``value`` within 0 and 1, where the formula itself says so."""
    return min(1.0, max(0.0, value))
