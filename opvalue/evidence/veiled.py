"""Secrets that are spelled otherwise: by escapes of addresses, programs and web pages, or in base64 (DESIGN 5). Pure.

What a secret is, the caller knows: ``clean`` takes secrets out of plain bytes. Not found: other spellings, such as
hexadecimal, base64 within base64, and a secret with something in between.
"""

import re
from array import array
from base64 import b64decode, b64encode
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

Clean = Callable[[bytes], bytes]
"""Takes secrets out of plain bytes."""

# An escape of an address may be escaped again, any number of times; so may the backslash of a program's.
_ESCAPE = re.compile(
    rb"%(?:25)*+(?P<address>[0-9A-Fa-f]{2})"
    rb"|\\++u00(?P<program>[0-7][0-9A-Fa-f])"
    rb"|&#(?:0*+(?P<decimal>[0-9]{2,3})|[xX]0*+(?P<page>[0-9A-Fa-f]{2}));"
)
_LARGEST: Final = 255
_RUN = re.compile(rb"[A-Za-z0-9+/_-](?:(?:(?:\\r)?\\n|\r?\n)?+[A-Za-z0-9+/_-]){9,}+={0,2}+")
_BREAK = re.compile(rb"((?:\\r)?\\n|\r?\n)")
_BREAKS: Final = (b"\\r\\n", b"\\n", b"\r\n", b"\n")
_OF_ADDRESSES: Final = bytes.maketrans(b"+/", b"-_")
_USUAL: Final = bytes.maketrans(b"-_", b"+/")
_CERTAIN: Final = 5
"""Characters of base64 that four bytes and the two highest bits of a fifth decide, wherever they begin."""
_FIRST_CERTAIN: Final = (0, 2, 3)
"""By bytes in front of it, the first character of base64 that what is encoded decides alone."""


class _Escapes(NamedTuple):
    """Escapes, each of which spells one byte: where that is in the plain reading, and where they stand themselves.

    Arrays, for there may be millions.
    """

    places: "array[int]"
    starts: "array[int]"
    ends: "array[int]"


@cache
def escapes_of(values: frozenset[int]) -> tuple[re.Pattern[bytes], ...]:
    """Return what finds an escape that spells one of these bytes. Each begins with letters of its own, for speed."""
    pairs = b"|".join(b"(?i:%02x)" % value for value in sorted(values))
    numbers = b"|".join(b"%d" % value for value in sorted(values))
    return (
        re.compile(rb"%%(?:25)*+(?:%b)" % pairs),
        re.compile(rb"\\u00(?:%b)" % pairs),
        re.compile(rb"&#(?:0*+(?:%b)|[xX]0*+(?:%b));" % (numbers, pairs)),
    )


def without_escaped(
    data: bytes, values: frozenset[int], spans: Callable[[bytes], Iterable[tuple[int, int]]], mark: bytes
) -> bytes:
    """Return ``data`` with ``mark`` for each secret that is spelled with escapes.

    ``values`` are the bytes that secrets consist of; ``spans`` yields where they are in plain bytes.
    """
    if not any(sign.search(data) for sign in escapes_of(values)):
        return data
    plain, escapes = _read(data)
    found = list(spans(plain))
    if not found:
        return data
    result, position = bytearray(), 0
    for start, end in sorted((_stands(escapes, first)[0], _stands(escapes, last - 1)[1]) for first, last in found):
        if start >= position:
            result += data[position:start] + mark
        # One may begin within another, and end behind it.
        position = max(position, end)
    return bytes(result + data[position:])


def _read(data: bytes) -> tuple[bytes, _Escapes]:
    plain, position = bytearray(), 0
    places, starts, ends = array("q"), array("q"), array("q")
    for found in _ESCAPE.finditer(data):
        value = int(found["decimal"]) if found["decimal"] else int(found[found.lastindex or 0], 16)
        if value > _LARGEST:
            continue
        start, end = found.span()
        plain += data[position:start]
        places.append(len(plain))
        starts.append(start)
        ends.append(end)
        plain.append(value)
        position = end
    return bytes(plain + data[position:]), _Escapes(places, starts, ends)


def _stands(escapes: _Escapes, place: int) -> tuple[int, int]:
    """Return from where to where in the data the byte stands that is at ``place`` in the plain reading."""
    number = bisect_right(escapes.places, place) - 1
    if number < 0:
        return place, place + 1
    if place == escapes.places[number]:
        return escapes.starts[number], escapes.ends[number]
    at = escapes.ends[number] + place - escapes.places[number] - 1
    return at, at + 1


def in_base64(words: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return what base64 shows of each of these words, wherever in a file it stands."""
    return tuple(sorted({shown for word in words for shown in _shown(word)}))


def beginning_in_base64(words: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the same of words of four bytes after which comes a letter, a digit or ``_``."""
    longer = (word + more for word in words for more in (b"A", b"0"))
    return tuple(sorted({shown[:_CERTAIN] for word in longer for shown in _shown(word)}))


def without_encoded(data: bytes, needles: Collection[bytes], clean: Clean) -> bytes:
    """Return ``data`` whose runs of base64 are encoded anew without secrets. ``needles``: see ``in_base64``."""

    def cleaned_where_shown(text: bytes) -> bytes:
        return _line_anew(text, clean) if any(needle in text for needle in needles) else text

    # Lines may part what is looked for.
    joined = _joined(data)
    if not any(needle in joined for needle in needles):
        return data
    return _RUN.sub(lambda found: _encoded_anew(found[0], cleaned_where_shown), data)


def _joined(text: bytes) -> bytes:
    for one in _BREAKS:
        text = text.replace(one, b"")
    return text


def _shown(word: bytes) -> Iterator[bytes]:
    for lead, first in enumerate(_FIRST_CERTAIN):
        encoded = b64encode(b"\0" * lead + word)[first : (lead + len(word)) * 8 // 6]
        yield encoded
        yield encoded.translate(_OF_ADDRESSES)


def _encoded_anew(run: bytes, anew: Clean) -> bytes:
    parts = _BREAK.split(run)
    lines, breaks = parts[::2], parts[1::2]
    room = len(lines[0])
    if len(set(breaks)) > 1 or any(len(line) != room for line in lines[:-1]) or len(lines[-1]) > room:
        # No file that was cut into lines: each is for itself.
        return b"".join(part if number % 2 else anew(part) for number, part in enumerate(parts))
    text = b"".join(lines)
    cleaned = anew(text)
    if cleaned == text:
        return run
    return (breaks[0] if breaks else b"").join(cleaned[at : at + room] for at in range(0, len(cleaned), room))


def _line_anew(line: bytes, clean: Clean) -> bytes:
    text = line.rstrip(b"=")
    for skipped in range(min(4, len(text))):
        # One character more than whole groups says nothing.
        end = len(text) - ((len(text) - skipped) % 4 == 1)
        data = b64decode(text[skipped:end].translate(_USUAL) + b"=" * (-(end - skipped) % 4))
        cleaned = clean(data)
        if cleaned != data:
            kept = _alike(data, cleaned) // 3
            anew = _encoded(cleaned[kept * 3 :], of_addresses=b"-" in text or b"_" in text, padded=text != line)
            return text[: skipped + kept * 4] + anew + text[end:]
    return line


def _encoded(data: bytes, *, of_addresses: bool, padded: bool) -> bytes:
    encoded = b64encode(data)
    if not of_addresses:
        return encoded
    encoded = encoded.translate(_OF_ADDRESSES)
    return encoded if padded else encoded.rstrip(b"=")


def _alike(one: bytes, other: bytes) -> int:
    """Return how many bytes both begin with alike."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least
