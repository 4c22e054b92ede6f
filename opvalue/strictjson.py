"""One dialect of JSON: read strictly, written one way (DESIGN 7).

Reading takes bytes: strict UTF-8 without a byte order mark, no NaN or Infinity, no number that overflows a double,
no duplicate keys, bounded depth and number length, exactly one document. Writing keeps the given key order, uses two
spaces, ends with one line feed, writes ``-0`` as ``0`` and a whole number without a fraction.

Not checked here: shapes. That is the business of ``contract`` and ``records``.
"""

import json
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NoReturn, TypeAlias, TypeGuard

from opvalue.errors import Kind, OpvalueError
from opvalue.limits import Limits

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, "JsonValue"]

MAX_DEPTH: Final = Limits().json_depth
MAX_NUMBER_CHARACTERS: Final = Limits().number_characters

_BOM = b"\xef\xbb\xbf"
# Possessive, so that a long string costs no memory for backtracking.
_STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_KINDS: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")
# Bytes whose strings are told apart at a time: each takes many times its room.
_PART: Final = 1 << 16
_SHOWN = 40
# Integers up to here are exact in a double, so a float of that size prints as one.
_EXACT_INTEGER = 2**53
_ARRAYS = (list, tuple)
_AS_IT_IS = frozenset({str, int, bool, type(None)})
"""Classes of values whose text needs no change; no class made of them."""


class JsonRefused(OpvalueError):
    """A document that is not strict JSON: encoding, syntax, duplicate keys, numbers out of range, or depth."""

    code = "json.refused"
    kind = Kind.REFUSED
    advice = "Give one strict UTF-8 JSON document without duplicate keys, NaN or Infinity."


class JsonSeveralValues(JsonRefused):
    """Something besides white space follows the first JSON value (HB-06)."""

    code = "json.more-than-one-value"
    advice = "Give exactly one JSON document."


class JsonNotEncodable(OpvalueError):
    """A value of ours that JSON cannot carry: NaN, a type it has no word for, endless nesting."""

    code = "json.not-encodable"
    kind = Kind.INTERNAL


def loads(
    data: bytes,
    *,
    max_depth: int = MAX_DEPTH,
    max_number: int = MAX_NUMBER_CHARACTERS,
    what: str = "document",
    unique_keys: bool = True,
) -> JsonValue:
    """Return the one JSON value in ``data``.

    ``what`` names the document in the error. Escaped lone surrogates are kept. Without ``unique_keys`` the last of
    two equal keys counts: for the logs of other programs, never for a contract or record. Raises ``JsonRefused``.
    """
    text = _decode(data, what)
    # Before parsing: the C scanner recurses, so a deep document would end in RecursionError rather than a refusal.
    if is_deeper(data, max_depth):
        raise JsonRefused(f"{what} is nested too deeply", expected=f"at most {max_depth} levels")
    try:
        value: JsonValue = _decoder(max_number, what, unique_keys=unique_keys).decode(text)
    except json.JSONDecodeError as error:
        several = error.msg.startswith("Extra data")
        refused = JsonSeveralValues if several else JsonRefused
        raise refused(
            f"{what} holds more than one JSON value" if several else f"{what} is not JSON: {error.msg}",
            expected="exactly one JSON value",
            found=f"line {error.lineno}, column {error.colno}: {_excerpt(text, error.pos)}",
        ) from None
    return value


def loads_object(data: bytes, *, what: str = "document") -> JsonObject:
    """Return the one JSON object in ``data``; any other value is refused. Raises ``JsonRefused``."""
    value = loads(data, what=what)
    if not isinstance(value, dict):
        raise JsonRefused(f"{what} is not a JSON object", expected="an object", found=kind_of(value))
    return value


def dumps(value: object) -> str:
    """Return the canonical text: two-space indent, keys as ordered, one trailing line feed.

    Raises ``JsonNotEncodable`` for NaN, Infinity and anything JSON has no word for.
    """
    return _encode(value, indent=2) + "\n"


def dumps_compact(value: object) -> str:
    """Return ``value`` on one line without spaces, keys as ordered, no trailing line feed."""
    return _encode(value, indent=None)


def kind_of(value: object) -> str:
    """Return the JSON name of a value's type, for error texts."""
    if value is None:
        return "null"
    for kinds, name in _KIND_NAMES:
        if isinstance(value, kinds):
            return name
    return type(value).__name__


