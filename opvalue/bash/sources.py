"""Which file of the repository a word names, and the refusals when it names none."""

from typing import Final, NoReturn

from opvalue.bash.errors import SourceAbsent, SourceOutside, SourceUnresolvable
from opvalue.bash.expand import value_of
from opvalue.bash.loader import Loader
from opvalue.bash.state import Origin, State
from opvalue.bash.tree import Word
from opvalue.bash.values import ROOT, Unknown, below_root, normal
from opvalue.identity import PathRefused, RepoPath

_EXPECTED: Final = "a literal path or one relative to BASH_SOURCE or GITHUB_WORKSPACE"
_STREAMS: Final = ("/dev/", "/proc/")
_LONGEST_TEXT: Final = 120


class Place:
    """A command as a message shows it: the file, the line, its text."""

    def __init__(self, start: int, end: int, origin: Origin) -> None:
        self._start = start
        self._end = end
        self._origin = origin

    @property
    def line(self) -> int:
        """The line in the file."""
        return self._origin.line + self._origin.source.count(b"\n", 0, self._start)

    @property
    def text(self) -> str:
        """The first line of the command's text."""
        raw = self._origin.source[self._start : self._end]
        return raw.decode("utf-8", "replace").strip().split("\n")[0][:_LONGEST_TEXT]

    def __str__(self) -> str:
        return f"{self._origin.name}, line {self.line}"

    def unresolvable(self, why: str) -> NoReturn:
        """Refuse a path that only a run would tell."""
        raise SourceUnresolvable(
            f"{self}: the path of a sourced or helper file cannot be told: {why}", expected=_EXPECTED, found=self.text
        )

    def outside(self, what: str, where: str) -> NoReturn:
        """Refuse a file that no commit holds."""
        raise SourceOutside(f"{self}: {what} lies {where}", expected=_EXPECTED, found=self.text)

    def absent(self, path: RepoPath) -> NoReturn:
        """Refuse a file the commit does not hold."""
        raise SourceAbsent(f"{self}: {path} is not at the recorded commit", expected=f"a file {path}", found=self.text)


def folders_on_path(state: State) -> list[str]:
    """Return the folders of the repository that ``PATH`` names."""
    value = state.variables["PATH"]
    entries = value.prefix.split(":")[:-1] if isinstance(value, Unknown) else value.split(":")
    folders = (normal(entry, state.variables["PWD"]) for entry in entries if entry)
    return [folder for folder in folders if isinstance(folder, str) and below_root(folder)]


def sourced_path(word: Word, state: State, place: Place, loader: Loader) -> tuple[RepoPath, str]:
    """Return the repository path a ``source`` names, and the name the file then has in ``BASH_SOURCE``.

    A name without a slash is looked for on ``PATH`` first. Raises ``SourceUnresolvable`` and ``SourceOutside``.
    """
    value = value_of(word, state)
    if isinstance(value, Unknown):
        place.unresolvable(value.why)
    if value.startswith(_STREAMS):
        place.unresolvable("it is a stream, not a file")
    if "/" not in value:
        for folder in folders_on_path(state):
            found = repository_path(f"{folder}/{value}", place)
            if loader.load(found) is not None:
                return found, f"{folder}/{value}"
    path = normal(value, state.variables["PWD"])
    if isinstance(path, str) and below_root(path):
        return repository_path(path, place), value
    if isinstance(path, Unknown) and not value.startswith("/"):
        place.unresolvable(path.why)
    where = "outside the repository" if value.startswith("/") else "relative to the empty directory the script runs in"
    return place.outside("a sourced file", where)


def repository_path(path: str, place: Place) -> RepoPath:
    """Return the repository path of a cleaned absolute path in the private tree."""
    try:
        return RepoPath.parse(path.removeprefix(ROOT).removeprefix("/"))
    except PathRefused as refused:
        place.unresolvable(refused.message)
