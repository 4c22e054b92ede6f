r"""Read a regular expression: JavaScript's syntax without the ``u`` flag, as far as finite automata go.

Read: alternatives, groups of every name, classes, ``. ^ $ \b \B``, the quantifiers and their lazy forms, the usual
escapes. Refused: look-around, references back, escapes of letters that mean nothing, Unicode properties. Lazy and
greedy are one, since only whether something matches is asked.
"""

import re
from typing import Final, NamedTuple, TypeAlias

from opvalue.graders.trajectory.pattern.characters import CLASSES, DOT, Ranges, complement
from opvalue.limits import Limits

_LONGEST: Final = Limits().trajectory_text_characters
_DEEPEST: Final = 50
_MOST_REPEATS: Final = 1_000
_QUANTIFIER: Final = re.compile(r"([*+?]|\{(?P<low>[0-9]+)(?P<open>,(?P<high>[0-9]+)?)?\})\??")
_GROUP: Final = re.compile(r"\((?:\?:|\?<[A-Za-z_$][\w$]*>|(?!\?))", re.ASCII)
_CODES: Final = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|c([A-Za-z])")
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}


class PatternRefused(Exception):
    """The text is no expression that can be searched in linear time; the words say why. Never leaves the graders."""


class Characters(NamedTuple):
    """One character out of ``ranges``, or out of all others."""

    ranges: Ranges
    negated: bool = False


class Sequence(NamedTuple):
    """All parts, one after another; nothing where there are none."""

    parts: tuple["Node", ...]


class Alternatives(NamedTuple):
    """Any one of the options."""

    options: tuple["Node", ...]


class Repeated(NamedTuple):
    """``part`` at least ``low`` and at most ``high`` times; ``None`` is without end."""

    part: "Node"
    low: int
    high: int | None


class Place(NamedTuple):
    """A place in the text: ``^``, ``$``, ``b`` (the edge of a word) or ``B`` (no edge of a word)."""

    kind: str


Node: TypeAlias = Characters | Sequence | Alternatives | Repeated | Place

_DOT: Final = Characters(DOT, negated=True)


def parse(pattern: str) -> Node:
    """Return the tree of ``pattern``. Raises ``PatternRefused``."""
    if len(pattern) > _LONGEST:
        raise PatternRefused(f"the pattern is longer than {_LONGEST:,} characters")
    reader = _Reader(pattern)
    tree = reader.alternatives(0)
    if reader.rest:
        raise PatternRefused("a parenthesis closes nothing")
    return tree


class _Reader:
    """A recursive descent over one expression."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    @property
    def rest(self) -> bool:
        """Whether anything is left to read."""
        return self._at < len(self._text)

    def alternatives(self, depth: int) -> Node:
        """Read up to the end of the group or of the text."""
        if depth > _DEEPEST:
            raise PatternRefused(f"groups nest deeper than {_DEEPEST}")
        options = [self._sequence(depth)]
        while self._take("|"):
            options.append(self._sequence(depth))
        return options[0] if len(options) == 1 else Alternatives(tuple(options))

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.rest and self._text[self._at] not in "|)":
            parts.append(self._quantified(self._atom(depth)))
        return Sequence(tuple(parts))

    def _quantified(self, part: Node) -> Node:
        found = _QUANTIFIER.match(self._text, self._at)
        if found is None:
            return part
        if isinstance(part, Place):
            raise PatternRefused("a quantifier follows no character")
        self._at = found.end()
        if found["low"] is None:
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[found[1]]
            return Repeated(part, low, high)
        low = int(found["low"])
        high = int(found["high"]) if found["high"] else None if found["open"] else low
        if high is not None and high < low:
            raise PatternRefused("a quantifier's bounds are out of order")
        if max(low, high or 0) > _MOST_REPEATS:
            raise PatternRefused(f"a quantifier asks for more than {_MOST_REPEATS:,} repeats")
        return Repeated(part, low, high)

    def _atom(self, depth: int) -> Node:
        character = self._text[self._at]
        if character == "(":
            return self._group(depth)
        if character == "[":
            return self._class()
        if _QUANTIFIER.match(self._text, self._at):
            raise PatternRefused("a quantifier follows nothing")
        self._at += 1
        if character in "^$":
            return Place(character)
        if character == ".":
            return _DOT
        if character != "\\":
            return _one(character)
        if self._take("b"):
            return Place("b")
        if self._take("B"):
            return Place("B")
        return Characters(self._escape())

    def _group(self, depth: int) -> Node:
        found = _GROUP.match(self._text, self._at)
        if found is None:
            raise PatternRefused("look-around and flags inside a pattern are not searched for")
        self._at = found.end()
        inside = self.alternatives(depth + 1)
        if not self._take(")"):
            raise PatternRefused("a group is not closed")
        return inside

    def _class(self) -> Node:
        self._at += 1
        negated = self._take("^")
        ranges: list[tuple[int, int]] = []
        while not self._take("]"):
            first = self._member()
            # A hyphen between two single characters spans; next to a class or an end it is itself.
            if self._text[self._at : self._at + 1] != "-" or self._text[self._at + 1 : self._at + 2] in {"]", ""}:
                ranges += first
                continue
            self._at += 1
            ranges += _span(first, self._member())
        return Characters(tuple(ranges), negated)

    def _member(self) -> Ranges:
        if not self.rest:
            raise PatternRefused("a class is not closed")
        character = self._text[self._at]
        self._at += 1
        if character != "\\":
            return _one(character).ranges
        return _one("\b").ranges if self._take("b") else self._escape()

    def _escape(self) -> Ranges:
        """Read what follows a backslash and stands for characters."""
        found = _CODES.match(self._text, self._at)
        if found is not None:
            self._at = found.end()
            code = int(found[1] or found[2], 16) if found[3] is None else ord(found[3]) % 32
            return ((code, code),)
        letter = self._text[self._at : self._at + 1]
        self._at += 1
        if letter.lower() in CLASSES:
            return CLASSES[letter] if letter.islower() else complement(CLASSES[letter.lower()])
        if letter == "0" and self._text[self._at : self._at + 1].isdigit():
            raise PatternRefused("octal escapes are not read")
        if letter in _CONTROLS:
            return _one(_CONTROLS[letter]).ranges
        if not letter or (letter.isascii() and letter.isalnum()):
            raise PatternRefused(f"the escape \\{letter} is not searched for")
        return _one(letter).ranges

    def _take(self, character: str) -> bool:
        taken = self._text.startswith(character, self._at)
        self._at += taken
        return taken


def _one(character: str) -> Characters:
    return Characters(((ord(character), ord(character)),))


def _span(first: Ranges, last: Ranges) -> Ranges:
    hyphen = _one("-").ranges
    if len(first) != 1 or len(last) != 1 or first[0][0] != first[0][1] or last[0][0] != last[0][1]:
        return (*first, *hyphen, *last)
    if last[0][0] < first[0][0]:
        raise PatternRefused("a range of a class is out of order")
    return ((first[0][0], last[0][0]),)
