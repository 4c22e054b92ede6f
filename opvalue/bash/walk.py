"""A script followed from top to bottom without running it, to find every file it sources or runs as its own helper.

The walk keeps what is known of variables, takes every way on that a condition leaves open, and joins what is known
afterwards, also where a function, a sourced file or a loop is left early. Functions are followed where they are called,
and those no call was seen of at the end, as are the texts of traps. A loop is walked until another round would change
nothing that is known.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from opvalue.bash.calls import Call, Calls
from opvalue.bash.conditions import asked_files, truth
from opvalue.bash.declarations import assign, declare, set_by_arithmetic
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.loader import Loader
from opvalue.bash.state import Defined, Origin, State
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
    Opaque,
    Pipeline,
    Redirect,
    Redirected,
    Simple,
    Test,
    Word,
    part_bodies,
)
from opvalue.bash.values import Unknown

_MOST_STEPS: Final = 200_000
"""Commands followed; a script whose calls branch beyond that is refused."""


class Walker:
    """Follows one evaluator and everything it sources."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self.guarded: set[str] = set()
        """Paths whose presence a condition around the current command tests."""
        self.optional = 0
        """Above zero where a failing command is passed over (``|| true``)."""
        self.returned: list[list[State]] = []
        """What is known at each ``return`` met so far, one list for each function and sourced file being followed."""
        self.left: list[list[State]] = []
        """The same at each ``break`` and ``continue``, one list a loop."""
        self.calls = Calls(self)
        self._steps = 0
        self._followers: dict[type, Callable[[Any, State, Origin], None]] = {
            Simple: self._simple,
            Declaration: self._declaration,
            Test: self._test,
            Arithmetic: self._arithmetic,
            Redirected: self._redirected,
            AndOr: self._and_or,
            Pipeline: self._pipeline,
            Not: self._not,
            Background: self._background,
            Group: self._group,
            If: self._if,
            Loop: self._loop,
            Case: self._case,
            Function: self._function,
        }

    def run(self, body: Body, state: State, origin: Origin) -> None:
        """Follow commands one after another."""
        for command in body:
            self.follow(command, state, origin)

    def follow(self, command: Command, state: State, origin: Origin) -> None:
        """Follow one command. Raises ``NotAnalysable`` when the script never seems to end."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise NotAnalysable(
                f"{origin.name} is too entangled to be analysed", expected=f"at most {_MOST_STEPS} commands to follow"
            )
        self._followers[type(command)](command, state, origin)

    def whole(self, body: Body, state: State, origin: Origin) -> None:
        """Follow a shell's main script, then the functions no call was seen of, callers before what they call."""
        self.run(body, state, origin)
        self.calls.trapped(state)
        defined = [one for definitions in state.functions.values() for one in definitions]
        uncalled = [one for one in defined if not self.calls.is_called(one)]
        mentioned = {name for one in uncalled for name in self.calls.names_in(one)}
        for one in [*(each for each in uncalled if each.name not in mentioned), *uncalled]:
            if not self.calls.is_called(one):
                self.calls.function(one, None, state.fork())

    def callee(self, follow: Callable[[], None], state: State) -> None:
        """Follow a function or sourced file, and take in what is known where it returns early."""
        loops, self.left = self.left, []
        self.returned.append([])
        follow()
        for way in self.returned.pop():
            state.join(way)
        self.left = loops

    def leave(self, name: str, state: State) -> None:
        """Keep what is known at a ``return``, ``break`` or ``continue`` for where the script goes on."""
        ways = self.returned if name == "return" else self.left
        if ways:
            ways[-1].append(state.fork())

    def _ends(self, body: Body) -> bool:
        """Tell whether what follows these commands does not run after them."""
        last = body[-1] if body else None
        if isinstance(last, Group) and not last.subshell:
            return self._ends(last.body)
        name = last.words[0].literal if isinstance(last, Simple) and last.words else None
        if name == "return":
            return bool(self.returned)
        return name == "exit" or (name in {"break", "continue"} and bool(self.left))

    # words

    def _words(self, words: Iterable[Word], state: State, origin: Origin) -> None:
        """Follow the commands inside words; each substitution is a shell of its own."""
        for word in words:
            for part in word.parts:
                if isinstance(part, Opaque) and part.arithmetic:
                    set_by_arithmetic(part.text, state)
                for body in part_bodies(part):
                    self.run(body, state.fork(), origin)

    def _assigned_words(self, assignments: Iterable[Assignment], state: State, origin: Origin) -> None:
        for one in assignments:
            self._words(one.elements if one.value is None else (*one.elements, one.value), state, origin)
            if one.value is None:
                self.calls.listed(one.elements, state, origin)

    # commands

    def _simple(self, command: Simple, state: State, origin: Origin, feeding: tuple[Redirect, ...] = ()) -> None:
        self._assigned_words(command.assignments, state, origin)
        self._words(command.words, state, origin)
        if not command.words:
            for one in command.assignments:
                assign(one, state)
            return
        before = {one.name: state.variables.get(one.name) for one in command.assignments}
        for one in command.assignments:
            assign(one, state)
        self.calls.command(Call(command, state, origin, feeding, frozenset(before)))
        for name, value in before.items():
            state.restore(name, value)

    def _declaration(self, command: Declaration, state: State, origin: Origin) -> None:
        self._assigned_words(command.assignments, state, origin)
        self._words(command.words, state, origin)
        declare(command, state)

    def _test(self, command: Test, state: State, origin: Origin) -> None:
        self._words(command.words, state, origin)

    def _arithmetic(self, command: Arithmetic, state: State, origin: Origin) -> None:
        set_by_arithmetic(command.text, state)
        self.run(command.nested, state.fork(), origin)

    def _redirected(self, command: Redirected, state: State, origin: Origin) -> None:
        self._words((one.target for one in command.redirects), state, origin)
        if isinstance(command.command, Simple):
            self._simple(command.command, state, origin, command.redirects)
        else:
            self.follow(command.command, state, origin)

    def _pipeline(self, command: Pipeline, state: State, origin: Origin) -> None:
        *others, last = command.commands
        for one in others:
            self.follow(one, state.fork(), origin)
        way = state.fork()
        self.follow(last, way, origin)
        if state.last_pipe:
            state.join(way)

    def _not(self, command: Not, state: State, origin: Origin) -> None:
        self.follow(command.command, state, origin)

    def _background(self, command: Background, state: State, origin: Origin) -> None:
        self.follow(command.command, state.fork(), origin)

    def _group(self, command: Group, state: State, origin: Origin) -> None:
        self.run(command.body, state.fork() if command.subshell else state, origin)

    def _function(self, command: Function, state: State, origin: Origin) -> None:
        state.define(Defined(command.name, command.body, state.files[-1], origin))

    # ways on

    def _and_or(self, command: AndOr, state: State, origin: Origin) -> None:
        guarded = self.guarded
        held = self._one_of_list(command, -1, state, origin)
        before = command.first
        for place, link in enumerate(command.rest):
            asked = set(asked_files((before,), state))
            self.guarded = self.guarded | asked if asked else self.guarded
            before = link.command
            if held is not None and held == (link.operator == "||"):
                continue
            if held is None:
                branch = state.fork()
                self._one_of_list(command, place, branch, origin)
                if not self._ends((link.command,)):
                    state.join(branch)
            else:
                held = self._one_of_list(command, place, state, origin)
        self.guarded = guarded

    def _one_of_list(self, command: AndOr, place: int, state: State, origin: Origin) -> bool | None:
        """Follow the list's command at a place, -1 for the first, and return whether it holds."""
        one = command.first if place < 0 else command.rest[place].command
        following = command.rest[place + 1 : place + 2]
        passed_over = bool(following) and following[0].operator == "||" and _does_nothing(following[0].command)
        held = truth(one, state)
        self.optional += passed_over
        self.follow(one, state, origin)
        self.optional -= passed_over
        return held

    def _if(self, command: If, state: State, origin: Origin) -> None:
        guarded = self.guarded
        ways: list[State] = []
        for branch in command.branches:
            self.run(branch.condition, state, origin)
            self.guarded = guarded | set(asked_files(branch.condition, state))
            held = truth(branch.condition[-1], state) if branch.condition else None
            if held is False:
                continue
            if held:
                self.run(branch.body, state, origin)
                break
            way = state.fork()
            self.run(branch.body, way, origin)
            if not self._ends(branch.body):
                ways.append(way)
        else:
            self.run(command.otherwise, state, origin)
        for way in ways:
            state.join(way)
        self.guarded = guarded

    def _loop(self, command: Loop, state: State, origin: Origin) -> None:
        self._words(command.words, state, origin)
        self.calls.listed(command.words, state, origin)
        guarded = self.guarded
        self.left.append([])
        self._rounds(command, state, origin)
        for way in self.left.pop():
            state.join(way)
        self.guarded = guarded

    def _rounds(self, command: Loop, state: State, origin: Origin) -> None:
        """Follow a loop's body until another round would change nothing that is known."""
        guarded = self.guarded
        while True:
            before = state.fork()
            if command.variable is not None:
                state.assign(command.variable, Unknown(f"{command.variable} is the variable of a loop"))
            self.run(command.condition, state, origin)
            if command.condition and truth(command.condition[-1], state) is command.until:
                return
            self.guarded = guarded | set(asked_files(command.condition, state))
            self.run(command.body, state, origin)
            self.guarded = guarded
            state.join(before)
            for way in self.left[-1]:
                state.join(way)
            if state.same_as(before):
                return

    def _case(self, command: Case, state: State, origin: Origin) -> None:
        self._words((command.word,), state, origin)
        for item in command.items:
            self._words(item.patterns, state, origin)
            # Each way starts from what the ones before it may have left: ";&" falls through.
            way = state.fork()
            self.run(item.body, way, origin)
            if not self._ends(item.body):
                state.join(way)


def _does_nothing(command: Command) -> bool:
    return isinstance(command, Simple) and bool(command.words) and command.words[0].literal in {"true", ":"}
