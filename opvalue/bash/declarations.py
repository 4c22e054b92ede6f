"""How commands set variables: assignments, declarations, builtins that write to a name, arithmetic."""

import re
from typing import Final

from opvalue.bash.expand import value_of
from opvalue.bash.state import State
from opvalue.bash.tree import Assignment, Declaration, Text, Word
from opvalue.bash.values import LONGEST, Unknown, Value

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_STARTS_ASSIGNMENT: Final = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)(?:\[[^\]]*\])?\+?=")
_WRITTEN: Final = re.compile(
    r"(?:\+\+|--)\s*([A-Za-z_][A-Za-z_0-9]*)"
    r"|(?<![A-Za-z_0-9])([A-Za-z_][A-Za-z_0-9]*)(?:\[[^\]]*\])?\s*(?:\+\+|--|(?:[-+*/%&^|]|<<|>>)?=(?!=))"
)
"""A name that an arithmetic expression assigns, or counts up or down."""
_CHANGED_ON_ASSIGNMENT: Final = frozenset("aAilun")


def assign(one: Assignment, state: State) -> None:
    """Follow one assignment."""
    if one.subscript or one.value is None:
        state.assign(one.name, Unknown(f"{one.name} is an array"))
        return
    value = value_of(one.value, state, assigned=True)
    if one.append:
        value = _appended(state.lookup(one.name), value)
    state.assign(one.name, value)


def _appended(old: Value | None, more: Value) -> Value:
    if isinstance(old, Unknown):
        return old
    start = old or ""
    if isinstance(more, Unknown):
        return Unknown(more.why, start + more.prefix)
    return start + more if len(start) + len(more) <= LONGEST else Unknown("the value is too long")


def declare(command: Declaration, state: State) -> None:
    """Follow ``local``, ``declare``, ``typeset``, ``readonly`` or ``export``."""
    flags, names = _flags_and_names(command, state)
    is_local = command.keyword == "local" or (command.keyword in {"declare", "typeset"} and "g" not in flags)
    exported = command.keyword == "export" or "x" in flags
    if "f" in flags or "F" in flags:
        if exported:
            state.exported_functions |= {*names}
        return
    if exported:
        state.exported |= {*names, *(one.name for one in command.assignments)}
    if is_local:
        _make_local(names, command.assignments, state)
    for one in command.assignments:
        assign(one, state)
        if flags & _CHANGED_ON_ASSIGNMENT:
            state.assign(one.name, Unknown(f"{one.name} is declared with an attribute"))
    if "n" in flags and not exported:
        state.blur("a name reference may have set it")


def _make_local(names: list[str], assignments: tuple[Assignment, ...], state: State) -> None:
    for one in assignments:
        state.make_local(one.name)
    for name in names:
        state.make_local(name)
        if state.locals is not None:
            state.unset(name)


def _flags_and_names(command: Declaration, state: State) -> tuple[set[str], list[str]]:
    flags: set[str] = set()
    names: list[str] = []
    for word in command.words:
        literal = word.literal
        if literal is not None and literal.startswith("-"):
            flags |= set(literal[1:])
        elif literal is not None and _NAME.fullmatch(literal):
            names.append(literal)
        elif literal is None or not literal.startswith("+"):
            set_by_word(word, state)
    return flags, names


def set_by_word(word: Word, state: State) -> None:
    """Forget what a word names as a variable: ``name``, ``name=...``; all of them when it cannot be told."""
    first = word.parts[0] if word.parts else None
    text = first.value if isinstance(first, Text) else ""
    literal = word.literal
    found = _STARTS_ASSIGNMENT.match(text)
    if literal is not None and found is None:
        found = _NAME.match(literal)
        if found is None:
            return
        state.assign(found[0], Unknown(f"{found[0]} is set by a command"))
    elif found is not None:
        state.assign(found[1], Unknown(f"{found[1]} is set by a command"))
    else:
        state.blur("a command sets a variable whose name is not known")


def set_by_arithmetic(text: str, state: State) -> None:
    """Forget the variables an arithmetic expression may assign."""
    for found in _WRITTEN.finditer(text):
        name = found[1] or found[2]
        if name in state.variables:
            state.assign(name, Unknown(f"{name} is computed"))
