"""Whether bytes are one whole JSON document. Pure; msgspec is loaded where there is an answer to look at.

Read to the last byte, never by its ends: a cut, a missing colon, ``NaN``, a control character in a string, half a
surrogate pair, bytes that are not UTF-8, a second document or nesting beyond ``limits.json_depth`` make it none. No
values are made of it: 32 MiB of objects take a second or two, brackets alone a few, and a few times their length.

Not checked: keys that repeat, and numbers too large for a double; a reader takes the last, and the largest.
"""

import re
from array import array
from itertools import accumulate
from typing import Final

from opvalue.limits import Limits

_MOST_DEPTH: Final = Limits().json_depth
# Possessive, so that a long string costs no memory for backtracking.
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_ALIKE: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = bytes(one for one in range(256) if one not in b"[]{}")
_STEPS: Final = bytes.maketrans(b"[]", b"\x01\xff")
"""One level down and, as a signed byte, one up."""
_ROUNDS: Final = 8
"""Levels that are taken away at once, which is quickest where few are left then: an API nests no deeper."""


def is_whole_json(body: bytes) -> bool:
    """Tell whether ``body`` is one strict JSON document, white space around it allowed."""
    import msgspec  # noqa: PLC0415 - an evaluator that asks for nothing does without

    try:
        body.decode()  # ``Raw`` skips strings without looking at their encoding
        msgspec.json.decode(body, type=msgspec.Raw)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return False
    return not _is_deep(body)


def _is_deep(body: bytes) -> bool:
    """Tell whether a JSON document is nested too deeply: one depth for every interpreter."""
    if body.count(b"[") + body.count(b"{") <= _MOST_DEPTH:
        return False
    brackets = _STRING.sub(b"", body).translate(_ALIKE, _NO_BRACKETS)
    for _ in range(_ROUNDS):
        brackets = brackets.replace(b"[]", b"")
    levels = accumulate(array("b", brackets.translate(_STEPS)))
    return max(levels, default=0) > _MOST_DEPTH - _ROUNDS
