"""What the graders of tool calls share: no number where calls could not be told apart (DESIGN 8)."""

from opvalue.graders.measured import Measured, unavailable
from opvalue.session.lookups import Calls


def counted(calls: Calls, value: float) -> Measured:
    """Return a number made of calls, unless more were open at a time than are kept apart."""
    if calls.uncertain:
        return unavailable("which of the recorded tool calls are one and the same cannot be told")
    return Measured(value)
