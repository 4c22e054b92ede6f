"""What a script holds of a whole list of GitHub's: variables, positional parameters and functions that print one. Pure.

Followed are ``gh api`` with ``--paginate`` or of an endpoint that is a list, without ``--jq``; ``jq`` programs that
join pages and drop nothing; ``x=$(...)``, ``"$x"``, ``printf``, ``echo``, ``cat``, here-strings; and what is handed to
functions. Anything else, such as a filter or a count, ends the trace: it may be small. So does a variable that is also
assigned something else in its function.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from opvalue.bash.tree import (
    AndOr,
    Assignment,
    Body,
    Case,
    Command,
    Declaration,
    Group,
    If,
    Loop,
    Parameter,
    Pipeline,
    Redirected,
    Simple,
    Substitution,
    Word,
)
from verifier.gh_calls import FEW, LISTS, GhApi, gh_api_calls
from verifier.jq_programs import jq_call
from verifier.syntax import Call, Syntax

_WHOLE: Final = frozenset({"", ":-", "-", ":?", "?", ":=", "="})
_KEEPS: Final = re.compile(
    r"\s*(?:if\s.*\sthen\s+)?(?:\.|\.\[\]|(?:add|flatten)(?:\s*//\s*(?:\[\]|null|empty))?)(?:\s+else\s.*\send)?\s*",
    re.DOTALL,
)
_PRINTS: Final = frozenset({"echo", "printf"})
_ROUNDS: Final = 8


class Name(NamedTuple):
    """A variable as one function knows it, ``None`` standing for the script outside of functions."""

    function: str | None
    variable: str


class Large:
    """The names and functions of a script that hold whole lists."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._lists = {id(api.call.site.command) for api in gh_api_calls(syntax) if is_list(api)}
        self._calls = {id(call.site.command): call for call in syntax.calls}
        self._shifts = {call.site.function for call in syntax.named("shift")}
        self.names: frozenset[Name] = frozenset()
        self.functions: frozenset[str] = frozenset()
        for _ in range(_ROUNDS):
            before = self.names, self.functions
            self.functions = frozenset(self._printing())
            self.names = frozenset((*self._assigned(), *self._handed()))
            if before == (self.names, self.functions):
                break

    def word(self, word: Word, function: str | None) -> bool:
        """Tell whether a word of a command in ``function`` holds a whole list."""
        return any(
            (isinstance(part, Parameter) and part.operator in _WHOLE and self._knows(part.name, function))
            or (isinstance(part, Substitution) and self._prints(part.body, function))
            for part in word.parts
        )

    def _knows(self, variable: str, function: str | None) -> bool:
        if variable.isdigit():
            return Name(function, variable) in self.names
        inner = {Name(function, variable), Name(None, variable)}
        return bool(inner & self.names)

    def _printing(self) -> Iterator[str]:
        for name, site in self._syntax.functions.items():
            body = getattr(site.command, "body", None)
            if body is not None and self._command(body, name):
                yield name

    def _assigned(self) -> Iterator[Name]:
        """Yield the variables that are assigned whole lists and, within one function, nothing else but texts."""
        given: dict[Name, list[Assignment]] = {}
        for site in self._syntax.sites:
            command = site.command
            if isinstance(command, Declaration) or (isinstance(command, Simple) and not command.words):
                for one in command.assignments:
                    given.setdefault(Name(site.function, one.name), []).append(one)
        for name, every in given.items():
            values = [one.value for one in every if one.value is None or one.value.literal is None]
            if any(self._holds(name, value) for value in values):
                known = self.names
                self.names = known | {name}  # for what it is made of itself: x="$(jq -s add <<<"$x")"
                whole = all(self._holds(name, value) for value in values)
                self.names = known
                if whole:
                    yield name

    def _holds(self, name: Name, value: Word | None) -> bool:
        return value is not None and self.word(value, name.function)

    def _handed(self) -> Iterator[Name]:
        """Yield the positional parameters of functions that are called with whole lists."""
        for call in self._syntax.calls:
            if self._syntax.is_function(call) and call.name not in self._shifts:
                for number, word in enumerate(call.arguments, 1):
                    if self.word(word, call.site.function):
                        yield Name(call.name, str(number))

    def _prints(self, body: Body, function: str | None) -> bool:
        return any(self._command(command, function) for command in body)

    def _command(self, command: Command, function: str | None) -> bool:
        """Tell whether a command prints a whole list."""
        if isinstance(command, Simple):
            return self._simple(command, function, None)
        if isinstance(command, Redirected):
            return self._redirected(command, function)
        if isinstance(command, Pipeline):
            first, *rest = command.commands
            return self._command(first, function) and all(self._passes(stage) for stage in rest)
        return any(self._command(inner, function) for inner in _inside(command))

    def _redirected(self, command: Redirected, function: str | None) -> bool:
        if any(one.operator.startswith((">", "&>")) and one.descriptor in {"", "1"} for one in command.redirects):
            return False
        fed = next((one.target for one in command.redirects if one.operator == "<<<"), None)
        if isinstance(command.command, Simple):
            return self._simple(command.command, function, fed)
        return self._command(command.command, function)

    def _simple(self, command: Simple, function: str | None, fed: Word | None) -> bool:
        call = self._calls.get(id(command))
        if id(command) in self._lists:
            return True
        if call is None or self._syntax.is_function(call):
            return call is not None and call.name in self.functions
        if call.name in _PRINTS:
            return any(self.word(word, function) for word in call.arguments)
        return fed is not None and self._passes(command) and self.word(fed, function)

    def _passes(self, command: Command) -> bool:
        """Tell whether a command prints all that it reads."""
        call = self._calls.get(id(command))
        if call is None or self._syntax.is_function(call):
            return False
        return (call.name == "cat" and not call.arguments) or (call.name == "jq" and _keeps(call, self._syntax.text_of))


def is_list(api: GhApi) -> bool:
    """Tell whether a call prints a whole list, or a first page that may be as large: nothing is taken out of it."""
    if not api.reads or any(True for _ in api.jq()):
        return False
    if "--paginate" in api.switches:
        return True
    few = api.per_page is not None and api.per_page < FEW
    return bool(api.path) and api.path[-1] in LISTS and "contents" not in api.path and not few


def _keeps(call: Call, text_of: Callable[[Word], str | None]) -> bool:
    program = jq_call(call.arguments).program
    text = None if program is None else text_of(program)
    return text is not None and _KEEPS.fullmatch(text) is not None


def _inside(command: Command) -> Body:
    if isinstance(command, AndOr):
        return (command.first, *(link.command for link in command.rest))
    if isinstance(command, Group | Loop):
        return command.body
    if isinstance(command, If):
        return (*(inner for branch in command.branches for inner in branch.body), *command.otherwise)
    if isinstance(command, Case):
        return tuple(inner for item in command.items for inner in item.body)
    return ()
