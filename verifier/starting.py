"""Commands that start another one: which of their words are its. Pure."""

from collections.abc import Iterator, Mapping
from typing import Final

from opvalue.bash.tree import Word
from verifier.words import template

_STARTERS: Final[Mapping[str, tuple[str, int]]] = {
    "builtin": ("", 0),
    "command": ("p", 0),
    "doas": ("", 0),
    "env": ("i0", 0),
    "exec": ("cl", 0),
    "nice": ("", 0),
    "nohup": ("", 0),
    "setsid": ("", 0),
    "stdbuf": ("", 0),
    "sudo": ("AbEHiKklnPSsVv", 0),
    "time": ("p", 0),
    "timeout": ("", 1),
    "xargs": ("0rtxp", 0),
}
"""What starts another command: its options that take no value, and how many operands come before the command."""
_LOOKS_UP: Final = frozenset({"-v", "-V"})
_FOR_EACH: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
"""What ``find`` runs a command after, up to ``;`` or ``+``."""


def started(name: str, words: tuple[Word, ...]) -> tuple[Word, ...] | None:
    """Return the command another one starts, with its arguments, or ``None`` when it starts none."""
    if name not in _STARTERS or any(word.literal in _LOOKS_UP for word in words[:1] if name == "command"):
        return None
    flags, operands = _STARTERS[name]
    while words:
        text = words[0].literal or template(words[0])
        if text.startswith("-") and text != "-":
            takes_value = len(text) == 2 and text[1] not in flags and name != "time"
            words = words[2:] if takes_value and text != "--" else words[1:]
        elif name == "env" and "=" in text:
            words = words[1:]
        elif operands:
            operands, words = operands - 1, words[1:]
        else:
            return words
    return None


def for_each(words: tuple[Word, ...]) -> Iterator[tuple[Word, ...]]:
    """Yield the commands that ``find`` runs."""
    rest = list(words)
    while rest:
        if rest.pop(0).literal in _FOR_EACH:
            ends = (place for place, word in enumerate(rest) if word.literal in {";", "+"})
            end = next(ends, len(rest))
            if end:
                yield tuple(rest[:end])
            rest = rest[end:]
