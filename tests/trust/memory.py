"""Git objects out of dictionaries: what the pure rooms need of a checkout, without one."""

from collections.abc import Mapping
from typing import Final

from opvalue.errors import Kind, OpvalueError
from opvalue.identity import CommitId, Digest, RepoPath, Repository
from opvalue.trust import Commit, Entry
from opvalue.trust.git import EntryKind

REPOSITORY: Final = Repository.parse("acme/widgets")


class Unreadable(OpvalueError):
    """Whatever a checkout refuses."""

    code = "memory.unreadable"
    kind = Kind.REFUSED


class Memory:
    """Commits with their files. A file given as ``None`` is a link."""

    def __init__(self) -> None:
        self._commits: dict[CommitId, Commit] = {}
        self._files: dict[CommitId, Mapping[str, bytes | None]] = {}
        self.held: dict[CommitId, str] = {}
        self.asked: list[str] = []

    @property
    def repository(self) -> Repository:
        return REPOSITORY

    def add(self, files: Mapping[str, bytes | None], *parents: CommitId, ref: str | None = None) -> CommitId:
        commit = CommitId(f"{len(self._commits) + 1:040x}")
        self._commits[commit] = Commit(commit, "0" * 40, parents)
        self._files[commit] = files
        if ref is not None:
            self.held[commit] = ref
        return commit

    def commit(self, commit_id: CommitId, ref: str | None = None) -> Commit:
        if commit_id not in self._commits:
            raise Unreadable("absent", found=ref)
        return self._commits[commit_id]

    def entry(self, commit: Commit, path: RepoPath) -> Entry | None:
        files = self._files[commit.id]
        if str(path) not in files:
            return None
        data = files[str(path)]
        return Entry(path.parts[-1], "120000" if data is None else "100644", Digest.of(data or b"").hex)

    def read(self, commit: Commit, path: RepoPath, limit: int) -> bytes:
        data = self.find(commit, path, limit)
        if data is None:
            raise Unreadable(f"no {path}")
        return data

    def find(self, commit: Commit, path: RepoPath, limit: int) -> bytes | None:
        self.asked.append(str(path))
        entry = self.entry(commit, path)
        if entry is None:
            return None
        data = self._files[commit.id][str(path)]
        if entry.kind is not EntryKind.FILE or data is None or len(data) > limit:
            raise Unreadable(f"{path} cannot be read")
        return data

    def list_folder(self, commit: Commit, folder: str) -> tuple[Entry, ...]:
        paths = [RepoPath(name) for name in self._files[commit.id]]
        found = [self.entry(commit, path) for path in paths if path.folder == folder]
        return tuple(entry for entry in found if entry is not None)

    def holding_ref(self, commit_id: CommitId) -> str | None:
        return self.held.get(commit_id)
