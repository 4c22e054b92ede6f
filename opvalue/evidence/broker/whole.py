"""Whether bytes are one whole JSON document. Pure; msgspec is loaded where there is an answer to look at.

Read to the last byte, never by its ends: a cut, a missing colon, ``NaN``, a control character in a string, half a
surrogate pair, bytes that are not UTF-8, a second document or nesting beyond ``limits.json_depth`` make it none. No
values are made of it, so 32 MiB take a fraction of a second and no memory of their own.

Not checked: keys that repeat, and numbers too large for a double; a reader takes the last, and the largest.
"""

import re
from typing import Final

from opvalue.limits import Limits

_MOST_DEPTH: Final = Limits().json_depth
# Possessive, so that a long string costs no memory for backtracking.
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_ALIKE: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = bytes(one for one in range(256) if one not in b"[]{}")


def is_whole_json(body: bytes) -> bool:
    """Tell whether ``body`` is one strict JSON document, white space around it allowed."""
    import msgspec  # noqa: PLC0415 - an evaluator that asks for nothing does without

    if _is_deep(body):
        return False
    try:
        body.decode()  # ``Raw`` skips strings without looking at their encoding
        msgspec.json.decode(body, type=msgspec.Raw)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return False
    return True


def _is_deep(body: bytes) -> bool:
    # One depth for every interpreter; where the body is JSON, each round takes the innermost brackets away.
    if body.count(b"[") + body.count(b"{") <= _MOST_DEPTH:
        return False
    brackets = _STRING.sub(b"", body).translate(_ALIKE, _NO_BRACKETS)
    for _ in range(_MOST_DEPTH):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)
