"""When a file came into a repository: its first commit, what it was called and what it said then.

Git proposes, and the objects decide: each commit taken for the first has been re-hashed, and so have the trees that
show the file there and not in the commit's parents. Only that an earlier file is the same one renamed is git's word.
Read from ``HEAD``, whatever the remote has. Not asked: whether history was rewritten before it came here.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, Self

from opvalue.checkout import errors
from opvalue.checkout.advice import Advice
from opvalue.checkout.discovery import Discovered, discover
from opvalue.checkout.plumbing import ask, find_git
from opvalue.checkout.remotes import choose
from opvalue.checkout.store import ObjectStore
from opvalue.identity import CommitId, Instant, PathRefused, RepoPath, Repository
from opvalue.limits import Limits
from opvalue.trust.git import Commit, Entry, EntryKind

_TIMES: Final = re.compile(rb"^(author|committer) [^\n]*> (-?[0-9]{1,12}) ([+-])([0-9]{2})([0-9]{2})$", re.MULTILINE)
_YEARS: Final = range(-62_135_596_800, 253_402_300_800)
"""Seconds since the epoch of the years 1 to 9999: no other instant can be written."""
_HEAD: Final = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
_NO_COMMIT: Final = 1


class Stamp(NamedTuple):
    """A time in a commit, with the zone of the clock it was read from."""

    instant: Instant
    offset_minutes: int


class FirstCommit(NamedTuple):
    """The commit that brought a file in."""

    commit: CommitId
    parent: CommitId | None
    """Its first parent: the last state without the file. ``None`` for a repository's first commit."""
    authored: Stamp
    committed: Stamp
    path: RepoPath
    """What the file was called then."""
    text: bytes
    """What it said then."""
    renamed: tuple[RepoPath, ...]
    """What it has been called since, oldest first; empty where it was never renamed."""


