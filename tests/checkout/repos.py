"""Real git repositories for tests: fixed people and dates, no settings of the machine, objects forged at will."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from opvalue.checkout import GitCheckout
from opvalue.identity import CommitId, RepoPath, Repository

REPOSITORY = Repository.parse("acme/widgets")
URL = "https://github.com/acme/widgets.git"
PATH = RepoPath(".github/graders/value.sh")
SCRIPT = b"#!/usr/bin/env bash\necho 1\n"
LIMIT = 65536

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2026-08-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_COMMITTER_DATE": "2026-08-01T00:00:00Z",
}

_git = shutil.which("git")
assert _git is not None
GIT = Path(_git)


class Repo:
    """A repository on disk, driven by the git command itself."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def init(cls, path: Path, *words: str, remote: str | None = URL) -> "Repo":
        """Make an empty repository on ``main``, with ``origin`` at ``remote``."""
        path.mkdir(parents=True, exist_ok=True)
        repo = cls(path)
        repo.git("init", "-q", "-b", "main", "--template=", *words)
        if remote is not None:
            repo.git("remote", "add", "origin", remote)
        return repo

    @classmethod
    def clone(cls, source: "Repo", path: Path, *words: str, remote: str = URL) -> "Repo":
        """Clone ``source`` over the file transport, then call its address ``remote``."""
        source.git("clone", "-q", *words, f"file://{source.path}", str(path))
        repo = cls(path)
        repo.git("remote", "set-url", "origin", remote)
        return repo

    def git(self, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, check: bool = True) -> str:
        """Run git here and return what it prints, without the last line feed."""
        finished = subprocess.run(
            [str(GIT), "-C", str(self.path), *words],
            input=stdin,
            capture_output=True,
            env={**ENVIRONMENT, **(env or {})},
            check=False,
        )
        if check and finished.returncode != 0:
            raise AssertionError(finished.stderr.decode("utf-8", "replace"))
        return os.fsdecode(finished.stdout).removesuffix("\n")

    def commit(self, files: Mapping[str, bytes] | None = None, message: str = "change") -> CommitId:
        """Write ``files``, commit everything, and return the commit."""
        for name, data in (files or {}).items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head()

    def head(self, name: str = "HEAD") -> CommitId:
        """Return the full id ``name`` resolves to."""
        return CommitId(self.git("rev-parse", "--verify", name))

    def publish(self, branch: str = "main", commit: CommitId | None = None) -> None:
        """Let the clone believe that the remote's ``branch`` is at ``commit`` (HEAD)."""
        self.git("update-ref", f"refs/remotes/origin/{branch}", (commit or self.head()).hex)

    def commit_tree(self, tree: str, *parents: CommitId, message: str = "forged") -> CommitId:
        """Write a commit object that no ref holds."""
        words = [word for parent in parents for word in ("-p", parent.hex)]
        return CommitId(self.git("commit-tree", tree, *words, "-m", message))

    def tree_with(self, name: str, data: bytes) -> str:
        """Write a root tree that holds one file, and return its id."""
        index = {"GIT_INDEX_FILE": str(self.path / "other-index")}
        blob = self.git("hash-object", "-w", "--stdin", stdin=data)
        self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}", env=index)
        tree = self.git("write-tree", env=index)
        (self.path / "other-index").unlink()
        return tree

    def object_file(self, oid: str) -> Path:
        """Return the place of a loose object."""
        return Path(self.git("rev-parse", "--absolute-git-dir")) / "objects" / oid[:2] / oid[2:]

    def raw(self, kind: str, data: bytes) -> str:
        """Write any bytes as a loose object under their true id, past every check of git's."""
        stored = b"%s %d\0" % (kind.encode(), len(data)) + data
        oid = hashlib.sha1(stored, usedforsecurity=False).hexdigest()
        self.overwrite(oid, zlib.compress(stored))
        return oid

    def content(self, oid: str) -> tuple[str, bytes]:
        """Return type and bytes of an object as git serves them."""
        kind = self.git("cat-file", "-t", oid)
        words = [str(GIT), "-C", str(self.path), "cat-file", kind, oid]
        return kind, subprocess.run(words, capture_output=True, env=ENVIRONMENT, check=True).stdout

    def alter(self, oid: str, data: bytes, kind: str | None = None) -> None:
        """Overwrite a loose object with other content: valid compression, right header, wrong hash."""
        kind = kind or self.git("cat-file", "-t", oid)
        self.overwrite(oid, zlib.compress(b"%s %d\0" % (kind.encode(), len(data)) + data))

    def overwrite(self, oid: str, stored: bytes) -> None:
        """Put any bytes in the place of a loose object."""
        file = self.object_file(oid)
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(stored)

    def remove(self, oid: str) -> None:
        """Take a loose object away."""
        self.object_file(oid).unlink()

    def config(self, text: str) -> None:
        """Append to the repository's configuration file."""
        folder = self.path / self.git("rev-parse", "--git-common-dir")
        with (folder / "config").open("a") as file:
            file.write(text)

    def open(self, repository: Repository | None = REPOSITORY, git: Path | None = None) -> GitCheckout:
        """Open it as a checkout."""
        return GitCheckout.open(self.path, repository=repository, git=git)


def published(path: Path, script: bytes = SCRIPT) -> tuple[Repo, CommitId]:
    """Return a repository whose remote's main branch is at one commit that holds the evaluator."""
    commit_id, files = _published(script)
    for name, data in files:
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    for folder in ("branches", "objects/info", "objects/pack", "refs/tags"):
        (path / ".git" / folder).mkdir(parents=True, exist_ok=True)
    return Repo(path), commit_id


@cache
def _published(script: bytes) -> tuple[CommitId, tuple[tuple[str, bytes], ...]]:
    """Make the repository once, and keep its files: every test then writes them anew."""
    with tempfile.TemporaryDirectory() as folder:
        repo = Repo.init(Path(folder))
        commit_id = repo.commit({str(PATH): script})
        repo.publish()
        files = [file for file in repo.path.rglob("*") if file.is_file()]
        return commit_id, tuple((str(file.relative_to(repo.path)), file.read_bytes()) for file in files)


def program(path: Path, text: str) -> Path:
    """Write an executable Bash script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/usr/bin/env bash\n{text}\n")
    path.chmod(0o755)
    return path
