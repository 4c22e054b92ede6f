"""What a script compares answers with, out of its text, so that made-up answers can meet it. Pure.

A guess: nothing depends on it but how far a run gets.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_COMPARED: Final = re.compile(
    r"\.([A-Za-z_]{1,40})\??\s{0,9}(?://\s{0,9}\"[^\"\n]{0,40}\"\s{0,9})?\)?\s{0,9}==\s{0,9}\"([^\"\\$\n]{1,80})\""
)
_CONTAINED: Final = re.compile(r"(?:contains|startswith|endswith|test|index)\(\s{0,9}\"\^?([^\"\\$|()\[\]*+?\n]{2,80})")
_LABELS: Final = re.compile(
    r"\"labels?\"\s{0,9}:\s{0,9}(?:\[((?:\s{0,9}\"[^\"\\\n]{1,50}\"\s{0,9},?){1,12})\]|\"([^\"\\\n]{1,50})\")"
)
"""Labels in JSON, such as the examples of a definition."""
_QUOTED: Final = re.compile(r"\"([^\"]+)\"")
_NAMED: Final = re.compile(
    r"^[ \t]*(?:(?:readonly|local|declare|export)(?:[ \t]+-\w+)*[ \t]+)?([A-Za-z_]+)=[\"']([^\"'$`\\\n]{1,80})[\"']",
    re.MULTILINE,
)
_FIELDS_OF_NAMES: Final = {
    "label": "label",
    "login": "login",
    "author": "login",
    "actor": "login",
    "bot": "login",
    "prefix": "text",
    "title": "text",
    "marker": "text",
    "branch": "ref",
    "path": "path",
    "file": "path",
    "check": "check",
}
_MOST: Final = 12


class Hints(NamedTuple):
    """Words by what they are compared with: field names as in answers, ``label``, ``text``, ``path``, ``check``."""

    words: Mapping[str, tuple[str, ...]]

    def of(self, *fields: str) -> tuple[str, ...]:
        """Return the words for these fields."""
        return tuple(word for field in fields for word in self.words.get(field, ()))


def hints_of(text: str) -> Hints:
    """Return the hints in a script's text."""
    found: dict[str, list[str]] = {}

    def add(field: str, word: str) -> None:
        words = found.setdefault(field, [])
        if word not in words and len(words) < _MOST:
            words.append(word)

    for field, word in _COMPARED.findall(text):
        add(field, word)
    for word in _CONTAINED.findall(text):
        add("text", word)
    for several, one in _LABELS.findall(text):
        for word in _QUOTED.findall(several) or [one]:
            add("label", word)
    for name, word in _NAMED.findall(text):
        for part, field in _FIELDS_OF_NAMES.items():
            if part in name.lower():
                add(field, word)
    return Hints({field: tuple(words) for field, words in found.items()})
