"""The syntax trees of a script as the static rules read them: every command with its name, and where it stands.

A ``Site`` is a command with the steps that lead to it, so that a rule can tell what becomes of its exit status
(``verifier.status``). A ``Call`` is a simple command whose name is known, with what merely starts it (``command``,
``env``, ``timeout``, ``xargs``, ``find -exec``) taken away. Names that the script defines as functions are functions'
calls, unless something else starts them: that finds programs alone. What a function of the script runs with ``"$@"``
is a call as well.

Nothing is expanded but variables that are assigned one literal text, once. Pure.
"""

import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from opvalue.bash.errors import NotAnalysable
from opvalue.bash.tree import (
    Assignment,
    Body,
    Command,
    Declaration,
    Function,
    Loop,
    Parameter,
    Part,
    Redirect,
    Redirected,
    Simple,
    Substitution,
    Text,
    Word,
)
from verifier.starting import for_each, started
from verifier.steps import Step, walk
from verifier.subject import SourceFile, Subject
from verifier.words import HOLE, is_all_arguments, printed_heredoc, template

_LONGEST: Final = 262_144


class Site(NamedTuple):
    """A command and where it stands."""

    file: SourceFile
    command: Command
    steps: tuple[Step, ...]
    """From the file's outermost list inwards."""

    @property
    def redirects(self) -> tuple[Redirect, ...]:
        """The command's own redirections."""
        holder = self.steps[-1].node if self.steps else None
        return holder.redirects if isinstance(holder, Redirected) and holder.command is self.command else ()

    @property
    def function(self) -> str | None:
        """The innermost function the command stands in."""
        return next((step.node.name for step in reversed(self.steps) if isinstance(step.node, Function)), None)


class Call(NamedTuple):
    """A simple command whose name is known."""

    site: Site
    name: str
    """Without its folder."""
    word: Word
    """The word that names it."""
    arguments: tuple[Word, ...]
    program: bool = False
    """Whether it is surely no function: it is named by its path, or started by another command."""

    @property
    def at(self) -> tuple[str, int, int]:
        """Where the name stands, for a finding."""
        return self.site.file.place(self.word.start)

    def place(self, word: Word) -> tuple[str, int, int]:
        """Return where one of its words begins, for a finding."""
        return self.site.file.place(word.start)

    def literals(self) -> tuple[str | None, ...]:
        """Return the arguments as texts, ``None`` for those that are expanded."""
        return tuple(word.literal for word in self.arguments)

    def has(self, short: str, *long: str) -> Word | None:
        """Return the argument that gives an option: a letter, alone or among others, or one of the long names.

        What follows ``--`` is no option.
        """
        for word in self.arguments:
            text = word.literal or template(word)
            if text == "--":
                return None
            if text.startswith("--"):
                if text.partition("=")[0] in long:
                    return word
            elif short and text.startswith("-") and short in text[1:].partition(HOLE)[0]:
                return word
        return None


