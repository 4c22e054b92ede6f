"""One line of a session read strictly (DESIGN 7): an event, or why it is none.

Strict UTF-8, one JSON document, no NaN or Infinity, no number that overflows a double, bounded nesting. Escaped lone
surrogates are kept. Of two equal keys the last counts. An integer of any length that a double holds is fine.
"""

import re
from typing import Final

from opvalue.limits import Limits
from opvalue.session.batch import Bad
from opvalue.session.errors import LineMalformed, NotAnEvent
from opvalue.session.events import Event, event_of
from opvalue.strictjson import JsonRefused, loads

_BLANK: Final = b" \t\r\n"
_STRING_OR_BRACKET: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_FIRST_LINE: Final = re.compile("^line 1, (?=column)")
_FURTHER_LINE: Final = re.compile("(?<=[0-9])(?=, column)")
_ANY_LENGTH: Final = Limits().session_line_bytes


def is_blank(line: bytes) -> bool:
    """Tell whether a line is nothing but JSON's white space. Such lines are passed over."""
    return not line.strip(_BLANK)


def parsed(line: bytes) -> Event | Bad:
    """Return the event in ``line``, or why there is none (its line number is 0)."""
    try:
        return event_of(loads(line, max_number=_ANY_LENGTH, what="it", unique_keys=False))
    except JsonRefused as refused:
        return Bad(0, cut=is_cut(line), cause=LineMalformed.code, reason=_reason(refused.message, refused.found))
    except NotAnEvent as refused:
        found = f", found {refused.found}" if refused.found else ""
        return Bad(0, cut=False, cause=refused.code, reason=f"{refused.message}{found}")


def is_cut(line: bytes) -> bool:
    """Tell whether a line begins as an object and breaks off before its end."""
    if not line.lstrip(_BLANK).startswith(b"{"):
        return False
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(line):
        first = token[0][:1]
        if first == b'"':
            continue
        depth += 1 if first in b"[{" else -1
        if depth == 0:
            return False
    return True


def within(found: str | None) -> str:
    """Return where in an event's own text a fault is, in brackets; nothing where that is not known.

    Lines are those of the event: an element of an array may have several, and begins anywhere in the file.
    """
    if not found:
        return ""
    place = _FURTHER_LINE.sub(" of it", _FIRST_LINE.sub("", found))
    return f" ({place})"


def _reason(message: str, found: str | None) -> str:
    return f"{message}{within(found)}"
