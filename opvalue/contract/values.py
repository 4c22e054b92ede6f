"""Small questions about JSON values that every contract asks, and how a value is shown in an error."""

import enum
from typing import Final, TypeGuard

from opvalue.errors import OpvalueError
from opvalue.identity import Repository
from opvalue.strictjson import dumps_compact, is_number

_SHOWN_CHARACTERS = 60


class Absent(enum.Enum):
    """The one marker for a key that is not there. Null is a value; this is not."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


def is_text(value: object) -> TypeGuard[str]:
    """Tell whether ``value`` is a string with something in it besides blanks.

    Blank is what any of the earlier readers trimmed: white space of Unicode, and the byte order mark.
    """
    return isinstance(value, str) and any(not (one.isspace() or one == "\ufeff") for one in value)


def is_share(value: object) -> TypeGuard[int | float]:
    """Tell whether ``value`` is a number in [0, 1]. A boolean is no number."""
    return is_number(value) and 0 <= value <= 1


def is_slug(value: object) -> bool:
    """Tell whether ``value`` is ``OWNER/NAME``, without a host."""
    if not isinstance(value, str) or value.count("/") != 1:
        return False
    try:
        Repository.parse(value)
    except OpvalueError:
        return False
    return True


def positive_zero(number: float) -> int | float:
    """Return ``number``, with ``-0`` written as 0 (NM-06)."""
    return number if number != 0 else 0


def shown(value: object) -> str:
    """Return ``value`` as short JSON for an error, or ``nothing`` when it is absent."""
    if value is ABSENT:
        return "nothing"
    text = dumps_compact(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
