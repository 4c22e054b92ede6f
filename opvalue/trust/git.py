"""What trust needs of a git object store: commits, tree entries, bytes, and which ref holds a commit (DESIGN 4.6).

Pure: values and one Protocol. ``checkout`` implements it over a local repository; a test can implement it over a
dictionary. Whoever implements it has re-hashed every object it hands out; that cannot be checked here.
"""

import enum
from typing import NamedTuple, Protocol

from opvalue.identity import CommitId, RepoPath, Repository


class EntryKind(enum.Enum):
    """What a tree entry is, by its mode."""

    FILE = "file"
    """Mode 100644 or 100755."""
    FOLDER = "folder"
    """Mode 40000: another tree."""
    SYMLINK = "symbolic link"
    """Mode 120000: the blob is a target path."""
    SUBMODULE = "submodule"
    """Mode 160000: a commit of another repository."""
    OTHER = "entry of an unusual mode"
    """Any other mode; git writes none today."""


_KINDS = {
    "100644": EntryKind.FILE,
    "100755": EntryKind.FILE,
    "40000": EntryKind.FOLDER,
    "120000": EntryKind.SYMLINK,
    "160000": EntryKind.SUBMODULE,
}


class Commit(NamedTuple):
    """A commit's place in history, as its own bytes say it (not as grafts or replacements would have it)."""

    id: CommitId
    tree: str
    """Object id of the root folder."""
    parents: tuple[CommitId, ...]
    """In the commit's order; empty for a root commit."""


class Entry(NamedTuple):
    """One entry of a folder at a commit."""

    name: str
    """The last segment of its path. Bytes that are not UTF-8 are kept as lone surrogates."""
    mode: str
    """Octal, as stored: ``100644``, ``100755``, ``120000``, ``160000``, ``40000``."""
    oid: str
    """Object id of the blob, tree or, for a submodule, the other repository's commit."""

    @property
    def kind(self) -> EntryKind:
        """What the mode says the entry is."""
        return _KINDS.get(self.mode, EntryKind.OTHER)


class Objects(Protocol):
    """Verified reads from one repository. Every method raises the implementer's own coded errors."""

    @property
    def repository(self) -> Repository:
        """The repository the trusted remote names."""
        ...

    def commit(self, commit_id: CommitId, ref: str | None = None) -> Commit:
        """Return the commit. Raises when it is absent, is no commit, or does not hash to its id.

        ``ref`` is the ref its run was recorded with; the refusal of an absent one says what would bring it.
        """
        ...

    def entry(self, commit: Commit, path: RepoPath) -> Entry | None:
        """Return the tree entry at ``path``, or ``None`` when the commit has none."""
        ...

    def read(self, commit: Commit, path: RepoPath, limit: int) -> bytes:
        """Return the regular file at ``path``, at most ``limit`` bytes. Raises when absent or anything else."""
        ...

    def find(self, commit: Commit, path: RepoPath, limit: int) -> bytes | None:
        """Return what ``read`` returns, or ``None`` when the commit has nothing at ``path``."""
        ...

    def list_folder(self, commit: Commit, folder: str) -> tuple[Entry, ...]:
        """Return the entries of ``folder`` in stored order; ``""`` is the root. Empty when there is no such folder."""
        ...

    def holding_ref(self, commit_id: CommitId) -> str | None:
        """Return a branch or tag of the trusted remote that leads to the commit, or ``None``."""
        ...
