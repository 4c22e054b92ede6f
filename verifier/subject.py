"""The script under check as every rule sees it: its bytes, its syntax trees, the files it sources, what was asked for.

Pure: reading files is ``verifier.load``'s business, running the script that of ``verifier.runs``. Everything is worked
out once, when a rule first asks.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from opvalue.bash import Closure, ShellParser, read_closure
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.parse import parse
from opvalue.bash.tree import Body, Command, Word
from opvalue.bash.visit import commands_in
from opvalue.errors import OpvalueError
from opvalue.identity import RepoPath
from opvalue.strictjson import JsonObject
from verifier.rule import Contract

if TYPE_CHECKING:
    from verifier.repository import RepositoryView


class SourceFile(NamedTuple):
    """One file of the script's closure."""

    name: str
    """How findings name it."""
    data: bytes
    starts: tuple[int, ...]
    """Byte offsets at which its lines begin."""

    @classmethod
    def of(cls, name: str, data: bytes) -> "SourceFile":
        """Return the file with its lines found."""
        starts = [0]
        while (at := data.find(b"\n", starts[-1])) >= 0:
            starts.append(at + 1)
        return cls(name, data, tuple(starts))

    def place(self, offset: int) -> tuple[str, int, int]:
        """Return name, line and column of a byte offset, both counted from 1, the column in characters."""
        line = bisect_right(self.starts, offset)
        before = self.data[self.starts[line - 1] : offset]
        return self.name, line, len(before.decode("utf-8", "replace")) + 1

    def line(self, number: int) -> str | None:
        """Return a line's text without its end, or ``None`` when there is no such line."""
        if not 1 <= number <= len(self.starts):
            return None
        return self.data[self.starts[number - 1] :].partition(b"\n")[0].decode("utf-8", "replace")

    def text(self, start: int, end: int) -> str:
        """Return the source between two byte offsets."""
        return self.data[start:end].decode("utf-8", "replace")


class Case(NamedTuple):
    """A case the author wrote: a request, the evidence to replay for it, the value that must come out."""

    name: str
    request: JsonObject
    bundle: bytes | None
    expected: float | int | None


class Asked(NamedTuple):
    """What the caller asked for."""

    contract: Contract = Contract.SCHEMA_4
    config: JsonObject = MappingProxyType({})  # type: ignore[assignment]  # read-only here, never passed on
    """The grader's ``config``, as the workflow gives it to the script."""
    checkout: Path | None = None
    """The repository's root, where its history is to be asked."""
    repository: "RepositoryView | None" = None
    """The same, opened; without it what concerns the repository is not checked."""
    cases: tuple[Case, ...] = ()


class Subject:
    """One script. ``read`` returns another file of its repository, or ``None`` where there is none."""

    def __init__(
        self,
        name: str,
        path: RepoPath,
        data: bytes,
        *,
        read: Callable[[RepoPath], bytes | None],
        parser: ShellParser | None = None,
        asked: Asked | None = None,
    ) -> None:
        """``name`` is how the caller calls the script, ``path`` where it lies in its repository."""
        self.name = name
        self.path = path
        self.data = data
        self.asked = asked or Asked()
        self._read = read
        self._parser = parser

    @cached_property
    def closure(self) -> Closure | OpvalueError:
        """The script with what it sources, or why that cannot be told."""
        try:
            return read_closure(self.path, self.data, self._read, parser=self._parser)
        except OpvalueError as problem:
            return problem

    @cached_property
    def files(self) -> tuple[SourceFile, ...]:
        """The script first, then what it sources; the script alone where that cannot be told."""
        main = SourceFile.of(self.name, self.data)
        if isinstance(self.closure, OpvalueError):
            return (main,)
        return (main, *(SourceFile.of(str(path), data) for path, data in self.closure.files[1:]))

    @cached_property
    def bodies(self) -> Mapping[str, Body | NotAnalysable]:
        """Each file's commands by the file's name, or why it cannot be analysed."""
        closure = self.closure
        read = {} if isinstance(closure, OpvalueError) else {str(path): body for path, body in closure.bodies}
        return {file.name: self._body(file, read) for file in self.files}

    def commands(self) -> Iterator[tuple[SourceFile, Command]]:
        """Yield every command of every file that can be analysed, those inside words included."""
        for file in self.files:
            body = self.bodies[file.name]
            if not isinstance(body, NotAnalysable):
                for command in commands_in(body):
                    yield file, command

    def line(self, path: str, number: int) -> str | None:
        """Return a line of a file by the name findings use."""
        return next((file.line(number) for file in self.files if file.name == path), None)

    def _body(self, file: SourceFile, read: Mapping[str, Body]) -> Body | NotAnalysable:
        known = read.get(str(self.path) if file is self.files[0] else file.name)
        if known is not None:
            return known
        try:
            return parse(file.name, file.data, self._parser)
        except NotAnalysable as problem:
            return problem


def place(file: SourceFile, word: Word) -> tuple[str, int, int]:
    """Return where a word begins, for a finding."""
    return file.place(word.start)
