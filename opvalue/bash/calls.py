"""Simple commands followed: sourced files, functions, and helpers run as programs.

A helper is what the command word names, the file given to ``bash`` or ``sh``, or an argument that names a file of the
commit whose suffix says that it is a program. Helpers in Bash are followed in turn, each in a shell of its own.
"""

import posixpath
import re
from typing import TYPE_CHECKING, Final

from opvalue.bash.builtins import BUILTINS
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.expand import value_of
from opvalue.bash.sources import Place, repository_path, sourced_path
from opvalue.bash.state import Defined, Origin, State
from opvalue.bash.tree import Command, Redirect, Simple, Text, Word
from opvalue.bash.values import ROOT, Unknown, Value, below_root, normal
from opvalue.bash.visit import commands_in
from opvalue.identity import RepoPath

if TYPE_CHECKING:
    from opvalue.bash.walk import Walker

_SHELLS: Final = frozenset({"bash", "sh", "dash"})
_STARTERS: Final = frozenset({"env", "nice", "nohup", "setsid", "stdbuf", "sudo", "timeout", "xargs"})
_SUFFIXES: Final = (".sh", ".bash", ".jq", ".awk", ".sed", ".py", ".js", ".mjs", ".cjs", ".pl", ".rb")
_SHELL_SUFFIXES: Final = (".sh", ".bash")
_SHEBANG: Final = re.compile(rb"#![^\n]*\b(?:ba|da)?sh\b")
_IN_ARGUMENT: Final = re.compile(r"(?:-[A-Za-z]+|--[A-Za-z-]+=)?(?=" + re.escape(ROOT) + "/)")
_LOOKS_ONLY: Final = frozenset({"[", "test", "basename", "dirname", "echo", "ls", "printf", "readlink", "realpath"})
_MOST_TEXTS: Final = 8
_MENTIONS_SOURCE: Final = re.compile(r"(?:^|[\s;&|({!\\'\"])(?:source|\.)(?=\s|$)")


class Call:
    """One simple command about to be followed, with the state and place it is in."""

    def __init__(
        self,
        command: Simple,
        state: State,
        origin: Origin,
        feeding: tuple[Redirect, ...],
        exported: frozenset[str],
    ) -> None:
        self.words = command.words
        self.state = state
        self.origin = origin
        self.feeding = feeding
        self.exported = exported
        self.place = Place(command, origin)


