"""Programs of the commit that a script runs: its helpers, which are the evaluator's own code too.

A helper is what the command word names, the file given to ``bash`` or ``sh``, what a folder of the commit on ``PATH``
holds under a command's name, or an argument that names a file of the commit whose suffix says that it is a program.
Helpers in Bash are followed in turn, each in a shell of its own.
"""

import posixpath
import re
from typing import TYPE_CHECKING, Final

from opvalue.bash.expand import positional_of, value_of
from opvalue.bash.sources import folders_on_path, repository_path
from opvalue.bash.state import Origin, State
from opvalue.bash.tree import Redirect, Text, Word
from opvalue.bash.values import ROOT, Unknown, Value, below_root, normal
from opvalue.identity import RepoPath

if TYPE_CHECKING:
    from opvalue.bash.calls import Call, Calls
    from opvalue.bash.walk import Walker

_SHELLS: Final = frozenset({"bash", "sh", "dash"})
_STARTERS: Final = {
    "doas": "Cu",
    "env": "CSu",
    "find": "",
    "ionice": "cnp",
    "nice": "n",
    "nohup": "",
    "parallel": "IjN",
    "setsid": "",
    "stdbuf": "eio",
    "sudo": "CghpRTUu",
    "taskset": "",
    "time": "fo",
    "timeout": "ks",
    "unbuffer": "",
    "watch": "n",
    "xargs": "adEILnPs",
}
"""Programs that start the program they are given, each with its one-letter options that take a value."""
_CHANGE_VARIABLES: Final = frozenset({"doas", "env", "sudo"})
_NO_PROGRAM: Final = re.compile(r"-.*|[A-Za-z_][A-Za-z_0-9]*=.*|(?:0x)?[0-9.]+[smhd]?", re.DOTALL)
"""What stands before the program a starter is given: options, variables, a duration or a mask."""
_SUFFIXES: Final = (".sh", ".bash", ".jq", ".awk", ".sed", ".py", ".js", ".mjs", ".cjs", ".pl", ".rb")
_SHELL_SUFFIXES: Final = (".sh", ".bash")
_SHEBANG: Final = re.compile(rb"#![^\n]*\b(?:ba|da)?sh\b")
_IN_ARGUMENT: Final = re.compile(r"(?:-[A-Za-z]+|--[A-Za-z-]+=)?(?=" + re.escape(ROOT) + "/)")
_OF_BASH: Final = frozenset(
    {
        ":",
        "[",
        "bg",
        "bind",
        "caller",
        "dirs",
        "disown",
        "echo",
        "exit",
        "false",
        "fc",
        "fg",
        "hash",
        "help",
        "history",
        "jobs",
        "kill",
        "let",
        "logout",
        "pwd",
        "suspend",
        "test",
        "times",
        "true",
        "type",
        "ulimit",
        "umask",
        "unalias",
        "wait",
    }
)
"""Builtins that are not looked for on ``PATH``, those of ``BUILTINS`` aside."""
_LOOKS_ONLY: Final = frozenset({"[", "test", "basename", "dirname", "echo", "ls", "printf", "readlink", "realpath"})
_SETS: Final = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)=")
_LOADED_FIRST: Final = "BASH_ENV"
_LOADING_OPTIONS: Final = ("--rcfile", "--init-file")


