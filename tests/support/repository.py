"""Real git repositories with fixed dates and authors, so that equal content has equal commit ids everywhere."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

REMOTE: Final = "https://github.com/acme/widgets.git"
FIXED_DATE: Final = "2026-08-20T09:00:00Z"
GIT: Final = shutil.which("git") or "git"


class GitRepository:
    """A repository in ``path``. ``publish`` makes it look like a clone of ``remote``."""

    def __init__(self, path: Path, *, remote: str = REMOTE, sha256: bool = False) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self("init", "-q", "-b", "main", *(["--object-format=sha256"] if sha256 else []))
        self("remote", "add", "origin", remote)

    def __call__(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Run git there and return its output, stripped."""
        finished = subprocess.run(
            [GIT, "-C", str(self.path), *arguments],
            input=stdin,
            capture_output=True,
            check=False,
            timeout=60,
            env=git_environment() | dict(env or {}),
        )
        assert finished.returncode == 0, finished.stderr.decode()
        return finished.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: Mapping[str, bytes | str]) -> None:
        """Write files into the working tree; scripts are executable."""
        for name, content in files.items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
            target.chmod(0o755 if name.endswith((".sh", ".bash")) else 0o644)

    def commit(self, files: Mapping[str, bytes | str], message: str = "Change", *, when: str = FIXED_DATE) -> str:
        """Write, add and commit; return the commit's id."""
        self.write(files)
        self("add", "-A")
        self("commit", "-q", "--allow-empty", "-m", message, env={"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when})
        return self("rev-parse", "HEAD")

    def publish(self, branch: str = "main", commit: str = "HEAD") -> None:
        """Let the remote's branch point at ``commit``, as a fetch would."""
        self("update-ref", f"refs/remotes/origin/{branch}", commit)


def git_environment() -> dict[str, str]:
    """Return an environment in which git is nobody's: fixed names and dates, no configuration but the repository's."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_NAME": "A. Maintainer",
        "GIT_AUTHOR_EMAIL": "maintainer@example.com",
        "GIT_COMMITTER_NAME": "A. Maintainer",
        "GIT_COMMITTER_EMAIL": "maintainer@example.com",
        "GIT_AUTHOR_DATE": FIXED_DATE,
        "GIT_COMMITTER_DATE": FIXED_DATE,
        "LC_ALL": "C",
    }
