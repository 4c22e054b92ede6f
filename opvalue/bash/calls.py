"""Simple commands followed: sourced files, functions, text that is code, builtins.

A command word that may expand to nothing leaves the next word as the command, and one that splits becomes several: both
are followed. Helpers run as programs are the business of ``programs``.
"""

import re
from typing import TYPE_CHECKING, Final

from opvalue.bash.builtins import BUILTINS
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.expand import is_list, positional_of, separators, value_of
from opvalue.bash.programs import Programs
from opvalue.bash.sources import Place, sourced_path
from opvalue.bash.spread import spread
from opvalue.bash.state import Defined, Origin, State
from opvalue.bash.tree import Command, Parameter, Redirect, Simple, Text, Word
from opvalue.bash.values import ROOT, Unknown, Value, below_root
from opvalue.bash.visit import commands_in
from opvalue.identity import RepoPath

if TYPE_CHECKING:
    from opvalue.bash.walk import Walker

_MOST_TEXTS: Final = 8
_DEEPEST: Final = 10
_MENTIONS_SOURCE: Final = re.compile(r"(?:^|[\s;&|({!\\'\"])(?:source|\.)(?=\s|$)")


class Call:
    """One simple command about to be followed, with the state and place it is in."""

    def __init__(
        self, command: Simple, state: State, origin: Origin, feeding: tuple[Redirect, ...], exported: frozenset[str]
    ) -> None:
        self.words = spread(command.words, state)
        self.state = state
        self.origin = origin
        self.feeding = feeding
        self.exported = exported
        self.place = Place(command.start, command.end, origin)
        self.given: tuple[Word, ...] = ()
        """What ``env`` and the like are given before the program."""


class Calls:
    """Follows simple commands for a walker."""

    def __init__(self, walker: "Walker") -> None:
        self._walker = walker
        self._programs = Programs(self, walker)
        self._called: dict[int, Command] = {}
        self._active: list[tuple[int, tuple[Value, ...] | None, frozenset[tuple[str, Value]]]] = []
        self._sourcing: list[tuple[RepoPath, frozenset[tuple[str, Value]]]] = []
        self._texts_open = 0
        self._traps: list[tuple[str, Call]] = []

    def is_called(self, one: Defined) -> bool:
        """Tell whether a function was followed."""
        return id(one.body) in self._called

    def names_in(self, one: Defined) -> set[str]:
        """Return the names of the commands in a function's body."""
        simple = (command for command in commands_in((one.body,)) if isinstance(command, Simple) and command.words)
        return {command.words[0].literal or "" for command in simple} - {one.name}

    def start(self, path: RepoPath, state: State) -> None:
        """Follow a file of the closure as the main script of a shell."""
        self._programs.start(path, state)

    def may_be_absent(self, path: RepoPath) -> bool:
        """Tell whether the current command does without a file."""
        return self._walker.optional > 0 or f"{ROOT}/{path}" in self._walker.guarded

    def command(self, call: Call, words: tuple[Word, ...] | None = None) -> None:
        """Follow a simple command that has a command word; ``words`` when it stands further on."""
        words, functions = _without_prefix(call.words if words is None else words)
        if not words:
            return
        name = "[" if words[0].literal == "[" else value_of(words[0], call.state, lenient=True)
        if isinstance(name, Unknown):
            self._unknown(name, words, call)
        elif not name and _may_vanish(words[0]):
            self.command(call, words[1:])
        else:
            self._named(name, words, call, functions=functions)

    def _unknown(self, name: Unknown, words: tuple[Word, ...], call: Call) -> None:
        split = _split(words[0], call.state)
        if split:
            self.command(call, (*split, *words[1:]))
            return
        if below_root(name.prefix) or is_list(words[0]):
            call.place.unresolvable(name.why)
        self._programs.arguments(words, call)
        if _may_vanish(words[0]):
            outer, call.state = call.state, call.state.fork()
            self.command(call, words[1:])
            outer.join(call.state)
            call.state = outer

    def _named(self, name: str, words: tuple[Word, ...], call: Call, *, functions: bool) -> None:
        definitions = call.state.functions.get(name, ()) if functions else ()
        if definitions:
            self._any_of(definitions, positional_of(words[1:], call.state), call.state)
        # A function may hide a builtin on one way only, so what it hides is followed too.
        if name in {"source", "."}:
            self._source(words, call)
        elif name == "eval":
            self._eval(words, call)
        elif name == "trap":
            self._trap(words, call)
        elif name in {"return", "break", "continue"}:
            self._walker.leave(name, call.state)
        elif name in BUILTINS:
            BUILTINS[name](words, call.state)
        elif not definitions:
            self._programs.program(name, words, call)

    def _any_of(self, definitions: tuple[Defined, ...], positional: tuple[Value, ...] | None, state: State) -> None:
        first, *others = definitions
        ways = [(one, state.fork()) for one in others]
        self.function(first, positional, state)
        for one, way in ways:
            self.function(one, positional, way)
            state.join(way)

    def function(self, one: Defined, positional: tuple[Value, ...] | None, state: State) -> None:
        """Follow a function's body in the caller's state.

        One that calls itself, or comes back through a file it sources, is followed again where more is new than the
        call; beyond ``_DEEPEST`` such calls, once more with nothing known.
        """
        depth = sum(body == id(one.body) for body, _, _ in self._active)
        if depth == _DEEPEST:
            state, positional = state.fork(), None
            state.blur(f"{one.name} calls itself too deeply")
        active = (id(one.body), positional, frozenset(state.variables.items()))
        if depth > _DEEPEST or active in self._active:
            return
        self._called[id(one.body)] = one.body
        self._active.append(active)
        files, outer, held = state.files, state.positional, state.locals
        state.files, state.positional, state.locals = (*files, one.file), positional, {}
        self._walker.callee(lambda: self._walker.follow(one.body, state, one.origin), state)
        for name, value in state.locals.items():
            state.restore(name, value)
        state.files, state.positional, state.locals = files, outer, held
        self._active.pop()

    def listed(self, words: tuple[Word, ...], state: State, origin: Origin) -> None:
        """Take in the programs of the commit that a list names, since it may be run later."""
        if words:
            named = Simple((), words, words[0].start, words[-1].end)
            self._programs.arguments((words[0], *words), Call(named, state, origin, (), frozenset()))

    # sourced files

    def _source(self, words: tuple[Word, ...], call: Call) -> None:
        operands = words[2:] if len(words) > 1 and words[1].literal == "--" else words[1:]
        if not operands or (operands[0].literal or "").startswith("-"):
            call.place.unresolvable("no path is given")
        path, name = sourced_path(operands[0], call.state, call.place, self._walker.loader)
        data = self._walker.loader.load(path)
        if data is None:
            if not self.may_be_absent(path):
                call.place.absent(path)
        else:
            self._follow_file(path, data, name, operands[1:], call.state)

    def _follow_file(self, path: RepoPath, data: bytes, name: str, arguments: tuple[Word, ...], state: State) -> None:
        """Follow a sourced file. One that sources itself is followed again where the variables have changed."""
        sourcing = (path, frozenset(state.variables.items()))
        if sourcing in self._sourcing or sum(path == other for other, _ in self._sourcing) > _DEEPEST:
            return
        self._sourcing.append(sourcing)
        files, outer = state.files, state.positional
        state.files = (*files, name)
        if arguments:
            state.positional = positional_of(arguments, state)
        body, origin = self._walker.loader.body(path), Origin(str(path), data)
        self._walker.callee(lambda: self._walker.run(body, state, origin), state)
        self._sourcing.pop()
        state.files = files
        if arguments:
            state.positional = outer

    # text that is code

    def _eval(self, words: tuple[Word, ...], call: Call) -> None:
        texts = [_known_text(word, call.state) for word in words[1:]]
        if None in texts:
            self.check_dynamic(words[1:], call)
            call.state.blur("eval may have set it")
        else:
            self.text(" ".join(each or "" for each in texts), call, call.state)

    def _trap(self, words: tuple[Word, ...], call: Call) -> None:
        operands = words[2:] if len(words) > 1 and words[1].literal == "--" else words[1:]
        if len(operands) < 2:
            return
        literal = operands[0].literal
        if literal is None:
            self.check_dynamic(operands[:1], call)
        elif not literal.startswith("-"):
            self.text(literal, call, call.state.fork())
            self._traps.append((literal, call))

    def trapped(self, state: State) -> None:
        """Follow the texts of traps once more, with what is known where the shell ends."""
        traps, self._traps = self._traps, []
        for text, call in traps:
            self.text(text, call, state.fork())

    def check_dynamic(self, words: tuple[Word, ...], call: Call) -> None:
        """Refuse text put together at run time that speaks of sourcing."""
        said = " ".join(_said(word, call.state) for word in words)
        if _MENTIONS_SOURCE.search(said):
            call.place.unresolvable("the command is put together when it runs")

    def text(self, text: str, call: Call, state: State) -> None:
        """Follow code that a script holds as text."""
        if self._texts_open == _MOST_TEXTS:
            raise NotAnalysable(f"{call.place}: code in text in text is not followed so deeply", found=call.place.text)
        self._texts_open += 1
        body = self._walker.loader.text_body(str(call.place), text)
        self._walker.run(body, state, Origin(call.origin.name, text.encode("utf-8", "replace"), call.place.line))
        self._texts_open -= 1


