"""Where a field of the definition stands in the script's text, if it is written out there as JSON. Pure."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from opvalue.strictjson import JsonObject
from verifier.subject import SourceFile, Subject

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_BEGINS: Final = re.compile(r'\{\s*"')
_TRIED: Final = 40
"""Objects that are compared with the definition, at most."""

Place = tuple[str, int, int]


def place_of(subject: Subject, document: JsonObject | None, path: str) -> Place | None:
    """Return where ``path``, such as ``evidence.repositories[0]``, stands; where it is absent, what it belongs into.

    ``None`` where the definition is put together by the script.
    """
    if document is None:
        return None
    for file in subject.files:
        offsets = _offsets(file, json.dumps(document))
        known = path
        while known and known not in offsets:
            known = known[: max(known.rfind("."), known.rfind("["), 0)]
        if known in offsets:
            return file.place(offsets[known])
    return None


@lru_cache(maxsize=4)
def _offsets(file: SourceFile, definition: str) -> Mapping[str, int]:
    """Return the byte offset of each field by its path; empty where the file does not hold the definition."""
    text = file.data.decode("utf-8", "surrogateescape")
    wanted, decoder = json.loads(definition), json.JSONDecoder()
    for found in list(_BEGINS.finditer(text))[:_TRIED]:
        try:
            value, end = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        if value == wanted:
            places = {"": found.start()}
            _walk(list(_TOKEN.finditer(text, found.start(), end)), 0, "", places)
            return {path: len(text[:at].encode("utf-8", "surrogateescape")) for path, at in places.items()}
    return {}


def _walk(tokens: "list[re.Match[str]]", at: int, path: str, places: dict[str, int]) -> int:
    """Note where each key and element of the value at a token stands, and return the token after it."""
    opening = tokens[at][0]
    if opening not in {"{", "["}:
        return at + 1
    at, number = at + 1, 0
    while tokens[at][0] not in {"}", "]"}:
        if opening == "{":
            key = json.loads(tokens[at][0])
            inner = f"{path}.{key}" if path else key
            places[inner] = tokens[at].start()
            at += 2
        else:
            inner = f"{path}[{number}]"
            places[inner] = tokens[at].start()
        at = _walk(tokens, at, inner, places)
        at, number = at + (tokens[at][0] == ","), number + 1
    return at + 1
