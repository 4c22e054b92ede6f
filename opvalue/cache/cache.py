"""The cache of artifacts: fetch through it, list it, prune it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

from opvalue.cache.record import ArtifactKey
from opvalue.errors import OpvalueError
from opvalue.identity import Digest, Instant


class Cached(NamedTuple):
    """An artifact, open for reading from its start. Close it, or use it in a ``with`` statement."""

    file: BinaryIO
    """Exactly the bytes that were checked, whatever happens to names in the cache meanwhile."""
    digest: Digest
    hit: bool
    """Whether it came from the cache."""
    problem: OpvalueError | None = None
    """What was wrong with the cache, for the user to know; ``file`` is right nonetheless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.file.close()


class Entry(NamedTuple):
    """What the cache holds under one name."""

    name: str
    key: ArtifactKey | None
    """``None`` for what a killed process left, or a damaged entry."""
    digest: Digest | None
    bytes: int
    """On disk."""
    used: Instant
    """When it was last used."""


class Pruned(NamedTuple):
    """What pruning did."""

    removed: tuple[Entry, ...]
    kept: tuple[Entry, ...]


class ArtifactCache:
    """The cache in the folder ``root``, which is made when it is first needed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def fetch(self, key: ArtifactKey, fill: Callable[[BinaryIO], Digest], *, refresh: bool = False) -> Cached:
        """Return the artifact of ``key`` from the cache, or have ``fill`` write it and keep it.

        ``fill`` writes into a seekable, readable file and returns the SHA-256 of what it wrote; what it raises comes
        out as it is, and nothing is kept. It is called a second time where the cache runs out of room. ``refresh``
        passes over what is cached and replaces it. Raises nothing for a fault of the cache: see ``Cached.problem``.
        """
        raise NotImplementedError

    def entries(self) -> tuple[Entry, ...]:
        """Return what is there, last used first. Raises ``CacheUnusable``."""
        raise NotImplementedError

    def prune(
        self, *, unused_since: Instant | None = None, max_bytes: int | None = None, everything: bool = False
    ) -> Pruned:
        """Remove what no process uses and the rules do not keep, and always what is damaged or left over."""
        raise NotImplementedError


def open_default(environ: Mapping[str, str]) -> ArtifactCache:
    """Return the user's cache: in ``OPVALUE_CACHE_DIR``, else where this system keeps caches. Touches nothing."""
    raise NotImplementedError
