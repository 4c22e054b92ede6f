"""Open an artifact, a zip or an extracted folder, and read the archived run in it.

The path is opened once and everything is read through that descriptor, so what is exchanged behind the name later
changes nothing (DG-06). The artifact is never written to.
"""

import os
import stat
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, Final

from opvalue.archive.errors import ArtifactAbsent, ArtifactNotRegular
from opvalue.archive.run import ArchivedRun, read_run
from opvalue.archive.window import unreadable
from opvalue.limits import Limits

_DEFAULT: Final = Limits()
# Without O_NONBLOCK a named pipe would wait for its writer.
_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def read_archive(file: BinaryIO, limits: Limits = _DEFAULT) -> ArchivedRun:
    """Read a zip artifact from a seekable binary file.

    Memory stays within the central directory and the grader files, whatever the archive's size. Raises the errors of
    ``archive.errors`` and ``records.errors``. Not checked: origin, identities and digests (``trust``).
    """
    from opvalue.archive.zipped import ZippedFiles  # noqa: PLC0415 - an artifact is one or the other

    return read_run(ZippedFiles(file, limits), limits)


def read_artifact(path: Path, limits: Limits = _DEFAULT) -> ArchivedRun:
    """Read a zip file, or the folder it was extracted to. See ``read_archive``."""
    descriptor = _open(path)
    try:
        mode = _mode(descriptor, path)
        if stat.S_ISDIR(mode):
            from opvalue.archive.folder import FolderFiles  # noqa: PLC0415 - an artifact is one or the other

            with closing(FolderFiles(descriptor)) as files:
                return read_run(files, limits)
        if not stat.S_ISREG(mode):
            raise ArtifactNotRegular(f"{path} is neither a file nor a folder", expected="a zip file or a folder")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return read_archive(file, limits)
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    try:
        return os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL or an unencodable character
        raise ArtifactAbsent(f"{path} does not exist", expected="a zip file or a folder") from None
    except OSError as error:
        raise unreadable(error, str(path)) from None


def _mode(descriptor: int, path: Path) -> int:
    try:
        return os.fstat(descriptor).st_mode
    except OSError as error:
        raise unreadable(error, str(path)) from None