def _known_text(word: Word, state: State) -> str | None:
    """Return a word's text as far as it is code that can be read: known, and without a directory that is not."""
    if word.literal is not None:
        return word.literal
    value = value_of(word, state)
    return value if isinstance(value, str) and "\0" not in value else None


def _said(word: Word, state: State) -> str:
    """Return what is known of a word's text, NUL for what is not."""
    pieces = []
    for part in word.parts:
        value = part.value if isinstance(part, Text) else value_of(Word((part,), 0, 0), state, assigned=True)
        pieces.append(value if isinstance(value, str) else f"{value.prefix}\0")
    return "".join(pieces)


def _may_vanish(word: Word) -> bool:
    """Tell whether a word can expand to no word at all."""
    if any(isinstance(part, Parameter) and "@" in {part.name, part.subscript} for part in word.parts):
        return True
    return not any(getattr(part, "quoted", False) for part in word.parts)


def _split(word: Word, state: State) -> tuple[Word, ...]:
    """Return the words an unquoted expansion falls into, when its value is known and they are several."""
    value = value_of(word, state, assigned=True, lenient=True)
    signs = separators(state)
    if not isinstance(value, str) or signs is None or not _may_vanish(word):
        return ()
    pieces = re.split(f"[{re.escape(signs)}]+", value) if signs else [value]
    words = tuple(Word((Text(piece, quoted=False),), word.start, word.end) for piece in pieces if piece)
    return words if len(words) > 1 else ()


def _without_prefix(words: tuple[Word, ...]) -> tuple[tuple[Word, ...], bool]:
    """Take ``command``, ``builtin`` and ``exec`` away; the flag tells whether a function may be meant."""
    functions = True
    while words and words[0].literal in {"command", "builtin", "exec"}:
        functions = False
        name = words[0].literal
        words = words[1:]
        while words and (words[0].literal or "").startswith("-"):
            option = words[0].literal or ""
            words = words[2:] if name == "exec" and option.endswith("a") else words[1:]
            if name == "command" and ("v" in option or "V" in option):
                return (), functions
            if option == "--":
                break
    return words, functions
