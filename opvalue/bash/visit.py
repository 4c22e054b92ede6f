"""Every command of a tree, those inside words included. Written as a row, not as a recursion."""

from collections.abc import Iterator

from opvalue.bash.tree import (
    AndOr,
    Arithmetic,
    Assignment,
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
    Pipeline,
    Redirected,
    Simple,
    Test,
    Word,
    part_bodies,
)


def commands_in(body: Body) -> Iterator[Command]:
    """Yield every command, outer ones first, in no particular order otherwise."""
    pending = list(body)
    while pending:
        command = pending.pop()
        yield command
        for inside in _bodies(command):
            pending.extend(inside)
        for word in words_of(command):
            for part in word.parts:
                for inside in part_bodies(part):
                    pending.extend(inside)


def words_of(command: Command) -> tuple[Word, ...]:
    """Return the words that belong to a command itself, values of assignments and targets included."""
    if isinstance(command, Simple | Declaration):
        return (*command.words, *_assigned(command.assignments))
    if isinstance(command, Test):
        return command.words
    if isinstance(command, Redirected):
        return tuple(one.target for one in command.redirects)
    if isinstance(command, Loop):
        return command.words
    if isinstance(command, Case):
        return (command.word, *(pattern for item in command.items for pattern in item.patterns))
    return ()


def _assigned(assignments: tuple[Assignment, ...]) -> Iterator[Word]:
    for one in assignments:
        yield from one.elements
        if one.value is not None:
            yield one.value


def _bodies(command: Command) -> Iterator[Body]:
    if isinstance(command, If):
        for branch in command.branches:
            yield branch.condition
            yield branch.body
        yield command.otherwise
    elif isinstance(command, Loop):
        yield command.condition
        yield command.body
    elif isinstance(command, Case):
        for item in command.items:
            yield item.body
    else:
        yield _body(command)


def _body(command: Command) -> Body:
    if isinstance(command, Redirected | Not | Background):
        return (command.command,)
    if isinstance(command, Function):
        return (command.body,)
    if isinstance(command, AndOr):
        return (command.first, *(link.command for link in command.rest))
    if isinstance(command, Pipeline):
        return command.commands
    if isinstance(command, Arithmetic):
        return command.nested
    return command.body if isinstance(command, Group) else ()
