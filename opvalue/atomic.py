"""Write a file whole or not at all.

The temporary file lies in the target's own folder (a rename must not cross file systems), is created exclusively
with mode 0600, flushed to disk before it takes its name, and removed on any failure. An existing target with other
bytes is refused: an observation is a new record, never a replacement (RG-01); ``replace`` is for what is no record.
Not done: fsync of the folder, so a power cut may lose the new name, never leave half a file.
"""

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from opvalue.errors import Kind, OpvalueError


class OutputExists(OpvalueError):
    """The output file exists with other content."""

    code = "output.exists"
    kind = Kind.USAGE
    advice = "Choose another file name, or move the existing file away. Nothing was changed."


class OutputUnwritable(OpvalueError):
    """The output cannot be written: no such folder, not a regular file, no permission, disk full."""

    code = "output.unwritable"
    kind = Kind.USAGE
    advice = "Choose a place that can be written and has room. Nothing was left behind."


def write_new(path: Path, data: bytes, *, same: Callable[[bytes], bool] | None = None) -> bool:
    """Create ``path`` with ``data`` and return true.

    A file that already holds these bytes, or others that are the ``same`` record, is left as it is: false. Raises
    ``OutputExists`` and ``OutputUnwritable``.
    """
    same = same or data.__eq__
    if _already_holds(path, data, same):
        return False
    temporary = _beside(path)
    try:
        _write(temporary, data)
        # A link fails when the name was taken meanwhile; a rename would replace it in silence.
        os.link(temporary, path)
    except FileExistsError:
        # Whoever was quicker may have written the same record. A dangling link holds nothing.
        if _already_holds(path, data, same):
            return False
        raise OutputExists(f"{path} exists with other content") from None
    except OSError as error:
        raise OutputUnwritable(f"cannot write {path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            temporary.unlink()
    return True


def check_place(path: Path) -> None:
    """Look whether a file may be made there, before work that would be lost otherwise. Raises ``OutputUnwritable``.

    What exists there as a regular file passes: it may be what will be written. Not sure: the place may change yet.
    """
    try:
        exists, regular = path.exists(), path.is_file()
        folder = path.parent.is_dir() and os.access(path.parent, os.W_OK | os.X_OK)
    except (OSError, ValueError):
        raise OutputUnwritable(f"cannot write {str(path)!r}: not a file name") from None
    if exists and not regular:
        raise OutputUnwritable(f"cannot write {path}: it exists and is not a regular file")
    if not folder:
        raise OutputUnwritable(f"cannot write {path}: there is no folder {path.parent} that can be written")


def check_new(path: Path, data: bytes, *, same: Callable[[bytes], bool] | None = None) -> None:
    """Raise what ``write_new`` would for what is there, and write nothing: for several files that go together."""
    _already_holds(path, data, same or data.__eq__)


def replace(path: Path, data: bytes) -> None:
    """Give ``path`` the content ``data``, whatever it held: for what is made anew from its source, never for a record.

    A link of that name is replaced, not followed. Raises ``OutputUnwritable``.
    """
    temporary = _beside(path)
    try:
        _write(temporary, data)
        temporary.rename(path)
    except OSError as error:
        raise OutputUnwritable(f"cannot write {path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def _beside(path: Path) -> Path:
    # A name of fixed length: the target's own may already be as long as the file system allows.
    return path.with_name(f".{os.urandom(8).hex()}.tmp")


def _already_holds(path: Path, data: bytes, same: Callable[[bytes], bool]) -> bool:
    try:
        with open(path, "rb", opener=_without_waiting) as existing:
            regular = stat.S_ISREG(os.fstat(existing.fileno()).st_mode)
            # Another record of the same thing may be a little longer, never twice as long.
            holds = regular and same(existing.read(2 * len(data) + 1))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise OutputUnwritable(f"cannot write {path}: {error.strerror}") from None
    except ValueError:
        raise OutputUnwritable(f"cannot write {str(path)!r}: not a file name") from None
    if not regular:
        raise OutputUnwritable(f"cannot write {path}: it exists and is not a regular file")
    if not holds:
        raise OutputExists(f"{path} exists with other content")
    return True


def _write(path: Path, data: bytes) -> None:
    with open(path, "xb", opener=_private) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _without_waiting(path: str, flags: int) -> int:
    # Opening a named pipe would wait for its writer.
    return os.open(path, flags | os.O_NONBLOCK)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
