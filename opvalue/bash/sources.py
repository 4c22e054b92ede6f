"""Which file of the repository a word names, and the refusals when it names none."""

from typing import Final, NoReturn

from opvalue.bash.errors import SourceAbsent, SourceOutside, SourceUnresolvable
from opvalue.bash.expand import value_of
from opvalue.bash.state import Origin, State
from opvalue.bash.tree import Simple, Word
from opvalue.bash.values import ROOT, Unknown, below_root, normal
from opvalue.identity import PathRefused, RepoPath

_EXPECTED: Final = "a literal path or one relative to BASH_SOURCE or GITHUB_WORKSPACE"
_STREAMS: Final = ("/dev/", "/proc/")
_LONGEST_TEXT: Final = 120


class Place:
    """A command as a message shows it: the file, the line, its text."""

    def __init__(self, command: Simple, origin: Origin) -> None:
        self._command = command
        self._origin = origin

    @property
    def line(self) -> int:
        """The line in the file."""
        return self._origin.line + self._origin.source.count(b"\n", 0, self._command.start)

    @property
    def text(self) -> str:
        """The first line of the command's text."""
        raw = self._origin.source[self._command.start : self._command.end]
        return raw.decode("utf-8", "replace").strip().split("\n")[0][:_LONGEST_TEXT]

    def __str__(self) -> str:
        return f"{self._origin.name}, line {self.line}"

    def unresolvable(self, why: str) -> NoReturn:
        """Refuse a path that only a run would tell."""
        raise SourceUnresolvable(
            f"{self}: the path of a sourced or helper file cannot be told: {why}", expected=_EXPECTED, found=self.text
        )

    def absent(self, path: RepoPath) -> NoReturn:
        """Refuse a file the commit does not hold."""
        raise SourceAbsent(f"{self}: {path} is not at the recorded commit", expected=f"a file {path}", found=self.text)


def sourced_path(word: Word, state: State, place: Place) -> RepoPath:
    """Return the repository path a ``source`` names. Raises ``SourceUnresolvable`` and ``SourceOutside``."""
    value = value_of(word, state)
    if isinstance(value, Unknown):
        place.unresolvable(value.why)
    if value.startswith(_STREAMS):
        place.unresolvable("it is a stream, not a file")
    path = normal(value, state.variables["PWD"])
    if isinstance(path, str) and below_root(path):
        return repository_path(path, place)
    if isinstance(path, Unknown) and not value.startswith("/"):
        place.unresolvable(path.why)
    where = "outside the repository" if value.startswith("/") else "relative to the empty directory the script runs in"
    raise SourceOutside(f"{place}: a sourced file lies {where}", expected=_EXPECTED, found=place.text)


def repository_path(path: str, place: Place) -> RepoPath:
    """Return the repository path of a cleaned absolute path in the private tree."""
    try:
        return RepoPath.parse(path.removeprefix(ROOT).removeprefix("/"))
    except PathRefused as refused:
        place.unresolvable(refused.message)
