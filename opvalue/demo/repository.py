"""A real git repository with fixed dates and names, so that its commit has the same id on every machine."""

import errno
import os
import signal
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.errors import NoSpace, OpvalueError
from opvalue.process import Command, find_program, run, usual_path

REMOTE: Final = "https://github.com/acme/widgets.git"
_SECONDS: Final = 30.0
_STREAM_BYTES: Final = 1024 * 1024
_NO_ROOM: Final = (os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT), os.strerror(errno.EFBIG))


class DemoFailed(OpvalueError):
    """The demo's own repository cannot be made with the git at hand."""

    code = "demo.failed"
    advice = "Run `opvalue doctor`; the demo needs a working git, bash and jq."


class Commit(NamedTuple):
    """What one commit of the repository adds: when (``2025-08-01T09:00:00Z``), its message, and files by path."""

    at: str
    message: str
    files: dict[str, bytes]


def make_repository(folder: Path, commits: tuple[Commit, ...]) -> str:
    """Create a repository in ``folder`` with these commits, as a clone of ``REMOTE``; return the last commit's id.

    Nothing is fetched: the remote's branch is set to the commit, as a fetch would have done.
    """
    git = _Git(folder)
    git("init", "--quiet", "--initial-branch=main", ".")
    git("remote", "add", "origin", REMOTE)
    for commit in commits:
        _write(folder, commit.files)
        git("add", "--all")
        git("commit", "--quiet", "--message", commit.message, at=commit.at)
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    return git("rev-parse", "HEAD")


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o755 if name.endswith(".sh") else 0o644)


class _Git:
    """git in one folder, under nobody's configuration."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._program = find_program("git", usual_path())
        identity = {"NAME": "A. Maintainer", "EMAIL": "maintainer@example.com"}
        self._environment = {
            "PATH": usual_path(),
            "HOME": str(folder),
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in identity.items()},
        }

    def __call__(self, *arguments: str, at: str | None = None) -> str:
        dates = {} if at is None else {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        finished = run(
            Command(
                argv=(str(self._program), *arguments),
                cwd=self._folder,
                env={**self._environment, **dates},
                seconds=_SECONDS,
                stream_bytes=_STREAM_BYTES,
            )
        )
        said = finished.stderr.decode("utf-8", "replace").strip()
        if finished.status == -signal.SIGXFSZ or any(words in said for words in _NO_ROOM):
            raise NoSpace(f"git {arguments[0]} found no room", found=said[:200] or None)
        if finished.status != 0:
            raise DemoFailed(f"git {arguments[0]} ended with status {finished.status}", found=said[:200])
        return finished.stdout.decode("utf-8", "replace").strip()
