"""The object store of a checkout, read through an empty git directory that borrows only the object folder.

Every object handed out has been re-hashed. Reads only; nothing is written anywhere.
"""

from collections.abc import Iterable

from opvalue.checkout.batch import BatchReader
from opvalue.checkout.command import isolated
from opvalue.checkout.discovery import Discovered
from opvalue.checkout.errors import ObjectMalformed, ObjectMissing, ObjectTooLarge, UnsafeObjectId, WrongObjectFormat
from opvalue.checkout.objects import HEX_LENGTHS, read_commit, read_tag, read_tree, verified
from opvalue.checkout.plumbing import ask
from opvalue.identity import CommitId, RepoPath
from opvalue.limits import Limits
from opvalue.trust.git import Commit, Entry

_MAX_TAG_DEPTH = 8
_CACHED_TREES = 256


class ObjectStore:
    """Verified reads by full object id."""

    def __init__(self, found: Discovered, limits: Limits) -> None:
        self._format = found.object_format
        self._limits = limits
        self._call = isolated(
            found.git, found.objects, found.object_format, shallow=found.shallow, environ=found.environ
        )
        self._reader = BatchReader(self._call, limits.git_seconds)
        self._trees: dict[str, dict[str, Entry]] = {}

    def close(self) -> None:
        """End the git process."""
        self._reader.close()

    def content(self, oid: str, limit: int) -> tuple[str, bytes] | None:
        """Return type and content, re-hashed, or ``None`` when the store does not hold the object.

        Raises ``UnsafeObjectId`` and ``WrongObjectFormat`` before git sees the id, ``ObjectAltered``,
        ``ObjectTooLarge``, ``ObjectUnreadable`` and what stops git.
        """
        if CommitId.parse(oid) is None:
            raise UnsafeObjectId(f"{oid[:80]!r} is not a full object id")
        if len(oid) != HEX_LENGTHS[self._format]:
            raise WrongObjectFormat(
                f"{oid} cannot be an object of this repository",
                expected=f"{HEX_LENGTHS[self._format]} characters ({self._format})",
                found=f"{len(oid)} characters",
            )
        raw = self._reader.read(oid, limit)
        return None if raw is None else (raw.kind, verified(oid, raw, self._format))

    def commit(self, commit_id: CommitId) -> Commit | str | None:
        """Return the commit, or the type of what bears the id instead, or ``None`` when nothing does."""
        found = self.content(commit_id.hex, self._limits.git_object_bytes)
        if found is None:
            return None
        kind, data = found
        return read_commit(commit_id, data) if kind == "commit" else kind

    def tree(self, oid: str) -> dict[str, Entry] | None:
        """Return a tree's entries by name, or ``None`` when the store does not hold it."""
        if oid in self._trees:
            return self._trees[oid]
        found = self.content(oid, self._limits.git_object_bytes)
        if found is None:
            return None
        entries = read_tree(oid, _of_kind("tree", oid, found))
        if len(self._trees) < _CACHED_TREES:
            self._trees[oid] = entries
        return entries

    def blob(self, oid: str, limit: int, shown: str) -> bytes | None:
        """Return a blob's content, or ``None`` when the store does not hold it. ``shown`` names it in messages."""
        try:
            found = self.content(oid, limit)
        except ObjectTooLarge as large:
            raise ObjectTooLarge(f"{shown} is too large", expected=large.expected, found=large.found) from None
        return None if found is None else _of_kind("blob", oid, found)

    def peeled(self, oid: str) -> CommitId | None:
        """Return the commit that ``oid`` is, or that its chain of annotated tags ends in; ``None`` for others."""
        for _ in range(_MAX_TAG_DEPTH):
            found = self.content(oid, self._limits.git_object_bytes)
            if found is None:
                raise ObjectMissing(f"object {oid}, which a ref or tag names, is not in the store")
            kind, data = found
            if kind == "commit":
                return CommitId(oid)
            if kind != "tag":
                return None
            oid, _ = read_tag(oid, data)
        return None

    def descendants(self, target: CommitId, tips: Iterable[CommitId]) -> list[str]:
        """Return git's unverified word on the commits between ``tips`` and ``target``: each with its parents."""
        wanted = "".join(f"{line}\n" for line in (f"^{target}", *dict.fromkeys(tip.hex for tip in tips)))
        words = ("rev-list", "--parents", "--ancestry-path", "--ignore-missing", "--stdin")
        output = ask(self._call, words, seconds=self._limits.git_seconds, stdin=wanted.encode("ascii"))
        return output.decode("ascii", "replace").splitlines()

    def touching(self, tip: CommitId, path: RepoPath) -> list[CommitId]:
        """Return git's unverified word on the commits up to ``tip`` that change what is at ``path``, oldest first."""
        words = ("rev-list", "--full-history", "--date-order", "--reverse", tip.hex, "--", f":(literal){path}")
        output = ask(self._call, words, seconds=self._limits.git_seconds)
        found = map(CommitId.parse, output.decode("ascii", "replace").splitlines())
        return [commit_id for commit_id in found if commit_id is not None]

    def renames(self, parent: CommitId, commit: CommitId) -> list[tuple[str, str]]:
        """Return git's unverified word on the files that a commit renames: old and new paths."""
        words = ("diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", parent.hex, commit.hex)
        output = ask(self._call, words, seconds=self._limits.git_seconds)
        fields = output.decode("utf-8", "surrogateescape").split("\0")
        return list(zip(fields[1::3], fields[2::3], strict=False))


def _of_kind(expected: str, oid: str, found: tuple[str, bytes]) -> bytes:
    kind, data = found
    if kind != expected:
        raise ObjectMalformed(f"{oid} is used as a {expected} and is a {kind}", expected=expected, found=kind)
    return data