class Programs:
    """Follows the programs that simple commands start."""

    def __init__(self, calls: "Calls", walker: "Walker") -> None:
        self._calls = calls
        self._walker = walker
        self._started: set[tuple[RepoPath, frozenset[tuple[str, Value]], tuple[Value, ...] | None]] = set()

    def start(self, path: RepoPath, state: State) -> None:
        """Follow a file of the closure as the main script of a shell, once for each state it is started in."""
        known = frozenset(state.variables.items())
        if {(path, known, None), (path, known, state.positional)} & self._started:
            return
        self._started.add((path, known, state.positional))
        origin = Origin(str(path), self._walker.loader.files[path])
        self._walker.whole(self._walker.loader.body(path), state, origin)

    def program(self, name: str, words: tuple[Word, ...], call: "Call") -> None:
        """Follow a command that is neither a function nor a builtin that matters here."""
        bare = posixpath.basename(name)
        if bare in _SHELLS and not below_root(name):
            self._shell(words, call)
            return
        if name not in _OF_BASH:
            self._named_file(name, words, call)
        if bare in _STARTERS:
            self._started_by(words, call)
        elif bare not in _LOOKS_ONLY:
            self.arguments(words, call)

    def arguments(self, words: tuple[Word, ...], call: "Call") -> None:
        """Take in the arguments that name programs of the commit. One that is absent there is plain text."""
        for word in words[1:]:
            value = value_of(word, call.state)
            found = _IN_ARGUMENT.match(value) if isinstance(value, str) else None
            if found is None or not isinstance(value, str) or not value.endswith(_SUFFIXES):
                continue
            path = normal(value[found.end() :], ROOT)
            if isinstance(path, str) and below_root(path):
                self._helper(path, value[found.end() :], None, call, needed=False)

    def _started_by(self, words: tuple[Word, ...], call: "Call") -> None:
        for place, word in enumerate(words[1:], start=1):
            if posixpath.basename(word.literal or "") in _SHELLS:
                call.given = _given(words[:place])
                self._shell(words[place:], call)
                return
        program = _program_given(words)
        call.given = _given(words[: len(words) - len(program)])
        name = value_of(program[0], call.state) if program else ""
        if isinstance(name, Unknown):
            if below_root(name.prefix):
                call.place.unresolvable(name.why)
        elif program and name:
            self._named_file(name, program, call)
        self.arguments(words, call)

    def _named_file(self, name: str, words: tuple[Word, ...], call: "Call") -> None:
        """Follow the program a command word names by a path, or on ``PATH``."""
        if "/" in name:
            path = normal(name, call.state.variables["PWD"])
            if isinstance(path, str) and below_root(path):
                self._helper(path, name, words[1:], call, needed=True)
            return
        for folder in folders_on_path(call.state):
            self._helper(f"{folder}/{name}", f"{folder}/{name}", words[1:], call, needed=False)

    def _helper(
        self,
        path: str,
        name: str,
        arguments: tuple[Word, ...] | None,
        call: "Call",
        *,
        needed: bool,
        bash: bool = False,
    ) -> None:
        """Make a file part of the closure, and follow it when it is Bash. ``name`` is how it is called."""
        where = repository_path(path, call.place)
        data = self._walker.loader.load(where)
        if data is None:
            if needed and not self._calls.may_be_absent(where):
                call.place.absent(where)
        elif bash or _is_bash(where, data):
            positional = None if arguments is None else positional_of(arguments, call.state)
            self.start(where, _child(call, name, positional))

    def _shell(self, words: tuple[Word, ...], call: "Call") -> None:
        """Follow what a shell is started with: a file, ``-c`` and its text, or its standard input."""
        _child(call, "", None)
        code, reads_input, operands = _shell_operands(words[1:], call)
        if code:
            self._code(operands, call)
        elif operands and not reads_input:
            value = value_of(operands[0], call.state)
            if isinstance(value, Unknown):
                call.place.unresolvable(value.why)
            if "{}" in value:
                call.place.unresolvable("find or xargs fills it in")
            path = normal(value, call.state.variables["PWD"])
            if isinstance(path, str) and below_root(path):
                self._helper(path, value, operands[1:], call, needed=True, bash=True)
            elif value.startswith("/"):
                call.place.outside("the script a shell is started with", "outside the repository")
        else:
            for redirect in call.feeding:
                self._fed(redirect, call)

    def _code(self, operands: tuple[Word, ...], call: "Call") -> None:
        if not operands:
            return
        literal = operands[0].literal
        if literal is None:
            self._calls.check_dynamic(operands[:1], call)
        else:
            named = value_of(operands[1], call.state) if len(operands) > 1 else "bash"
            name = named if isinstance(named, str) else ""
            self._calls.text(literal, call, _child(call, name, positional_of(operands[2:], call.state)))
        self.arguments(operands, call)

    def _fed(self, redirect: Redirect, call: "Call") -> None:
        if redirect.operator in {"<<", "<<-", "<<<"}:
            self._code((redirect.target,), call)
        elif redirect.operator == "<":
            value = value_of(redirect.target, call.state)
            path = normal(value, call.state.variables["PWD"]) if isinstance(value, str) else value
            if isinstance(path, str) and below_root(path):
                self._helper(path, "bash", (), call, needed=True, bash=True)
            elif isinstance(path, str):
                call.place.outside("the script a shell reads", "outside the repository")


def _given(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return what stands before the program where a starter among ``words`` changes variables, else nothing."""
    changes = any(posixpath.basename(word.literal or "") in _CHANGE_VARIABLES for word in words)
    return words[1:] if changes else ()


def _program_given(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words from the program on that starters are given; none for ``find``, which is given folders."""
    values = ""
    while words:
        first = words[0].parts[0] if words[0].parts else None
        text = words[0].literal or (first.value if isinstance(first, Text) else "")
        starter = posixpath.basename(text)
        if starter == "find":
            return ()
        if starter in _STARTERS:
            values = _STARTERS[starter]
        elif not _NO_PROGRAM.fullmatch(text):
            return words
        words = words[2:] if len(text) == 2 and text[0] == "-" and text[1] in values else words[1:]
    return ()


def _is_bash(path: RepoPath, data: bytes) -> bool:
    return path.text.endswith(_SHELL_SUFFIXES) or bool(_SHEBANG.match(data)) or not path.text.endswith(_SUFFIXES)


def _child(call: "Call", name: str, positional: tuple[Value, ...] | None) -> State:
    before = set(call.state.exported)
    call.state.exported |= call.exported
    child = call.state.child(name, positional)
    call.state.exported = before
    for word in call.given:
        _give(word, call, child)
    if child.variables.get(_LOADED_FIRST, "") != "":
        call.place.unresolvable(f"{_LOADED_FIRST} makes Bash load a file before its script")
    return child


def _give(word: Word, call: "Call", child: State) -> None:
    """Follow one word that ``env`` is given: ``NAME=value``, or an option that takes variables away."""
    first = word.parts[0] if word.parts else None
    found = _SETS.match(first.value) if isinstance(first, Text) else None
    if found is not None:
        value = value_of(word, call.state, assigned=True)
        child.assign(found[1], value if isinstance(value, Unknown) else value[found.end() :])
        child.exported.add(found[1])
    elif word.literal is None or word.literal.startswith("-"):
        child.blur("the command that starts the shell may have changed it")


def _shell_operands(words: tuple[Word, ...], call: "Call") -> tuple[bool, bool, tuple[Word, ...]]:
    """Return whether ``-c`` and whether ``-s`` is given, and what follows the options."""
    code = reads_input = False
    while words:
        value = value_of(words[0], call.state, lenient=True)
        if not isinstance(value, str) or value == "-" or (value and value[0] not in "-+"):
            break
        words = words[1:]
        if value == "--":
            break
        if value.startswith(_LOADING_OPTIONS):
            call.place.unresolvable(f"{value} makes Bash load a file before its script")
        if not value.startswith("--"):
            code = code or "c" in value
            reads_input = reads_input or "s" in value
            words = words[1:] if "o" in value or "O" in value else words
    return code, reads_input, words
