"""Every command of a tree with the steps that lead to it: which part of which outer command it is. Pure."""

import enum
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from opvalue.bash.tree import (
    AndOr,
    Arithmetic,
    Background,
    Body,
    Case,
    Command,
    Declaration,
    Function,
    Group,
    If,
    Loop,
    Not,
    Opaque,
    Parameter,
    Part,
    Pipeline,
    Redirected,
    Simple,
    Substitution,
    Test,
    Word,
)
from opvalue.bash.visit import words_of


class Role(enum.Enum):
    """Which part of the outer command it is."""

    LIST = "one of several commands in a row"
    CONDITION = "a condition of if, while or until"
    LEFT = "left of && or ||"
    STAGE = "a stage of a pipeline that is not the last"
    NEGATED = "after !"
    BACKGROUND = "before &"
    SAME = "its status is the outer command's"
    ARGUMENT = "a command substitution whose status is lost: in an argument, a test, a here-string"
    DECLARED = "a command substitution whose status is hidden by local, declare, export or readonly"
    ASSIGNED = "a command substitution whose status is the assignment's"
    PROCESS = "a process substitution"


class Step(NamedTuple):
    """One step inwards."""

    node: Command | None
    """The outer command; ``None`` for the file."""
    role: Role
    after: Body = ()
    """For LIST, what follows in the row; for LEFT and for CONDITION of an ``if``, what runs next where it fails."""
    caught: bool = False
    """For LEFT: whether ``||`` follows."""
    substituted: bool = False
    """For LIST: whether the row is that of a command substitution."""


Found: TypeAlias = tuple[Command, tuple[Step, ...]]


def walk(body: Body) -> Iterator[Found]:
    """Yield every command with its steps, in the order of the text where the tree keeps it."""
    yield from _row(body, None, ())


def _row(body: Body, node: Command | None, steps: tuple[Step, ...], role: Role = Role.LIST) -> Iterator[Found]:
    for place, command in enumerate(body):
        last = place == len(body) - 1
        inner = Role.SAME if last and role is Role.LIST else role
        if role is Role.CONDITION and not last:
            inner = Role.LIST
        yield from _one(command, (*steps, Step(node, inner, body[place + 1 :])))


def _one(command: Command, steps: tuple[Step, ...]) -> Iterator[Found]:
    yield command, steps
    if isinstance(command, AndOr):
        yield from _and_or(command, steps)
    elif isinstance(command, Pipeline):
        for stage in command.commands[:-1]:
            yield from _one(stage, (*steps, Step(command, Role.STAGE)))
        yield from _one(command.commands[-1], (*steps, Step(command, Role.SAME)))
    elif isinstance(command, If):
        yield from _if(command, steps)
    elif isinstance(command, Loop):
        yield from _words(command, steps)
        yield from _row(command.condition, command, steps, Role.CONDITION)
        yield from _row(command.body, command, steps)
    elif isinstance(command, Case):
        yield from _words(command, steps)
        for item in command.items:
            yield from _row(item.body, command, steps)
    else:
        yield from _single(command, steps)


def _single(command: Command, steps: tuple[Step, ...]) -> Iterator[Found]:
    if isinstance(command, Not | Background | Redirected):
        roles = {Not: Role.NEGATED, Background: Role.BACKGROUND}
        yield from _one(command.command, (*steps, Step(command, roles.get(type(command), Role.SAME))))
    elif isinstance(command, Function):
        yield from _one(command.body, (*steps, Step(command, Role.SAME)))
    elif isinstance(command, Group):
        yield from _row(command.body, command, steps)
    elif isinstance(command, Arithmetic):
        yield from _row(command.nested, command, steps, Role.ARGUMENT)
    yield from _words(command, steps)


def _and_or(command: AndOr, steps: tuple[Step, ...]) -> Iterator[Found]:
    every = (command.first, *(link.command for link in command.rest))
    for place, one in enumerate(every):
        if place == len(command.rest):
            yield from _one(one, (*steps, Step(command, Role.SAME)))
            return
        ahead = next((at for at in range(place, len(command.rest)) if command.rest[at].operator == "||"), None)
        after = () if ahead is None else tuple(link.command for link in command.rest[ahead:])
        yield from _one(one, (*steps, Step(command, Role.LEFT, after, ahead is not None)))


def _if(command: If, steps: tuple[Step, ...]) -> Iterator[Found]:
    for number, branch in enumerate(command.branches):
        failing = _where_it_fails(command, number)
        for place, one in enumerate(branch.condition):
            last = place == len(branch.condition) - 1
            step = (
                Step(command, Role.CONDITION, failing)
                if last
                else Step(command, Role.LIST, branch.condition[place + 1 :])
            )
            yield from _one(one, (*steps, step))
        yield from _row(branch.body, command, steps)
    yield from _row(command.otherwise, command, steps)


def _where_it_fails(command: If, number: int) -> Body:
    branch = command.branches[number]
    if branch.condition and isinstance(branch.condition[-1], Not):
        return branch.body
    return command.otherwise if number == len(command.branches) - 1 else ()


def _words(command: Command, steps: tuple[Step, ...]) -> Iterator[Found]:
    if isinstance(command, Declaration):
        role = Role.DECLARED
    elif isinstance(command, Simple) and not command.words:
        role = Role.ASSIGNED
    else:
        role = Role.ARGUMENT
    if isinstance(command, Simple | Declaration | Test | Redirected | Loop | Case):
        for word in words_of(command):
            yield from _word(word, command, steps, role)


def _word(word: Word, command: Command, steps: tuple[Step, ...], role: Role) -> Iterator[Found]:
    for part in word.parts:
        yield from _part(part, command, steps, role)


def _part(part: Part, command: Command, steps: tuple[Step, ...], role: Role) -> Iterator[Found]:
    if isinstance(part, Substitution):
        yield from _substituted(part.body, command, steps, role)
    elif isinstance(part, Opaque):
        inner = Role.PROCESS if part.text.startswith(("<(", ">(")) else role
        yield from _substituted(part.nested, command, steps, inner)
    elif isinstance(part, Parameter) and part.argument is not None:
        yield from _word(part.argument, command, steps, role)


def _substituted(body: Body, command: Command, steps: tuple[Step, ...], role: Role) -> Iterator[Found]:
    for place, one in enumerate(body):
        last = place == len(body) - 1
        inside = Step(None, Role.SAME if last else Role.LIST, body[place + 1 :], substituted=True)
        yield from _one(one, (*steps, Step(command, role), inside))