class Calls:
    """Follows simple commands for a walker."""

    def __init__(self, walker: "Walker") -> None:
        self._walker = walker
        self._called: dict[int, Command] = {}
        self._active: set[int] = set()
        self._sourcing: list[RepoPath] = []
        self._texts_open = 0
        self._started: set[tuple[RepoPath, frozenset[tuple[str, Value]], tuple[Value, ...] | None]] = set()

    def is_called(self, one: Defined) -> bool:
        """Tell whether a function was followed."""
        return id(one.body) in self._called

    def names_in(self, one: Defined) -> set[str]:
        """Return the names of the commands in a function's body."""
        simple = (command for command in commands_in((one.body,)) if isinstance(command, Simple) and command.words)
        return {command.words[0].literal or "" for command in simple} - {one.name}

    def command(self, call: Call) -> None:
        """Follow a simple command that has a command word."""
        words, functions = _without_prefix(call.words)
        if not words:
            return
        name = "[" if words[0].literal == "[" else value_of(words[0], call.state)
        if isinstance(name, Unknown):
            if below_root(name.prefix):
                call.place.unresolvable(name.why)
            self._arguments(words, call)
            return
        defined = call.state.functions.get(name) if functions else None
        if defined is not None:
            self.function(defined, _positional(words[1:], call.state), call.state)
        elif name in {"source", "."}:
            self._source(words, call)
        elif name == "eval":
            self._eval(words, call)
        elif name == "trap":
            self._trap(words, call)
        elif name in BUILTINS:
            BUILTINS[name](words, call.state)
        else:
            self._program(name, words, call)

    def function(self, one: Defined, positional: tuple[Value, ...] | None, state: State) -> None:
        """Follow a function's body in the caller's state. One that calls itself is not followed again inside."""
        if id(one.body) in self._active:
            return
        self._called[id(one.body)] = one.body
        self._active.add(id(one.body))
        files, outer, held = state.files, state.positional, state.locals
        state.files, state.positional, state.locals = (*files, one.file), positional, {}
        self._walker.follow(one.body, state, one.origin)
        for name, value in state.locals.items():
            if value is None:
                state.unset(name)
            else:
                state.assign(name, value)
        state.files, state.positional, state.locals = files, outer, held
        self._active.discard(id(one.body))

    def start(self, path: RepoPath, child: State) -> None:
        """Follow a file of the closure as the main script of a shell, once for each state it is started in."""
        known = frozenset(child.variables.items())
        if {(path, known, None), (path, known, child.positional)} & self._started:
            return
        self._started.add((path, known, child.positional))
        origin = Origin(str(path), self._walker.loader.files[path])
        self._walker.whole(self._walker.loader.body(path), child, origin)

    # sourced files

    def _source(self, words: tuple[Word, ...], call: Call) -> None:
        operands = words[2:] if len(words) > 1 and words[1].literal == "--" else words[1:]
        if not operands or (operands[0].literal or "").startswith("-"):
            call.place.unresolvable("no path is given")
        path = sourced_path(operands[0], call.state, call.place)
        loader = self._walker.loader
        data = loader.load(path)
        if data is None:
            if not self._may_be_absent(path):
                call.place.absent(path)
            return
        if path in self._sourcing:
            return
        state = call.state
        files, outer = state.files, state.positional
        given = value_of(operands[0], state)
        state.files = (*files, given if isinstance(given, str) else "")
        if len(operands) > 1:
            state.positional = _positional(operands[1:], state)
        self._sourcing.append(path)
        self._walker.run(loader.body(path), state, Origin(str(path), data))
        self._sourcing.pop()
        state.files = files
        if len(operands) > 1:
            state.positional = outer

    def _may_be_absent(self, path: RepoPath) -> bool:
        return self._walker.optional > 0 or f"{ROOT}/{path}" in self._walker.guarded

    # text that is code

    def _eval(self, words: tuple[Word, ...], call: Call) -> None:
        literals = [word.literal for word in words[1:]]
        if None in literals:
            self._check_dynamic(words[1:], call)
            call.state.blur("eval may have set it")
        else:
            self._text(" ".join(each or "" for each in literals), call, call.state)

    def _trap(self, words: tuple[Word, ...], call: Call) -> None:
        operands = words[2:] if len(words) > 1 and words[1].literal == "--" else words[1:]
        if len(operands) < 2:
            return
        literal = operands[0].literal
        if literal is None:
            self._check_dynamic(operands[:1], call)
        elif not literal.startswith("-"):
            self._text(literal, call, call.state.fork())

    def _check_dynamic(self, words: tuple[Word, ...], call: Call) -> None:
        """Refuse text put together at run time that speaks of sourcing."""
        said = " ".join("".join(p.value if isinstance(p, Text) else "\0" for p in word.parts) for word in words)
        if _MENTIONS_SOURCE.search(said):
            call.place.unresolvable("the command is put together when it runs")

    def _text(self, text: str, call: Call, state: State) -> None:
        if self._texts_open == _MOST_TEXTS:
            raise NotAnalysable(f"{call.place}: code in text in text is not followed so deeply", found=call.place.text)
        self._texts_open += 1
        body = self._walker.loader.text_body(str(call.place), text)
        self._walker.run(body, state, Origin(call.origin.name, text.encode("utf-8", "replace"), call.place.line))
        self._texts_open -= 1

    # programs

    def _program(self, name: str, words: tuple[Word, ...], call: Call) -> None:
        if posixpath.basename(name) in _SHELLS and not below_root(name):
            self._shell(words, call)
            return
        if "/" in name:
            path = normal(name, call.state.variables["PWD"])
            if isinstance(path, str) and below_root(path):
                self._helper(path, name, words[1:], call, needed=True)
        if name in _STARTERS:
            for place, word in enumerate(words[1:], start=1):
                if posixpath.basename(word.literal or "") in _SHELLS:
                    self._shell(words[place:], call)
                    return
        if name not in _LOOKS_ONLY:
            self._arguments(words, call)

    def _arguments(self, words: tuple[Word, ...], call: Call) -> None:
        """Take in the arguments that name programs of the commit. One that is absent there is plain text."""
        for word in words[1:]:
            value = value_of(word, call.state)
            found = _IN_ARGUMENT.match(value) if isinstance(value, str) else None
            if found is None or not isinstance(value, str) or not value.endswith(_SUFFIXES):
                continue
            path = normal(value[found.end() :], ROOT)
            if isinstance(path, str) and below_root(path):
                self._helper(path, value[found.end() :], None, call, needed=False)

    def _helper(
        self, path: str, name: str, arguments: tuple[Word, ...] | None, call: Call, *, needed: bool, bash: bool = False
    ) -> None:
        """Make a file part of the closure, and follow it when it is Bash. ``name`` is how it is called."""
        where = repository_path(path, call.place)
        data = self._walker.loader.load(where)
        if data is None:
            if needed and not self._may_be_absent(where):
                call.place.absent(where)
            return
        if bash or where.text.endswith(_SHELL_SUFFIXES) or _SHEBANG.match(data) or not where.text.endswith(_SUFFIXES):
            positional = None if arguments is None else _positional(arguments, call.state)
            self.start(where, _child(call, name, positional))

    def _shell(self, words: tuple[Word, ...], call: Call) -> None:
        """Follow what a shell is started with: a file, ``-c`` and its text, or its standard input."""
        code, operands = _shell_operands(words[1:])
        if code:
            self._shell_code(operands, call)
        elif operands:
            value = value_of(operands[0], call.state)
            if isinstance(value, Unknown):
                call.place.unresolvable(value.why)
            path = normal(value, call.state.variables["PWD"])
            if isinstance(path, str) and below_root(path):
                self._helper(path, value, operands[1:], call, needed=True, bash=True)
        else:
            for redirect in call.feeding:
                self._fed(redirect, call)

    def _shell_code(self, operands: tuple[Word, ...], call: Call) -> None:
        if not operands:
            return
        literal = operands[0].literal
        if literal is None:
            self._check_dynamic(operands[:1], call)
            self._arguments(operands, call)
            return
        named = value_of(operands[1], call.state) if len(operands) > 1 else "bash"
        name = named if isinstance(named, str) else ""
        self._text(literal, call, _child(call, name, _positional(operands[2:], call.state)))
        self._arguments(operands, call)

    def _fed(self, redirect: Redirect, call: Call) -> None:
        if redirect.operator in {"<<", "<<-", "<<<"}:
            self._shell_code((redirect.target,), call)
        elif redirect.operator == "<":
            value = value_of(redirect.target, call.state)
            if isinstance(value, str) and below_root(value):
                self._helper(value, "bash", (), call, needed=True, bash=True)


