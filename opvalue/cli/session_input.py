"""A session's file, opened once and readable from its start as often as needed. Nothing is ever written to it.

What cannot be read twice, such as a pipe, is copied to a temporary file first.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from opvalue.cli.errors import SessionUnreadable

_BLOCK: Final = 1 << 16
_STANDARD_INPUT: Final = Path("-")


class SessionFile:
    """An open file with a session in it."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path

    @property
    def descriptor(self) -> int:
        """The open file, which is a regular one."""
        return self._file.fileno()

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes from the start. Raises ``SessionUnreadable``."""
        try:
            self._file.seek(0)
            while block := self._file.read(_BLOCK):
                yield block
        except OSError as error:
            raise unreadable(self._path, error) from None


@contextmanager
def open_session(path: Path) -> Iterator[SessionFile]:
    """Open the session at ``path`` for reading; ``-`` is standard input.

    Raises ``SessionUnreadable``, and ``NoPrivateFolder`` where there is no place for a copy.
    """
    descriptor, mode = _open(path)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if stat.S_ISREG(mode):
            yield SessionFile(file, path)
            return
        with _temporary() as copy:
            _copy(file, copy, path)
            yield SessionFile(copy, path)


def _open(path: Path) -> tuple[int, int]:
    try:
        descriptor = os.dup(0) if path == _STANDARD_INPUT else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        os.close(descriptor)
        raise SessionUnreadable(f"cannot read {path}: it is a folder", expected="a session file")
    return descriptor, mode


def _temporary() -> BinaryIO:
    # Only what cannot be read again, such as a pipe, is copied. Without a buffer: others read the descriptor itself.
    import tempfile  # noqa: PLC0415

    from opvalue.process.errors import NoPrivateFolder  # noqa: PLC0415
    from opvalue.process.private import temporary_place  # noqa: PLC0415

    try:
        return cast(BinaryIO, tempfile.TemporaryFile(buffering=0, dir=temporary_place()))
    except OSError as error:
        raise NoPrivateFolder(f"cannot make a temporary file: {error.strerror}") from None


def _copy(source: BinaryIO, target: BinaryIO, path: Path) -> None:
    try:
        while block := source.read(_BLOCK):
            rest = memoryview(block)
            while rest:
                rest = rest[target.write(rest) :]
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: Exception) -> SessionUnreadable:
    """Return the refusal for a failed system call."""
    reason = error.strerror if isinstance(error, OSError) else "not a file name"
    return SessionUnreadable(f"cannot read {str(path)!r}: {reason}")
