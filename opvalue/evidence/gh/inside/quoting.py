"""Texts as Go's ``%q`` shows them in gh's messages."""

_SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def quoted(text: str) -> str:
    """Return ``text`` in double quotes, with what cannot be printed escaped."""
    return f'"{"".join(_shown(one) for one in text)}"'


def _shown(one: str) -> str:
    if one in _SHORT:
        return _SHORT[one]
    if one.isprintable():
        return one
    number = ord(one)
    if 0xDC80 <= number <= 0xDCFF:
        return f"\\x{number - 0xDC00:02x}"
    if number < 0x80:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
