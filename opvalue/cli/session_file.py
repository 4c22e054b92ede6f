"""A session's file, opened for the commands that look at one."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from opvalue.cli.errors import SessionUnreadable

_BLOCK: Final = 1 << 18


def blocks(path: Path) -> Iterator[bytes]:
    """Yield the content of the file in blocks; ``-`` is standard input. Raises ``SessionUnreadable``."""
    try:
        descriptor = os.dup(0) if str(path) == "-" else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise SessionUnreadable(f"cannot read {path}: it is a folder", expected="a session file")
        while block := os.read(descriptor, _BLOCK):
            yield block
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        os.close(descriptor)


def _unreadable(path: Path, error: Exception) -> SessionUnreadable:
    reason = error.strerror if isinstance(error, OSError) else "not a file name"
    return SessionUnreadable(f"cannot read {str(path)!r}: {reason}")
