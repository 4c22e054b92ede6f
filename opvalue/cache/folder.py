"""The one folder that holds the entries: private, opened once, and all in it reached through that descriptor.

Locks are the kernel's own, on a file of each entry, so they end with the process that held them, however it ends. Not
done: anything against another process of the same user that writes here on purpose, beyond the checks that every entry
passes when it is used.
"""

import errno
import fcntl
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from opvalue.cache.errors import Busy, EntryDamaged, FolderNotPrivate, Unwritable

BYTES, RECORD, PART, LOCK = ".zip", ".json", ".part", ".lock"
"""Endings of an entry's files: the artifact, what it is, either while it is written, and who works on it."""

_OURS: Final = re.compile(r"(?P<entry>[0-9a-f]{64})\.(?:zip|json|part|lock)")
_PRIVATE_FOLDER, _PRIVATE_FILE = 0o700, 0o600
_OTHERS: Final = 0o077
_PAUSE: Final = 0.1
_NOT_A_FILE: Final = frozenset({errno.ENOENT, errno.ELOOP, errno.EACCES, errno.ENXIO})
"""How opening fails for nothing, a link, another's file, a socket."""
# Without O_NONBLOCK a named pipe would wait for its writer.
_CAREFUL: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Folder:
    """An open folder of entries. ``name`` is always an entry's 64 hexadecimal characters."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def names(self) -> list[str]:
        """Return the names of all entries of which there is any file. What is not ours is passed over."""
        found = (_OURS.fullmatch(file) for file in os.listdir(self._descriptor))  # noqa: PTH208 - a descriptor
        return sorted({match["entry"] for match in found if match})

    def look(self, name: str, ending: str) -> os.stat_result | None:
        """Return what is under the name itself; ``None`` for nothing."""
        try:
            return os.stat(name + ending, dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, name: str, ending: str) -> BinaryIO:
        """Open a file as ``create`` makes them. Raises ``EntryDamaged`` for anything else, and ``OSError``."""
        try:
            descriptor = os.open(name + ending, os.O_RDONLY | _CAREFUL, dir_fd=self._descriptor)
        except OSError as error:
            if error.errno not in _NOT_A_FILE:
                raise
            raise self.damaged(name, ending, error.strerror or "") from None
        fault = _fault_of_file(os.fstat(descriptor))
        if fault:
            os.close(descriptor)
            raise self.damaged(name, ending, fault)
        return os.fdopen(descriptor, "rb")

    def create(self, name: str, ending: str) -> BinaryIO:
        """Create a private file in place of what is there, for writing and reading. Raises ``OSError``."""
        self.remove(name, ending)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _CAREFUL
        descriptor = os.open(name + ending, flags, _PRIVATE_FILE, dir_fd=self._descriptor)
        os.fchmod(descriptor, _PRIVATE_FILE)
        return os.fdopen(descriptor, "w+b")

    def rename(self, name: str, old: str, new: str) -> None:
        """Give a file its other ending, in place of what is there. Raises ``OSError``."""
        os.rename(name + old, name + new, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str, *endings: str) -> None:
        """Remove files, or links by themselves; one that is not there is no error. Raises ``OSError``."""
        for ending in endings:
            with suppress(FileNotFoundError):
                os.unlink(name + ending, dir_fd=self._descriptor)

    @contextmanager
    def locked(self, name: str, *, seconds: float, sleep: Callable[[float], None]) -> Iterator[None]:
        """Hold the entry's lock, after waiting up to ``seconds``. Raises ``Busy`` and ``OSError``."""
        for again in range(int(seconds / _PAUSE) + 1):
            if again:
                sleep(_PAUSE)
            flags = os.O_RDWR | os.O_CREAT | _CAREFUL
            descriptor = os.open(name + LOCK, flags, _PRIVATE_FILE, dir_fd=self._descriptor)
            try:
                # The creation mask of the caller may have taken bits away, here and below.
                os.fchmod(descriptor, _PRIVATE_FILE)
                if self._take(descriptor, name):
                    yield
                    return
            finally:
                os.close(descriptor)
        raise Busy("another process is at work on the artifact", expected=f"an end within {seconds:g} seconds")

    def _take(self, descriptor: int, name: str) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        # Pruning may have removed the file between its opening and its locking: then another can lock a new one.
        there = self.look(name, LOCK)
        return there is not None and os.path.samestat(there, os.fstat(descriptor))

    def damaged(self, name: str, ending: str, found: str) -> EntryDamaged:
        """Return the error that says what was found in place of a file."""
        return EntryDamaged(
            f"{self.path / (name + ending)} is not what was put there",
            expected="this user's own, unchanged",
            found=found,
        )


@contextmanager
def open_folder(path: Path, *, make: bool) -> Iterator[Folder]:
    """Open the folder at ``path``, made where it is missing and ``make`` says so.

    Raises ``FolderNotPrivate`` and ``Unwritable``, the latter also for an ``OSError`` of the body.
    """
    if not path.is_absolute():
        raise Unwritable("there is no place for the cache", expected="OPVALUE_CACHE_DIR, or a home folder")
    try:
        descriptor = _open(path, make=make)
        try:
            _check_folder(path, os.fstat(descriptor))
            yield Folder(path, descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        file = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else None
        raise Unwritable(f"cannot use the cache in {path}: {error.strerror}", found=file) from None


def _open(path: Path, *, make: bool) -> int:
    try:
        if make:
            # The folder above may be open to others, or a link: this one is what is looked at.
            path.parent.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                path.mkdir(_PRIVATE_FOLDER)
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | _CAREFUL)
    except ValueError:
        raise Unwritable(f"{str(path)!r} is not the name of a folder") from None
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.ENOTDIR} or not os.path.lexists(path):
            raise
        raise FolderNotPrivate(f"{path} is a link or a file", expected="a folder of this user's alone") from None


def _check_folder(path: Path, found: os.stat_result) -> None:
    if found.st_uid != os.geteuid():
        raise FolderNotPrivate(
            f"{path} belongs to somebody else", expected=f"user {os.geteuid()}", found=f"user {found.st_uid}"
        )
    mode = stat.S_IMODE(found.st_mode)
    if mode & _OTHERS:
        raise FolderNotPrivate(f"{path} is open to others", expected="mode 0700", found=f"mode {mode:04o}")


def _fault_of_file(found: os.stat_result) -> str | None:
    mode = stat.S_IMODE(found.st_mode)
    if not stat.S_ISREG(found.st_mode):
        return "no regular file"
    if found.st_uid != os.geteuid():
        return f"it belongs to user {found.st_uid}"
    if mode != _PRIVATE_FILE:
        return f"mode {mode:04o}"
    return "it has another name elsewhere" if found.st_nlink != 1 else None
