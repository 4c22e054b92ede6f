"""What a request asks for: its query, the qualifiers of a search, the times it is limited to. Pure."""

import re
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from opvalue.evidence.exchange import Request

_TERM: Final = re.compile(
    r"(?P<minus>-?)(?P<key>[A-Za-z-]+):(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^\s\"]*))|\"(?P<text>[^\"]*)\"|(?P<word>\S+)"
)
_FIELDS: Final = {
    "created": "created_at",
    "closed": "closed_at",
    "merged": "merged_at",
    "updated": "updated_at",
    "committer-date": "created_at",
    "author-date": "created_at",
}
_DATE: Final = 10


class Search(NamedTuple):
    """The text of a search, read."""

    qualifiers: tuple[tuple[str, str], ...]
    """Key and value; those that are negated are left out."""
    words: tuple[str, ...]

    def values(self, *keys: str) -> tuple[str, ...]:
        """Return the values of qualifiers."""
        return tuple(value for key, value in self.qualifiers if key in keys)

    @property
    def kinds(self) -> frozenset[str]:
        """What ``is:``, ``type:`` and ``state:`` ask for, in lower case."""
        return frozenset(value.lower() for value in self.values("is", "type", "state"))


def query_of(request: Request) -> dict[str, str]:
    """Return the query's fields; the last of several."""
    return dict(parse_qsl(request.query, keep_blank_values=True))


def search_of(text: str) -> Search:
    """Read a search."""
    qualifiers, words = [], []
    for found in _TERM.finditer(text):
        if found["key"] is not None:
            if not found["minus"]:
                qualifiers.append(
                    (found["key"].lower(), found["quoted"] if found["quoted"] is not None else found["bare"])
                )
        else:
            words.append(found["text"] or found["word"] or "")
    return Search(tuple(qualifiers), tuple(words))


def within(item: dict[str, object], search: Search) -> bool:
    """Tell whether an item's times are those that a search's ranges allow."""
    return all(in_range(item.get(_FIELDS[key]), value) for key, value in search.qualifiers if key in _FIELDS)


def in_range(time: object, limits: str) -> bool:
    """Tell whether a time lies within ``A..B``, ``>=A``, ``<=B``, ``>A``, ``<B`` or on a day."""
    if not isinstance(time, str):
        return False
    if ".." in limits:
        start, _, end = limits.partition("..")
        return (start == "*" or time >= start) and (end == "*" or _cut(time, end) <= end)
    for sign in (">=", "<=", ">", "<"):
        if limits.startswith(sign):
            edge = limits.removeprefix(sign)
            mine = _cut(time, edge)
            return {">=": mine >= edge, "<=": mine <= edge, ">": mine > edge, "<": mine < edge}[sign]
    return time.startswith(limits)


def _cut(time: str, edge: str) -> str:
    return time[:_DATE] if len(edge) == _DATE else time