class Syntax:
    """What the static rules know of one script and the files it sources."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._texts: dict[str, str | None] = {}

    @cached_property
    def bodies(self) -> tuple[tuple[SourceFile, Body], ...]:
        """Each file in Bash that can be analysed, with its commands."""
        found = ((file, self.subject.bodies[file.name]) for file in self.subject.files if is_bash(file))
        return tuple((file, body) for file, body in found if not isinstance(body, NotAnalysable))

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Every command of every file in the order of the text, those inside words included."""
        return tuple(Site(file, command, steps) for file, body in self.bodies for command, steps in walk(body))

    @cached_property
    def functions(self) -> Mapping[str, Site]:
        """The functions the script defines, by name."""
        return {site.command.name: site for site in self.sites if isinstance(site.command, Function)}

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every simple command whose name is known. What starts another has its own arguments alone."""
        return tuple(call for site in self.sites for call in self._calls_of(site))

    def named(self, *names: str) -> Iterator[Call]:
        """Yield the calls of programs and builtins; a function of that name hides them, unless it only wraps them."""
        return (
            call
            for call in self.calls
            if call.name in names and (call.name in self.wrappers or not self.is_function(call))
        )

    def is_function(self, call: Call) -> bool:
        """Tell whether a call is one of a function of the script."""
        return call.name in self.functions and not call.program

    @cached_property
    def wrappers(self) -> frozenset[str]:
        """The functions that hand all they are given on to the program of their name: ``gh() { command gh "$@"; }``."""
        return frozenset(
            call.name
            for call in self.calls
            if call.program and call.name == call.site.function and any(map(is_all_arguments, call.arguments))
        )

    @cached_property
    def runners(self) -> Mapping[str, int]:
        """The functions that run their arguments, ``retry() { "$@"; }``, with how many of them come before."""
        simple = [
            (site.function, site.command.words)
            for site in self.sites
            if isinstance(site.command, Simple) and site.function is not None
        ]
        shifted = dict.fromkeys((name for name, words in simple if words and is_all_arguments(words[0])), 0)
        for name, words in simple:
            if name in shifted and words and words[0].literal == "shift":
                count = words[1].literal if len(words) > 1 else "1"
                shifted[name] += int(count) if count and count.isdecimal() else 1
        return shifted

    def _calls_of(self, site: Site) -> Iterator[Call]:
        words = site.command.words if isinstance(site.command, Simple) else ()
        name = self._command_name(words[0]) if words else None
        return iter(()) if name is None else _calls(site, name, words, self)

    def _command_name(self, word: Word) -> str | None:
        """Return a command's name: written out, or held by a variable that is assigned one text."""
        if word.literal is not None:
            return word.literal
        text = self.text_of(word)
        return text if text and not any(sign.isspace() for sign in text) else None

    @cached_property
    def assigned(self) -> Mapping[str, tuple[tuple[SourceFile, Word | None], ...]]:
        """What each variable is ever assigned; ``None`` stands for what the text does not tell."""
        found: dict[str, list[tuple[SourceFile, Word | None]]] = {}
        for site in self.sites:
            for name, word in _assignments(site):
                found.setdefault(name, []).append((site.file, word))
        return {name: tuple(words) for name, words in found.items()}

    def assigned_in(self, function: str, name: str) -> tuple[Word | None, ...]:
        """Return what a variable is assigned in one function."""
        sites = (site for site in self.sites if site.function == function)
        return tuple(word for site in sites for one, word in _assignments(site) if one == name)

    def text_of(self, word: Word) -> str | None:
        """Return what a word surely expands to: literal text, such variables, and ``$(cat <<'END')``."""
        pieces: list[str] = []
        size = 0
        for part in word.parts:
            found = part.value if isinstance(part, Text) else self._expanded(part)
            size += len(found or "")
            if found is None or size > _LONGEST:
                return None
            pieces.append(found)
        return "".join(pieces)

    def _expanded(self, part: Part) -> str | None:
        if isinstance(part, Substitution):
            word = printed_heredoc(part.body)
            found = None if word is None else self.text_of(word)
            return None if found is None else found.rstrip("\n")
        if not isinstance(part, Parameter) or part.operator or part.subscript is not None:
            return None
        if part.name not in self._texts:
            self._texts[part.name] = None  # what it is while it is being asked for: a variable of itself is not known
            word = self.constant(part.name)
            self._texts[part.name] = None if word is None else self.text_of(word)
        return self._texts[part.name]

    def constant(self, name: str) -> Word | None:
        """Return the one word that a variable is assigned in the whole script, if there is just one."""
        found = self.assigned.get(name, ())
        return found[0][1] if len(found) == 1 else None

    def mentions(self, *texts: str) -> bool:
        """Tell whether one of the texts occurs anywhere in the script or what it sources, comments aside."""
        return any(text.encode() in bare for bare in self._without_comments for text in texts)

    @cached_property
    def _without_comments(self) -> tuple[bytes, ...]:
        from verifier.gaps import without_comments  # noqa: PLC0415 - the two modules need each other

        bare = [without_comments(file, body) for file, body in self.bodies]
        return (*bare, *(file.data for file in self.subject.files if not is_bash(file)))


@lru_cache(maxsize=4)
def syntax_of(subject: Subject) -> Syntax:
    """Return what is known of a script, worked out once."""
    return Syntax(subject)


def is_bash(file: SourceFile) -> bool:
    """Tell whether a file of the closure is a script in Bash; jq modules and the like are not."""
    suffix = posixpath.splitext(file.name)[1]
    return suffix in {"", ".sh", ".bash"} or (file.data.startswith(b"#!") and b"sh" in file.data.partition(b"\n")[0])


def _calls(
    site: Site, path: str | None, words: tuple[Word, ...], syntax: Syntax, *, program: bool = False
) -> Iterator[Call]:
    while path is not None:
        name = posixpath.basename(path)
        program = program or "/" in path
        hidden = name in syntax.functions and not program
        if hidden and name in syntax.runners:
            yield Call(site, name, words[0], words[1:])
            words = words[1 + syntax.runners[name] :]
            path = words[0].literal if words else None
            continue
        rest = (None if hidden else started(name, words[1:])) or ()
        yield Call(site, name, words[0], words[1 : len(words) - len(rest)], program)
        if name == "find" and not hidden:
            for each in for_each(words[1:]):
                yield from _calls(site, each[0].literal, each, syntax, program=True)
        program = program or name != "time"
        words = rest
        path = words[0].literal if words else None


def _assignments(site: Site) -> Iterator[tuple[str, Word | None]]:
    command = site.command
    if isinstance(command, Declaration) or (isinstance(command, Simple) and not command.words):
        for one in command.assignments:
            yield one.name, _plain_value(one)
    elif isinstance(command, Loop) and command.variable is not None:
        yield command.variable, None
    elif isinstance(command, Simple) and command.words[0].literal in {"read", "mapfile", "readarray", "printf"}:
        yield from _read(site, command)


def _plain_value(one: Assignment) -> Word | None:
    return None if one.append or one.subscript else one.value


def _read(site: Site, command: Simple) -> Iterator[tuple[str, Word | None]]:
    """Yield what ``read`` sets; ``read -d ''`` from a here-document takes it whole."""
    whole = next((one.target for one in site.redirects if one.operator in {"<<", "<<-"}), None)
    texts = [word.literal for word in command.words[1:]]
    until_end = command.words[0].literal == "read" and "" in texts
    names = [text for text in texts if text and text.isidentifier()]
    for name in names:
        yield name, whole if until_end and len(names) == 1 else None
