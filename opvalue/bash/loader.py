"""The files of a closure as they are discovered: read, counted against the limits, parsed once. No I/O of its own."""

from collections.abc import Callable, Iterator

from opvalue.bash.errors import ClosureTooLarge
from opvalue.bash.parse import ShellParser, parse
from opvalue.bash.tree import Body
from opvalue.identity import RepoPath
from opvalue.limits import Limits


class Loader:
    """Holds the evaluator and, in order of discovery, what it sources or runs."""

    def __init__(
        self,
        path: RepoPath,
        script: bytes,
        read: Callable[[RepoPath], bytes | None],
        parser: ShellParser | None,
        limits: Limits,
    ) -> None:
        self.files: dict[RepoPath, bytes] = {path: script}
        self._bodies: dict[RepoPath, Body] = {}
        self._texts: list[Body] = []
        self._read = read
        self._parser = parser
        self._limits = limits
        self._absent: set[RepoPath] = set()
        self._size = 0

    def load(self, path: RepoPath) -> bytes | None:
        """Return a file's bytes and make it part of the closure, or ``None`` when the commit has none there."""
        if path in self.files:
            return self.files[path]
        data = None if path in self._absent else self._read(path)
        if data is None:
            self._absent.add(path)
            return None
        self._count(path, data)
        self.files[path] = data
        return data

    def body(self, path: RepoPath) -> Body:
        """Return the commands of a loaded file."""
        if path not in self._bodies:
            self._bodies[path] = parse(str(path), self.files[path], self._parser)
        return self._bodies[path]

    def text_body(self, name: str, text: str) -> Body:
        """Return the commands of a text inside a script, such as that of a trap."""
        body = parse(name, text.encode("utf-8", "surrogateescape"), self._parser)
        self._texts.append(body)
        return body

    def bodies(self) -> tuple[tuple[RepoPath, Body], ...]:
        """Return the commands of every file read so far."""
        return tuple(self._bodies.items())

    def all_bodies(self) -> Iterator[Body]:
        """Yield the commands of every file and text read so far."""
        yield from self._bodies.values()
        yield from self._texts

    def _count(self, path: RepoPath, data: bytes) -> None:
        if len(self.files) > self._limits.siblings:
            raise ClosureTooLarge(
                "the evaluator sources too many files",
                expected=f"at most {self._limits.siblings} besides itself",
                found=f"{path} is one more",
            )
        self._size += len(data)
        if self._size > self._limits.sibling_bytes:
            raise ClosureTooLarge(
                "the files the evaluator sources are too large together",
                expected=f"at most {self._limits.sibling_bytes} bytes",
                found=f"{self._size} bytes with {path}",
            )