_KIND_NAMES: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (bool, "boolean"),
    ((int, float), "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)


def is_deeper(data: bytes, levels: int) -> bool:
    """Tell whether JSON text is nested more deeply than that, without reading it."""
    if data.count(b"[") + data.count(b"{") <= levels or _closes_within(data, levels):
        return False
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(data):
        first = token[0][:1]
        if first in b"[{":
            depth += 1
            if depth > levels:
                return True
        elif first in b"]}":
            depth -= 1
    return False


def _closes_within(data: bytes, levels: int) -> bool:
    """Tell that every bracket is closed and none is nested more deeply; no where that takes a closer look.

    The innermost pairs are taken out, again and again: to count brackets one by one takes ten times as long.
    """
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    brackets = b"".join(_brackets(plain))
    for _ in range(levels):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"")
    return not brackets


def _brackets(plain: bytes) -> Iterator[bytes]:
    """Yield what brackets there are outside strings, all of one kind; no quote is escaped in ``plain``."""
    inside = False
    for start in range(0, len(plain), _PART):
        parts = plain[start : start + _PART].split(b'"')
        yield b"".join(parts[inside::2]).translate(_KINDS, _NO_BRACKETS)
        inside ^= len(parts) % 2 == 0


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether ``value`` is a JSON number. A boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(left: object, right: object) -> bool:
    """Tell whether two JSON values are equal: ``1`` equals ``1.0``, ``true`` never equals ``1``, key order is free."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if is_number(left) and is_number(right):
        return left == right
    return type(left) is type(right) and left == right


def _decode(data: bytes, what: str) -> str:
    if data.startswith(_BOM):
        raise JsonRefused(
            f"{what} begins with a byte order mark",
            expected="UTF-8 without a byte order mark",
            hint="Save the file as UTF-8 without a byte order mark.",
        )
    try:
        return data.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        raise JsonRefused(
            f"{what} is not UTF-8", expected="strict UTF-8", found=f"byte 0x{data[error.start]:02x} at {error.start}"
        ) from None


@lru_cache(maxsize=64)
def _decoder(max_number: int, what: str, *, unique_keys: bool) -> json.JSONDecoder:
    # Kept: to make one takes as long as to read a short document.
    reader = _Reader(max_number, what)
    return json.JSONDecoder(
        object_pairs_hook=reader.unique if unique_keys else None,
        parse_constant=reader.constant,
        parse_int=reader.integer,
        parse_float=reader.real,
    )


class _Reader:
    """The hooks that make the standard reader strict."""

    def __init__(self, max_number: int, what: str) -> None:
        self._max_number = max_number
        self._what = what

    def unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise JsonRefused(
            f"{self._what} holds a duplicate key", expected="each key once in an object", found=repr(twice)
        )

    def constant(self, token: str) -> NoReturn:
        raise JsonRefused(f"{self._what} holds a number JSON does not have", found=token)

    def integer(self, token: str) -> int:
        self._double(token)
        return int(token)

    def real(self, token: str) -> float:
        return self._double(token)

    def _double(self, token: str) -> float:
        if len(token) > self._max_number:
            raise JsonRefused(
                f"{self._what} holds a number that is too long",
                expected=f"at most {self._max_number} characters",
                found=f"{len(token)} characters",
            )
        number = float(token)
        if math.isinf(number):
            raise JsonRefused(f"{self._what} holds a number that overflows a double", found=_cut(token))
        return number


def _cut(token: str) -> str:
    return token if len(token) <= _SHOWN else f"{token[:_SHOWN]}... ({len(token)} characters)"


def _excerpt(text: str, position: int) -> str:
    start = max(0, position - 10)
    return repr(text[start : position + 20])


def _encode(value: object, *, indent: int | None) -> str:
    try:
        text = _encoder(indent).encode(_canonical(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise JsonNotEncodable(f"a value cannot be written as JSON: {error}") from None
    try:
        text.encode()  # much quicker than to look for surrogates
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text


@lru_cache(maxsize=2)
def _encoder(indent: int | None) -> json.JSONEncoder:
    separators = (",", ": ") if indent else (",", ":")
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)


def _canonical(value: object) -> object:
    # Most of what is in a value is written as it is; a call for each takes longer than to write it.
    if isinstance(value, dict):
        return {key: item if item.__class__ in _AS_IT_IS else _canonical(item) for key, item in value.items()}
    if isinstance(value, _ARRAYS):
        return [item if item.__class__ in _AS_IT_IS else _canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT_INTEGER:
        return int(value)  # also turns -0.0 into 0
    return value