def _child(call: Call, name: str, positional: tuple[Value, ...] | None) -> State:
    before = set(call.state.exported)
    call.state.exported |= call.exported
    child = call.state.child(name, positional)
    call.state.exported = before
    return child


def _positional(words: tuple[Word, ...], state: State) -> tuple[Value, ...] | None:
    """Return the arguments a call gets, or ``None`` when their number is not known."""
    values: list[Value] = []
    for word in words:
        value = value_of(word, state)
        if isinstance(value, Unknown) and not _is_one(word):
            return None
        values.append(value)
    return tuple(values)


def _is_one(word: Word) -> bool:
    """Tell whether a word surely becomes one argument, though which is not known."""
    return all(
        getattr(part, "quoted", False) and getattr(part, "name", "") != "@" and getattr(part, "subscript", None) != "@"
        for part in word.parts
    )


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


def _shell_operands(words: tuple[Word, ...]) -> tuple[bool, tuple[Word, ...]]:
    """Return whether ``-c`` is given, and what follows the options."""
    code = False
    while words:
        literal = words[0].literal
        if literal is None or literal == "-" or literal[:1] not in {"-", "+"}:
            break
        words = words[1:]
        if literal == "--":
            break
        if literal.startswith("--"):
            if literal in {"--rcfile", "--init-file"}:
                words = words[1:]
            continue
        code = code or "c" in literal
        if "o" in literal or "O" in literal:
            words = words[1:]
    return code, words
