"""Put a session where it belongs: whole, or not at all.

The temporary file ``FILE.tmp`` is created exclusively with mode 0600, flushed to disk and renamed. A session that was
there is replaced, any other file refused. When collecting or writing fails, neither stays: a session of an earlier
try must not pass for this one's. Only where no raw log is left to make it of, it stays (``keep``). Not done: fsync of
the folder.
"""

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from opvalue.atomic import OutputUnwritable
from opvalue.collect.errors import NothingToCollect, OutputNotASession
from opvalue.collect.folder import no_folder
from opvalue.collect.session import SESSION
from opvalue.session.vocabulary import FORMAT

_Made = TypeVar("_Made")
_BEGINS: Final = f'{{"type":"{FORMAT}",'.encode()


def check_folder(folder: Path) -> None:
    """Raise ``FolderAbsent`` unless ``folder`` is one: a mistyped name is to cost no earlier session."""
    if not os.path.isdir(folder):  # noqa: PTH112 - false also for what is no file name
        raise no_folder(folder)


def default_output(folder: Path) -> Path:
    """Return where the session of the run in ``folder`` goes; its folder is made if it is not there.

    Raises ``FolderAbsent``, ``OutputNotASession`` when that place lies behind a link, and ``OutputUnwritable``.
    """
    check_folder(folder)
    path = folder / SESSION
    make_folder(path.parent)
    return path


def make_folder(folder: Path, *, hint: str | None = None) -> None:
    """Make ``folder`` if it is not there. Raises ``OutputNotASession`` for a link, and ``OutputUnwritable``."""
    try:
        folder.mkdir(exist_ok=True)
        linked = stat.S_ISLNK(folder.lstat().st_mode)
    except OSError as error:
        raise OutputUnwritable(f"cannot write to {folder}: {error.strerror}") from None
    if linked:
        raise OutputNotASession(f"{folder} is a symbolic link", expected="a folder", hint=hint)


def write(path: Path, make: Callable[[], tuple[_Made, Iterable[bytes]]]) -> _Made:
    """Write to ``path`` the lines that ``make`` returns second; return what it returns first.

    Raises what ``make`` raises, ``OutputNotASession`` and ``OutputUnwritable``. ``NothingToCollect`` costs no session.
    """
    _check_replaceable(path)
    staged: list[Path] = []
    try:
        made, lines = make()
        staged.append(stage(path, lines))
        _rename(staged[0], path)
    except NothingToCollect:
        raise
    except BaseException:
        for leftover in (*staged, path):
            with suppress(OSError):
                leftover.unlink()
        raise
    return made


def keep(path: Path, lines: Sequence[bytes]) -> None:
    """Raise ``NothingToCollect`` where ``path`` holds a session, unless it is just that of ``lines``."""
    try:
        size = path.stat().st_size
        if not size or (size == sum(map(len, lines)) and path.read_bytes() == b"".join(lines)):
            return
    except FileNotFoundError:
        return
    except OSError as error:
        raise OutputUnwritable(f"cannot read {path}: {error.strerror}") from None
    raise NothingToCollect(
        f"{path} is a session already, and no raw log was found to make another of",
        expected="raw logs, such as agent-session.jsonl",
        found="none beside the copies in usage/",
    )


def stage(path: Path, lines: Iterable[bytes]) -> Path:
    """Write ``lines`` to ``path`` with ``.tmp`` added, flushed to disk, and return that; a failure removes it.

    Raises ``OutputUnwritable``, and whatever ``lines`` raises.
    """
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        with open(temporary, "xb", opener=_private) as file:
            _fill(file, temporary, lines)
    except FileExistsError:
        raise OutputUnwritable(
            f"cannot write {path}: {temporary.name} exists",
            hint="Another run may be at work. If not, remove that file; a run that was killed left it.",
        ) from None
    except OSError as error:
        raise OutputUnwritable(f"cannot write {path}: {error.strerror}") from None
    return temporary


def _fill(file: BinaryIO, temporary: Path, lines: Iterable[bytes]) -> None:
    try:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _rename(temporary: Path, path: Path) -> None:
    try:
        temporary.replace(path)
    except OSError as error:
        raise OutputUnwritable(f"cannot write {path}: {error.strerror}") from None


def _check_replaceable(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    except OSError as error:
        raise OutputUnwritable(f"cannot write {path}: {error.strerror}") from None
    except ValueError:
        raise OutputUnwritable(f"cannot write {str(path)!r}: not a file name") from None
    try:
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        if not regular or os.read(descriptor, len(_BEGINS)) not in (b"", _BEGINS):
            raise OutputNotASession(f"{path} exists and is no session", expected="a session, or no file")
    except OSError as error:
        raise OutputUnwritable(f"cannot write {path}: {error.strerror}") from None
    finally:
        os.close(descriptor)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
