"""One small tree for a Bash script, whichever parser read it.

A command holds words, a word holds parts, a part may hold commands again. Offsets are bytes of the source the tree was
read from. What the tree does not keep: comments, the spelling of quotes, file descriptors, how a loop counts. What it
cannot say in its own terms is an ``Opaque`` part, which still lists the commands inside.

Classes and not tuples: a type checker compares tuples by structure, and for a recursive one that does not end. And not
dataclasses, whose import and set-up cost more than reading a usual script.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias, dataclass_transform


class Stumbled(Exception):
    """A parser's tree that cannot be trusted or has no place in ours. Never leaves this room."""


@dataclass_transform()
class Node:
    """Base of the tree's classes: the annotated fields, given in their order."""

    fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(cls.__annotations__)

    def __init__(self, *values: object, **named: object) -> None:
        self.__dict__.update(zip(self.fields, values, strict=False))
        self.__dict__.update(named)


class Text(Node):
    """Literal text with its escapes taken away. Unquoted text may still hold pattern characters or a tilde."""

    value: str
    quoted: bool


class Parameter(Node):
    """``$name`` or ``${name[subscript]operator argument}``, for the operators in ``OPERATORS``; empty for none."""

    name: str
    subscript: str | None
    operator: str
    argument: "Word | None"
    quoted: bool


class Substitution(Node):
    """``$(...)`` or its backquoted form."""

    body: "Body"
    quoted: bool


class Opaque(Node):
    """Any other expansion: arithmetic, slices, replacements, indirection, process substitution."""

    text: str
    nested: "Body"
    arithmetic: bool


Part: TypeAlias = Text | Parameter | Substitution | Opaque

_ASCII = 128

OPERATORS = (":-", ":=", ":?", ":+", "##", "%%", "-", "=", "?", "+", "#", "%")
"""The expansion operators the tree keeps apart, longer spellings first."""


class Word(Node):
    """One word as the shell sees it before expansion."""

    parts: tuple[Part, ...]
    start: int
    end: int

    @property
    def literal(self) -> str | None:
        """The word's text when nothing in it is expanded, else ``None``. Pattern characters count as text."""
        pieces = []
        for part in self.parts:
            if not isinstance(part, Text):
                return None
            pieces.append(part.value)
        return "".join(pieces)


class Assignment(Node):
    """``name=value``, ``name+=value``, ``name[..]=value``, or ``name=(...)``, which has no value.

    ``elements`` are the words of a list, or what a subscript expands.
    """

    name: str
    subscript: bool
    append: bool
    value: Word | None
    elements: tuple[Word, ...]


class Redirect(Node):
    """A redirection and its target. ``<<`` and ``<<-`` have the here-document's text as their target."""

    operator: str
    descriptor: str
    target: Word


class Simple(Node):
    """Assignments, then a command and its arguments. ``[ ... ]`` and ``unset`` are simple commands too."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    start: int
    end: int


class Declaration(Node):
    """``declare``, ``local``, ``export``, ``readonly`` or ``typeset``: assignments, and the words that are none."""

    keyword: str
    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...]


class Test(Node):
    """``[[ ... ]]`` as the row of its words, operators and parentheses included."""

    words: tuple[Word, ...]


class Arithmetic(Node):
    """``(( ... ))`` or ``let``."""

    text: str
    nested: "Body"


class Redirected(Node):
    """A command with redirections."""

    command: "Command"
    redirects: tuple[Redirect, ...]


class Link(Node):
    """One further command of a list, after ``&&`` or ``||``."""

    operator: str
    command: "Command"


class AndOr(Node):
    """``first && second || third``, left to right."""

    first: "Command"
    rest: tuple[Link, ...]


class Pipeline(Node):
    """Commands joined by ``|`` or ``|&``, each in a process of its own."""

    commands: "Body"


class Not(Node):
    """``! command``."""

    command: "Command"


class Background(Node):
    """``command &`` or a coprocess."""

    command: "Command"


class Group(Node):
    """``{ ...; }``, or ``( ... )`` when ``subshell``."""

    body: "Body"
    subshell: bool


class Branch(Node):
    """A condition and what runs when it holds."""

    condition: "Body"
    body: "Body"


class If(Node):
    """``if``, ``elif``, ``else``."""

    branches: tuple[Branch, ...]
    otherwise: "Body"


class Loop(Node):
    """``for``, ``select``, ``while`` and ``until``. ``variable`` and ``words`` belong to the first two."""

    variable: str | None
    words: tuple[Word, ...]
    condition: "Body"
    body: "Body"
    until: bool = False


class CaseItem(Node):
    """Patterns and what runs when one of them matches."""

    patterns: tuple[Word, ...]
    body: "Body"


class Case(Node):
    """``case word in ...``."""

    word: Word
    items: tuple[CaseItem, ...]


class Function(Node):
    """A function's definition."""

    name: str
    body: "Command"


