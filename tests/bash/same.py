"""Trees compared by what they say, offsets and harmless spellings aside."""

from opvalue.bash.tree import Arithmetic, Node, Redirect, Simple, Text, Word


def told(value: object) -> object:
    """Return a tree as nested tuples. Left out: offsets, blanks of arithmetic, and how a here-document ends."""
    if isinstance(value, Word):
        return ("Word", told(value.parts))
    if isinstance(value, Simple):
        return ("Simple", told(value.assignments), told(value.words))
    if isinstance(value, Arithmetic):
        return ("Arithmetic", "".join(value.text.split()).rstrip(";"), told(value.nested))
    if isinstance(value, Redirect) and value.operator.startswith("<<") and value.operator != "<<<":
        return (value.operator, value.descriptor, [_line(part) for part in value.target.parts])
    if isinstance(value, Node):
        return (type(value).__name__, *(told(getattr(value, field)) for field in value.fields))
    if isinstance(value, tuple):
        return tuple(told(item) for item in value)
    # shfmt writes the older of two names of one test.
    return "-L" if value == "-h" else value


def _line(part: object) -> object:
    return part.value.replace("\t", "").strip("\n") if isinstance(part, Text) else told(part)