class History:
    """The history of one local repository. Close it, or use it in ``with``."""

    def __init__(self, found: Discovered, limits: Limits) -> None:
        self._found = found
        self._limits = limits
        self._store = ObjectStore(found, limits)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        repository: Repository | None = None,
        git: Path | None = None,
        limits: Limits | None = None,
    ) -> Self:
        """Open the repository that ``path`` is or lies in; with ``repository``, it must be a clone of that.

        Raises ``GitMissing``, ``NotARepository``, ``DubiousOwnership``, ``NoTrustedRemote`` and ``ShallowHistory``: a
        shallow clone's first commit is not the file's.
        """
        limits = limits or Limits()
        environ = dict(os.environ)
        found = discover(git or find_git(environ.get("PATH", os.defpath)), path, environ, limits)
        remote = "origin"
        if repository is not None:
            remote = choose(found.settings.remotes, repository, bare=found.bare).remotes[0].name
        if found.shallow is not None:
            advice = Advice(found.path, remote, shallow=True, partial=found.settings.partial)
            raise errors.ShallowHistory(
                f"the clone {found.path} is shallow: where its history begins, nothing begins",
                expected="the whole history",
                hint=advice.for_history,
            )
        return cls(found, limits)

    def close(self) -> None:
        """End the git process. Nothing was written."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def first_commit(self, path: RepoPath) -> FirstCommit:
        """Return the commit that brought the file in, renames followed. Raises ``NeverCommitted``."""
        found = self._addition(self._head(), path)
        if found is None:
            raise errors.NeverCommitted(
                f"no commit up to HEAD has {path}",
                expected=str(path),
                hint="Commit the workflow first, or check its name.",
            )
        renamed: list[RepoPath] = []
        # Ends by itself: each turn leads to an ancestor.
        while (earlier := self._renamed_from(found, path)) is not None:
            before = self._addition(found.parents[0], earlier)
            if before is None:
                break
            renamed.insert(0, path)
            found, path = before, earlier
        return self._described(found, path, tuple(renamed))

    def has(self, commit_id: CommitId, path: RepoPath) -> bool | None:
        """Tell whether a commit has the file; ``None`` where the commit is not here."""
        commit = self._commit(commit_id)
        return None if commit is None else self._entry(commit, path) is not None

    def _head(self) -> CommitId:
        said = ask(self._found.call, _HEAD, seconds=self._limits.git_seconds, empty_status=_NO_COMMIT)
        commit_id = CommitId.parse(said.decode("ascii", "replace").strip())
        if commit_id is None:
            raise errors.NeverCommitted("the repository has no commit yet", expected="a commit with the workflow")
        return commit_id

    def _addition(self, tip: CommitId, path: RepoPath) -> Commit | None:
        for commit_id in self._store.touching(tip, path):
            commit = self._commit(commit_id)
            if commit is not None and self._entry(commit, path) is not None and not self._in_a_parent(commit, path):
                return commit
        return None

    def _in_a_parent(self, commit: Commit, path: RepoPath) -> bool:
        return any(self._entry(parent, path) is not None for parent in self._parents(commit))

    def _parents(self, commit: Commit) -> Iterator[Commit]:
        for parent_id in commit.parents:
            parent = self._commit(parent_id)
            if parent is None:
                raise errors.ObjectMissing(f"commit {parent_id}, a parent of {commit.id.short}, is not in the store")
            yield parent

    def _renamed_from(self, commit: Commit, path: RepoPath) -> RepoPath | None:
        if not commit.parents:
            return None
        for old, new in self._store.renames(commit.parents[0], commit.id):
            if new == path.text:
                try:
                    return RepoPath.parse(old)
                except PathRefused:
                    return None
        return None

    def _commit(self, commit_id: CommitId) -> Commit | None:
        found = self._store.commit(commit_id)
        return found if isinstance(found, Commit) else None

    def _entry(self, commit: Commit, path: RepoPath) -> Entry | None:
        """Return the file at ``path``: a link, a folder or a submodule there is no file."""
        *folders, name = path.parts
        oid = commit.tree
        for folder in folders:
            entry = self._tree(oid).get(folder)
            if entry is None or entry.kind is not EntryKind.FOLDER:
                return None
            oid = entry.oid
        entry = self._tree(oid).get(name)
        return entry if entry is not None and entry.kind is EntryKind.FILE else None

    def _tree(self, oid: str) -> dict[str, Entry]:
        found = self._store.tree(oid)
        if found is None:
            raise errors.ObjectMissing(f"tree {oid}, which a commit names, is not in the store")
        return found

    def _described(self, commit: Commit, path: RepoPath, renamed: tuple[RepoPath, ...]) -> FirstCommit:
        entry = self._entry(commit, path)
        shown = f"{path} at commit {commit.id.short}"
        text = None if entry is None else self._store.blob(entry.oid, self._limits.workflow_bytes, shown)
        if text is None:
            raise errors.ObjectNotFetched(f"{shown} is not in this clone", expected="the file's content")
        authored, committed = self._stamps(commit.id)
        return FirstCommit(commit.id, next(iter(commit.parents), None), authored, committed, path, text, renamed)

    def _stamps(self, commit_id: CommitId) -> tuple[Stamp, Stamp]:
        found = self._store.content(commit_id.hex, self._limits.git_object_bytes)
        head = b"" if found is None else found[1].partition(b"\n\n")[0]
        stamps = {match[1]: _stamp(match) for match in _TIMES.finditer(head) if int(match[2]) in _YEARS}
        try:
            return stamps[b"author"], stamps[b"committer"]
        except KeyError:
            raise errors.ObjectMalformed(
                f"commit {commit_id} does not say when it was made, or names a time that no calendar has"
            ) from None


def _stamp(match: "re.Match[bytes]") -> Stamp:
    minutes = int(match[4]) * 60 + int(match[5])
    return Stamp(Instant(int(match[2]) * 1000), -minutes if match[3] == b"-" else minutes)
