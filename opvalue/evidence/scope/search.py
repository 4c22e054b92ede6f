"""Which repositories a search is confined to, by its qualifiers (DESIGN 5).

GitHub confines a search to the union of its ``repo:``, ``org:`` and ``user:`` qualifiers, unless an ``OR``, a group or
a negation says otherwise. Whatever is not plain, quotes that do not close among it, leaves the search unattributed.

Pure. Not known here: what the search finds.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from opvalue.evidence.address import OWNER
from opvalue.evidence.scope.standing import Attribution

_SPACES = re.compile(r"[ \t\n\r]*")
_TERM = re.compile(
    r"""(?P<minus>-?)
    (?: (?P<key>[A-Za-z][A-Za-z-]*) : (?: "(?P<quoted>[^"\\]*)" | (?P<bare>[^ \t\n\r"()\\]*) )
      | "[^"\\]*"
      | (?P<word>[^ \t\n\r"()\\]+) )
    (?=[ \t\n\r]|\Z)""",
    re.VERBOSE,
)
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*/[A-Za-z0-9._-]{1,100}")
_OWNER_KEYS: Final = frozenset({"org", "user", "owner"})
_SCOPE_KEYS: Final = _OWNER_KEYS | {"repo", "enterprise"}
# A server may take these for quotes.
_ODD_QUOTES: Final = frozenset("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02")


class _Qualifier(NamedTuple):
    key: str
    value: str


def searched(text: str) -> Attribution:
    """Return the repositories that the search ``text`` is confined to."""
    if any(one in _ODD_QUOTES or (one.isspace() and not one.isascii()) for one in text):
        return Attribution.of(unattributed=True)
    names: list[str] = []
    clear = True
    for qualifier in _qualifiers(text):
        name = _repository(qualifier) if qualifier else None
        if name is None:
            clear = False
        else:
            names.append(name)
    return Attribution.of(names, unattributed=not clear)


def _qualifiers(text: str) -> Iterator[_Qualifier | None]:
    # Yields what confines the search, and None for what makes that uncertain.
    position, negated = _SPACES.match(text).end(), False  # type: ignore[union-attr]  # it matches the empty text too
    while position < len(text):
        term = _TERM.match(text, position)
        if term is None or term["word"] == "OR":
            yield None
            return
        key = (term["key"] or "").lower()
        if key in _SCOPE_KEYS and not negated and not term["minus"]:
            yield _Qualifier(key, term["quoted"] if term["bare"] is None else term["bare"])
        negated = term["word"] == "NOT"
        position = _SPACES.match(text, term.end()).end()  # type: ignore[union-attr]


def _repository(qualifier: _Qualifier) -> str | None:
    value = qualifier.value
    if qualifier.key == "repo" and _REPOSITORY.fullmatch(value):
        return value.lower()
    if qualifier.key in _OWNER_KEYS and OWNER.fullmatch(value):
        return f"{value.lower()}/*"
    return None
