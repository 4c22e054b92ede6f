r"""Control characters written out in JSON answers become harmless, as gh does it: ``\u001b`` becomes ``^[``.

C0 characters become carets, C1 characters octal numbers after a backslash. Control characters as such, and the short
escapes such as ``\n``, stay.
"""

_MARK = b"\\u00"
_BACKSLASH = 0x5C


def is_json(content_type: str) -> bool:
    """Tell whether gh takes an answer of this type for JSON."""
    before, found, after = content_type.partition("json")
    while found:
        if before[-1:] in {"/", "+"} and after[:1] in {"", ";"}:
            return True
        before, found, after = after.partition("json")
    return False


def sanitized(body: bytes) -> bytes:
    """Return a JSON document without escapes for control characters."""
    at = body.find(_MARK)
    if at < 0:
        return body
    parts, done = [], 0
    while at >= 0:
        shown = _shown(body[at + 4 : at + 6])
        if shown is not None:
            # A backslash that belonged to this one must not reach for what replaces it.
            escape = b"\\" if _backslashes_before(body, at) % 2 else b""
            parts += [body[done:at], escape, shown]
            done = at + 6
        at = body.find(_MARK, max(at + 1, done))
    return b"".join([*parts, body[done:]])


def _shown(digits: bytes) -> "bytes | None":
    try:
        number = int(digits, 16) if digits.isalnum() and len(digits) == 2 else -1
    except ValueError:
        return None
    if 0 <= number < 0x20:
        caret = b"^%c" % (number + 0x40)
        return b"^\\\\" if number == 0x1C else caret
    return b"\\\\%o" % number if 0x80 <= number < 0xA0 else None


def _backslashes_before(body: bytes, at: int) -> int:
    count = 0
    while at > count and body[at - count - 1] == _BACKSLASH:
        count += 1
    return count
