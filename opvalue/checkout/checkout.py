"""A local clone as the trusted source of commits, trees and blobs (DESIGN 4.5, 4.6; GT-01 to GT-12).

Plumbing reads only: the working tree, the index, HEAD, hooks, filters and text conversions play no part, nothing is
fetched, and every object used is re-hashed. What makes the clone trusted is its remote's address, compared by host
and name. Not checked here: that the server still has what the clone has, and who owns the clone (git does that).
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from opvalue.checkout import errors
from opvalue.checkout.advice import Advice
from opvalue.checkout.discovery import Discovered, discover
from opvalue.checkout.objects import is_lfs_pointer
from opvalue.checkout.plumbing import find_git
from opvalue.checkout.refs import Refs
from opvalue.checkout.remotes import choose
from opvalue.checkout.store import ObjectStore
from opvalue.identity import CommitId, RepoPath, Repository
from opvalue.limits import Limits
from opvalue.trust.git import Commit, Entry, EntryKind

_REFUSED_KINDS: Final[Mapping[EntryKind, type[errors.CheckoutRefused]]] = {
    EntryKind.FOLDER: errors.FolderRefused,
    EntryKind.SYMLINK: errors.SymlinkRefused,
    EntryKind.SUBMODULE: errors.SubmoduleRefused,
    EntryKind.OTHER: errors.UnusualMode,
}


class GitCheckout:
    """Verified reads from one local repository. Implements ``trust.Objects``. Close it, or use it in ``with``."""

    def __init__(self, found: Discovered, repository: Repository | None, limits: Limits) -> None:
        trusted = choose(found.settings.remotes, repository, bare=found.bare)
        self.path = found.path
        self.repository = trusted.repository
        """The repository the trusted remote names, as it was asked for."""
        self.remote = trusted.remotes[0].name
        """The trusted remote's name in this clone."""
        self._partial = found.settings.partial
        self._limits = limits
        self._advice = Advice(found.path, self.remote, shallow=found.shallow is not None, partial=self._partial)
        self._store = ObjectStore(found, limits)
        self._refs = Refs(found, trusted, self._store, limits)

    @classmethod
    def open(
        cls, path: Path, *, repository: Repository | None, git: Path | None = None, limits: Limits | None = None
    ) -> Self:
        """Open the repository that ``path`` is or lies in, and pick its trusted remote.

        1. Find git, and let it find the repository: ``GitMissing``, ``NotARepository``, ``DubiousOwnership``.
        2. Pick the remotes that are ``repository``; without one, the only repository the remotes name:
           ``NoTrustedRemote``, ``AmbiguousRepository``.

        Several remotes that name one repository (by ssh and by https, say) are one. Nothing is read from the store.
        """
        limits = limits or Limits()
        environ = dict(os.environ)
        found = discover(git or find_git(environ.get("PATH", os.defpath)), path, environ, limits)
        return cls(found, repository, limits)

    def close(self) -> None:
        """End the git process. Nothing was written."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def commit(self, commit_id: CommitId, ref: str | None = None) -> Commit:
        """Return the commit, re-hashed. ``ref``, the one its run was recorded with, makes the advice better.

        Raises ``UnsafeObjectId``, ``WrongObjectFormat``, ``CommitAbsent``, ``NotACommit``, ``ObjectAltered`` and the
        other causes of ``errors``.
        """
        found = self._store.commit(commit_id)
        if found is None:
            raise errors.CommitAbsent(
                f"commit {commit_id} is not in this checkout{self._advice.incompleteness}",
                hint=self.absent_hint(commit_id, ref),
            )
        if isinstance(found, str):
            raise errors.NotACommit(f"{commit_id} is not a commit", expected="commit", found=found)
        return found

    def entry(self, commit: Commit, path: RepoPath) -> Entry | None:
        """Return the tree entry at ``path``, or ``None`` when the commit has none.

        A symbolic link or submodule on the way to ``path`` is refused: what lies behind it is not in the commit.
        """
        *folders, name = path.parts
        tree = self._folder(commit, folders)
        return None if tree is None else tree.get(name)

    def read(self, commit: Commit, path: RepoPath, limit: int) -> bytes:
        """Return the regular file at ``path`` as stored, at most ``limit`` bytes.

        Raises ``PathAbsent``, ``SymlinkRefused``, ``SubmoduleRefused``, ``FolderRefused``, ``UnusualMode``,
        ``ObjectTooLarge``, ``LfsPointer``, ``ObjectNotFetched``, ``ObjectMissing``, ``ObjectAltered``.
        """
        data = self.find(commit, path, limit)
        if data is None:
            raise errors.PathAbsent(f"commit {commit.id.short} has no {path}", expected=str(path), found="nothing")
        return data

    def find(self, commit: Commit, path: RepoPath, limit: int) -> bytes | None:
        """Return what ``read`` returns, or ``None`` when the commit has nothing at ``path``."""
        entry = self.entry(commit, path)
        if entry is None:
            return None
        at = f"{path} at commit {commit.id.short}"
        refused = _REFUSED_KINDS.get(entry.kind)
        if refused is not None:
            raise refused(f"{at} is a {entry.kind.value}", expected="mode 100644 or 100755", found=f"mode {entry.mode}")
        data = self._store.blob(entry.oid, limit, at)
        if data is None:
            raise self._lost(at, entry.oid)
        if is_lfs_pointer(data):
            raise errors.LfsPointer(f"{at} is stored in LFS: the commit holds a pointer only")
        return data

    def list_folder(self, commit: Commit, folder: str) -> tuple[Entry, ...]:
        """Return the entries of ``folder`` in stored order; ``""`` is the root. Empty when there is no such folder."""
        tree = self._folder(commit, RepoPath.parse(folder).parts if folder else ())
        return () if tree is None else tuple(tree.values())

    def holding_ref(self, commit_id: CommitId) -> str | None:
        """Return a branch or tag of the trusted remote, by the remote's own name, that leads to the commit.

        ``None`` when none does, or when the commit is not here. Git's word only guides the search: every commit on
        the path, and the annotated tag it begins at, has been re-hashed. A branch wins over a tag, then the default
        branch, then the nearest. Raises ``SearchTimedOut`` and what stops git.
        """
        if not isinstance(self._store.commit(commit_id), Commit):
            return None
        return self._refs.holding(commit_id)

    def absent_hint(self, commit_id: CommitId, ref: str | None = None) -> str:
        """Return what would bring an absent commit; ``ref`` is the ref its run was recorded with (GT-01, GT-03)."""
        return self._advice.for_commit(commit_id, ref)

    def _folder(self, commit: Commit, folders: tuple[str, ...] | list[str]) -> Mapping[str, Entry] | None:
        tree = self._tree(commit, commit.tree, "the root folder")
        for depth, name in enumerate(folders, 1):
            entry = tree.get(name)
            if entry is None:
                return None
            shown = "/".join(folders[:depth])
            if entry.kind in {EntryKind.SYMLINK, EntryKind.SUBMODULE}:
                raise _REFUSED_KINDS[entry.kind](
                    f"{shown} at commit {commit.id.short} is a {entry.kind.value}", expected="a folder"
                )
            if entry.kind is not EntryKind.FOLDER:
                return None
            tree = self._tree(commit, entry.oid, shown)
        return tree

    def _tree(self, commit: Commit, oid: str, shown: str) -> Mapping[str, Entry]:
        tree = self._store.tree(oid)
        if tree is None:
            raise self._lost(f"{shown} at commit {commit.id.short}", oid)
        return tree

    def _lost(self, what: str, oid: str) -> errors.CheckoutRefused:
        if self._partial:
            return errors.ObjectNotFetched(
                f"{what} exists, but this partial clone has not fetched it",
                expected=f"object {oid}",
                found="not fetched",
                hint=self._advice.for_object(oid),
            )
        return errors.ObjectMissing(f"{what} is missing from the object store", expected=f"object {oid}")
