"""Whether a script handles ``--definition``, judged by its syntax tree (DESIGN 1).

It does when it compares something that is not a constant with that word: in a ``case`` pattern, ``[``, ``test`` or
``[[``. A mere mention, such as in a comment, a usage text or an argument of another command, is no comparison.
What it does then is not looked at.
"""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

from opvalue.bash.conditions import test_operands
from opvalue.bash.tree import Body, Case, Command, Declaration, Opaque, Parameter, Simple, Test, Text, Word
from opvalue.bash.visit import commands_in

DEFINITION: Final = "--definition"

_COMPARISONS: Final = frozenset({"=", "==", "!="})
_OTHER: Final = "--another-mode"
_SPELLED: Final = re.compile(r"(?<![\w-])--definition(?![\w-])")
_IN_GROUP: Final = re.compile(r"--[@?+*]?\((?:[^()]*\|)?definition(?:\|[^()]*)?\)")
_DASHES: Final = frozenset({"--", "-", "*--", "*-"})
_DASHES_REPLACED: Final = re.compile(r"\$\{\w+//?#?(?:--?|\\-\\-)(?:/|\})")


def handles_definition(bodies: Iterable[Body]) -> bool:
    """Tell whether any of the scripts compares an argument with ``--definition``."""
    commands = [command for body in bodies for command in commands_in(body)]
    names = _Names(commands)
    return any(_handles(command, names) for command in commands)


class _Names:
    """Variables that hold the word itself, and those that hold an argument without its dashes."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self.constant: set[str] = set()
        self.bare: set[str] = set()
        for command in commands:
            if isinstance(command, Simple | Declaration):
                for one in command.assignments:
                    if one.value is not None and one.value.literal == DEFINITION:
                        self.constant.add(one.name)
                    elif one.value is not None and _drops_dashes(one.value):
                        self.bare.add(one.name)


def _handles(command: Command, names: _Names) -> bool:
    return any(_compares(subject, pattern, names) for subject, pattern in _comparisons(command))


def _comparisons(command: Command) -> Iterator[tuple[Word, Word]]:
    if isinstance(command, Case):
        for item in command.items:
            for pattern in item.patterns:
                yield command.word, pattern
        return
    words = command.words if isinstance(command, Test) else ()
    if isinstance(command, Simple):
        words = test_operands(command) or ()
    for left, sign, right in zip(words, words[1:], words[2:], strict=False):
        if sign.literal in _COMPARISONS:
            yield left, right
            yield right, left
        elif sign.literal == "=~":
            yield left, right


def _compares(subject: Word, pattern: Word, names: _Names) -> bool:
    if subject.literal is not None:
        return False
    if _is_name(pattern, names.constant):
        return True
    text = pattern.literal
    if text is None:
        return False
    before, after = _fixed_ends(subject)
    if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
        text = text[len(before) : len(text) - len(after)]
    wanted = "definition" if _is_name(subject, names.bare) or _drops_dashes(subject) else DEFINITION
    if text == wanted:
        return True
    plain = all(part.quoted for part in pattern.parts if isinstance(part, Text))
    return not plain and _matches(text)


def _matches(pattern: str) -> bool:
    """Tell whether a pattern is about the word: it spells it, or matches it and not just any option."""
    if _SPELLED.search(pattern) or _IN_GROUP.search(pattern):
        return True
    if not pattern.startswith("--") or any(sign in pattern for sign in "()\\|"):
        return False
    return fnmatchcase(DEFINITION, pattern) and not fnmatchcase(_OTHER, pattern)


def _fixed_ends(word: Word) -> tuple[str, str]:
    """Return the constant text a word begins and ends with, such as the ``x`` of ``x"$1"``."""
    first, last = word.parts[0], word.parts[-1]
    return first.value if isinstance(first, Text) else "", last.value if isinstance(last, Text) else ""


def _is_name(word: Word, names: set[str]) -> bool:
    parts = [part for part in word.parts if not isinstance(part, Text) or part.value]
    return len(parts) == 1 and isinstance(parts[0], Parameter) and parts[0].name in names


def _drops_dashes(word: Word) -> bool:
    for part in word.parts:
        if isinstance(part, Parameter) and part.operator in {"#", "##"} and part.argument is not None:
            if part.argument.literal in _DASHES:
                return True
        elif isinstance(part, Opaque) and _DASHES_REPLACED.match(part.text):
            return True
    return False