Command: TypeAlias = (
    Simple
    | Declaration
    | Test
    | Arithmetic
    | Redirected
    | AndOr
    | Pipeline
    | Not
    | Background
    | Group
    | If
    | Loop
    | Case
    | Function
)
Body: TypeAlias = tuple[Command, ...]


def part_bodies(part: Part) -> Iterator[Body]:
    """Yield the commands inside one part, those of an operator's argument included."""
    if isinstance(part, Substitution):
        yield part.body
    elif isinstance(part, Opaque):
        yield part.nested
    elif isinstance(part, Parameter) and part.argument is not None:
        for inner in part.argument.parts:
            yield from part_bodies(inner)


def merged(parts: list[Part]) -> tuple[Part, ...]:
    """Return the parts with neighbouring texts of one kind joined and empty unquoted ones left out."""
    result: list[Part] = []
    for part in parts:
        if isinstance(part, Text) and not part.value and not part.quoted:
            continue
        last = result[-1] if result else None
        if isinstance(part, Text) and isinstance(last, Text) and part.quoted == last.quoted:
            result[-1] = Text(last.value + part.value, part.quoted)
        else:
            result.append(part)
    return tuple(result)


def unescaped(raw: str) -> str:
    """Return unquoted text without its backslashes and continued lines."""
    return _without(raw, None) if "\\" in raw else raw


def unescaped_in_quotes(raw: str) -> str:
    """Return text between double quotes without the backslashes that are special there."""
    return _without(raw, '$`"\\\n') if "\\" in raw else raw


def _without(raw: str, special: str | None) -> str:
    result = []
    position = 0
    while position < len(raw):
        character = raw[position]
        following = raw[position + 1 : position + 2]
        if character == "\\" and following and (special is None or following in special):
            result.append("" if following == "\n" else following)
            position += 2
        else:
            result.append(character)
            position += 1
    return "".join(result)


_ANSI = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}
_ANSI_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|(c.)|(.)|$)", re.DOTALL)


def ansi_text(raw: str) -> str | None:
    """Return the text of ``$'raw'``, or ``None`` when it holds what is not plain ASCII, or a control escape."""
    pieces: list[str] = []
    end = 0
    for found in _ANSI_ESCAPE.finditer(raw):
        octal, short, wide, control, letter = found.groups()
        number = int(octal, 8) if octal else int(short or wide, 16) if short or wide else None
        if control or letter == "U" or (number is not None and not 0 < number < _ASCII):
            return None
        pieces.append(raw[end : found.start()])
        pieces.append(chr(number) if number is not None else _ansi_letter(letter))
        end = found.end()
    return "".join(pieces) + raw[end:]


def _ansi_letter(letter: str | None) -> str:
    if letter is None or letter in "\\'\"?":
        return letter or "\\"
    return _ANSI.get(letter, "\\" + letter)


def redirected(command: Command, redirects: tuple[Redirect, ...]) -> Command:
    """Return ``command`` with redirections, which belong to the last simple command of a list or pipeline."""
    if isinstance(command, AndOr):
        *links, last = command.rest
        return AndOr(command.first, (*links, Link(last.operator, redirected(last.command, redirects))))
    if isinstance(command, Pipeline):
        *others, end = command.commands
        return Pipeline((*others, redirected(end, redirects)))
    if isinstance(command, Not):
        return Not(redirected(command.command, redirects))
    if isinstance(command, Redirected):
        return Redirected(command.command, command.redirects + redirects)
    return Redirected(command, redirects)
