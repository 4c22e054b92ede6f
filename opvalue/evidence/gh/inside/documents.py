"""JSON as Go reads and writes it. Reading uses the standard library's parser, which is imported when first needed."""

from .failure import Failed

_PLAIN = frozenset(range(0x20, 0x80)) - frozenset(b'"\\<>&')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_LITERALS = ("true", "false", "null")
_FAULTS = (
    ("Expecting property name", "looking for beginning of object key string"),
    ("Expecting value", "looking for beginning of value"),
    ("Extra data", "after top-level value"),
    ("Expecting ':'", "after object key"),
)
_WRITTEN_OUT = frozenset("<>&\u2028\u2029")


def parse(body: bytes) -> object:
    """Return a document's value as gh's decoder sees it: numbers as doubles, integral ones as integers.

    Raises ``Failed`` with what Go says of the commonest faults.
    """
    return _read(body, None)


def parse_pairs(body: bytes) -> object:
    """Return the value with every object as a tuple of its pairs, in the document's order. Raises ``Failed``."""
    return _read(body, tuple)


def _read(body: bytes, pairs: "type | None") -> object:
    import json  # noqa: PLC0415 - most requests read no document

    text = body.decode("utf-8", "replace")
    try:
        return json.loads(
            text, parse_int=_whole, parse_float=_double, parse_constant=_refuse_constant, object_pairs_hook=pairs
        )
    except ValueError as error:
        raise Failed(_complaint(text, str(error), getattr(error, "pos", 0))) from None
    except RecursionError:
        raise Failed("exceeded max depth") from None


def _complaint(text: str, fault: str, at: int) -> str:
    """Return Go's words for what Python's parser found at ``at``."""
    at += len(text[at:]) - len(text[at:].lstrip())
    expected = fault.startswith("Expecting value")
    word = next((one for one in _LITERALS if expected and text[at : at + 1] == one[0]), "")
    length = next((count for count, one in enumerate(word) if text[at + count : at + count + 1] != one), 0)
    at += length
    if at >= len(text):
        return "unexpected end of JSON input"
    if length:
        where = f"in literal {word} (expecting '{word[length]}')"
    else:
        where = next((words for start, words in _FAULTS if fault.startswith(start)), "in JSON input")
    return f"invalid character '{text[at]}' {where}"


def _whole(digits: str) -> "int | float":
    return int(digits) if len(digits) < 16 else _double(digits)


def _double(digits: str) -> "int | float":
    number = float(digits)
    if number in {float("inf"), float("-inf")}:
        raise Failed(f"json: cannot unmarshal number {digits} into Go value of type float64")
    # A double without a fraction is an integer to everything that follows, minus zero apart.
    return int(number) if number.is_integer() and (number or digits[0] != "-") else number


def _refuse_constant(name: str) -> object:
    where = "in numeric literal" if name.startswith("-") else "looking for beginning of value"
    raise Failed(f"invalid character '{name.lstrip('-')[0]}' {where}")


def encode(value: object) -> str:
    """Return the compact document that Go's encoder writes: keys sorted, ``<``, ``>`` and ``&`` written out."""
    parts: list[str] = []
    _encode(parts, value)
    return "".join(parts)


def _encode(parts: "list[str]", value: object) -> None:
    if isinstance(value, (str, bytes)):
        parts.append(text(value if isinstance(value, str) else value.decode("utf-8", "replace")))
    elif isinstance(value, dict):
        separator = "{"
        for name in sorted(value):
            parts += (separator, text(name), ":")
            _encode(parts, value[name])
            separator = ","
        parts.append("{}" if separator == "{" else "}")
    elif isinstance(value, (list, tuple)):
        separator = "["
        for one in value:
            parts.append(separator)
            _encode(parts, one)
            separator = ","
        parts.append("[]" if separator == "[" else "]")
    else:
        parts.append(_scalar(value))


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return number(value) if isinstance(value, (int, float)) else str(value)


def text(value: str) -> str:
    """Return a string as Go's encoder writes it. What is no character becomes the replacement character."""
    if value.isascii() and _PLAIN.issuperset(value.encode()):
        return f'"{value}"'
    return f'"{"".join(_character(one) for one in value)}"'


def _character(one: str) -> str:
    if one in _SHORT:
        return _SHORT[one]
    if one < " " or one in _WRITTEN_OUT:
        return f"\\u{ord(one):04x}"
    return "\ufffd" if "\ud800" <= one <= "\udfff" else one


def number(value: "int | float") -> str:
    """Return a double as Go's encoder writes it: the shortest digits, an exponent only when far from one."""
    if isinstance(value, int) and abs(value) < 1 << 53:
        return str(value)
    sign, digits, point = _shortest(float(value))
    if digits == "0":
        return f"{sign}0"
    if -6 < point <= 21:
        return sign + _written_out(digits, point)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    exponent = point - 1
    # Go drops the zero of e-07, and writes e+21.
    return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):d}"


def _written_out(digits: str, point: int) -> str:
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"


def _shortest(value: float) -> tuple[str, str, int]:
    """Return sign, significant digits, and how many of them stand before the point."""
    shown = repr(abs(value))
    sign = "-" if repr(value).startswith("-") else ""
    mantissa, _, exponent = shown.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    return sign, digits or "0", len(whole) - leading + int(exponent or 0)
