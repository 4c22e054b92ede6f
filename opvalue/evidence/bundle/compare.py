"""What differs between two bundles: their headers, which requests they answer, and how (DESIGN 5). Pure."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from opvalue.evidence.bundle.documents import header_fields
from opvalue.evidence.bundle.model import Bundle
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.identity import Digest
from opvalue.strictjson import JsonRefused, JsonValue, dumps_compact, loads, same

_MOST_CHANGES: Final = 5
_SHOWN: Final = 60
_ROOT: Final = "the whole"
"""What stands for the empty pointer."""


class Difference(NamedTuple):
    """Two answers to one request."""

    request: Request
    a: Answer
    b: Answer
    changes: tuple[str, ...]
    """The first places that differ, where both bodies are JSON: a JSON pointer, the one value and the other."""


class Comparison(NamedTuple):
    """How two bundles compare."""

    digests: tuple[Digest, Digest]
    header: tuple[tuple[str, str, str], ...]
    """Fields of the header that differ, with both values as JSON."""
    only_a: tuple[Exchange, ...]
    only_b: tuple[Exchange, ...]
    different: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether both hold the same evidence. Times of observation, profiles and failures' texts do not count."""
        return self.digests[0] == self.digests[1]


def compare(a: Bundle, b: Bundle) -> Comparison:
    """Return what differs between ``a`` and ``b``."""
    in_a, in_b = ({one.request.key(): one for one in bundle.exchanges} for bundle in (a, b))
    both = [(in_a[key], in_b[key]) for key in in_a if key in in_b]
    return Comparison(
        (a.digest, b.digest),
        tuple(_header_differences(a, b)),
        tuple(one for key, one in in_a.items() if key not in in_b),
        tuple(one for key, one in in_b.items() if key not in in_a),
        tuple(_difference(one, other) for one, other in both if one.answer != other.answer),
    )


def _header_differences(a: Bundle, b: Bundle) -> Iterator[tuple[str, str, str]]:
    fields_a, fields_b = header_fields(a.header), header_fields(b.header)
    for name, value in fields_a.items():
        if value != fields_b[name]:
            yield name, dumps_compact(value), dumps_compact(fields_b[name])


def _difference(a: Exchange, b: Exchange) -> Difference:
    return Difference(a.request, a.answer, b.answer, _changes(a.answer.body, b.answer.body))


def _changes(a: bytes, b: bytes) -> tuple[str, ...]:
    try:
        found = islice(_places(loads(a), loads(b), ""), _MOST_CHANGES + 1)
    except JsonRefused:
        return ()
    changes = tuple(found)
    return (*changes[:_MOST_CHANGES], "...") if len(changes) > _MOST_CHANGES else changes


def _places(a: JsonValue, b: JsonValue, pointer: str) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for name in [*a, *(name for name in b if name not in a)]:
            below = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            yield from _of_member(a, b, name, below)
    elif isinstance(a, list) and isinstance(b, list):
        for place in range(min(len(a), len(b))):
            yield from _places(a[place], b[place], f"{pointer}/{place}")
        if len(a) != len(b):
            yield f"{pointer or _ROOT}: of length {len(a)} -> {len(b)}"
    elif not same(a, b):
        yield f"{pointer or _ROOT}: {_short(a)} -> {_short(b)}"


def _of_member(a: dict[str, JsonValue], b: dict[str, JsonValue], name: str, pointer: str) -> Iterator[str]:
    if name not in b:
        yield f"{pointer}: {_short(a[name])} -> absent"
    elif name not in a:
        yield f"{pointer}: absent -> {_short(b[name])}"
    else:
        yield from _places(a[name], b[name], pointer)


def _short(value: JsonValue) -> str:
    text = dumps_compact(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
