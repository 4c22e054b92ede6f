"""Reading something that must be refused, and making sure that reading left it as it was."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.archive import ArchivedRun, read_artifact
from opvalue.errors import OpvalueError
from opvalue.limits import Limits


def refused(archive: bytes, folder: Path, limits: Limits | None = None) -> OpvalueError:
    """Return why the zip is refused. Its bytes and everything beside it are asserted unchanged."""
    path = folder / "agent.zip"
    path.write_bytes(archive)
    return refused_path(path, limits)


def refused_path(path: Path, limits: Limits | None = None) -> OpvalueError:
    """Return why the file or folder is refused, which must be one of our own errors."""
    root = path if path.is_dir() else path.parent
    before = fingerprint(root)
    with pytest.raises(OpvalueError) as caught:
        read_artifact(path, limits or Limits())
    assert fingerprint(root) == before
    assert caught.value.message
    assert caught.value.hint
    return caught.value


def outcome_of(read: Callable[[], ArchivedRun]) -> ArchivedRun | OpvalueError:
    """Return the archived run, or our own error in place of it; any other exception passes through and fails."""
    try:
        return read()
    except OpvalueError as error:
        return error


def fingerprint(folder: Path) -> dict[str, str]:
    """SHA-256 of every regular file below ``folder``, and the kind of everything else."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = Path(parent, name)
            regular = path.is_file() and not path.is_symlink()
            digest = hashlib.sha256(path.read_bytes()).hexdigest() if regular else oct(path.lstat().st_mode)
            found[str(path.relative_to(folder))] = digest
    return found
