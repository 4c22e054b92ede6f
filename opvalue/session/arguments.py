"""Whether two calls of one tool were given the same arguments (DESIGN 8).

Arguments are JSON text as recorded, without white space around it. They compare as parsed values with sorted keys:
``1`` equals ``1.0``, ``true`` does not equal ``1``. Absent equals absent, and neither null nor an empty text. Whatever
redaction touched equals nothing, since nobody knows what stood there. Not checked: that the text is strict JSON;
whoever read the session did.
"""

import json
from enum import Enum
from typing import Any, Final, TypeAlias

from opvalue.session.vocabulary import MASKED
from opvalue.strictjson import JsonValue, same

Arguments: TypeAlias = "bytes | str | None"
"""JSON text; of a long one that is kept, the digest of its canonical form; none where recorded as absent."""

KEPT: Final = 1024
"""Bytes of arguments that are kept as they are until the next call, whatever else is."""

UNSHOWN: Final = ""
"""Stands for the arguments of a call that nothing shows."""

_MARK: Final = MASKED.encode()
_ESCAPED_MARK: Final = b"\\u002a"
# json.loads looks for encodings and white space first
_parsed_at: Final = json.JSONDecoder().raw_decode


class Comparison(Enum):
    """What two neighbours' arguments tell."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"
    """They would be equal, but redaction took something out of them; or the earlier ones are not shown."""


def digest(arguments: bytes) -> str:
    """Return what is kept of long arguments where there is no room: enough to compare them with the next call's."""
    return _digest(_parsed(arguments))


def compare(earlier: Arguments, later: Arguments) -> Comparison:
    """Compare what is kept of the earlier call's arguments with the later call's."""
    if earlier is UNSHOWN:
        return Comparison.UNDECIDED
    if not isinstance(later, bytes) or earlier is None:
        return Comparison.EQUAL if earlier is later else Comparison.DIFFERENT
    equal = (
        earlier == _digest(_parsed(later)) if isinstance(earlier, str) else earlier == later or _same(earlier, later)
    )
    if not equal:
        return Comparison.DIFFERENT
    return Comparison.UNDECIDED if _hides(later) else Comparison.EQUAL


def text_of(given: JsonValue, command: JsonValue) -> bytes:
    """Return the recorded arguments of a call: its ``input``; its ``command`` instead of a null or a blank text."""
    if given is None or (isinstance(given, str) and not given.strip()):
        return command_of(command) or json.dumps(given).encode()
    return json.dumps(given).encode()


def command_of(command: JsonValue) -> bytes | None:
    """Return a command as arguments; none where there is none."""
    return json.dumps({"command": command}).encode() if isinstance(command, str) and command else None


def _parsed(text: bytes) -> Any:
    return _parsed_at(text.decode())[0]


def _same(earlier: bytes, later: bytes) -> bool:
    left, right = _parsed(earlier), _parsed(later)
    # Python's own comparison takes true for 1, and is the quicker one to say no.
    return left == right and same(left, right)


def _hides(text: bytes) -> bool:
    if _MARK in text:
        return True
    if _ESCAPED_MARK not in text.lower():
        return False
    from opvalue.session.redaction import is_redacted  # noqa: PLC0415 - few texts escape a star

    return is_redacted(_parsed(text))


def _digest(value: object) -> str:
    import hashlib  # noqa: PLC0415 - for long arguments only

    text = json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
