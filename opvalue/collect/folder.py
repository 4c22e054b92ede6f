"""A run's folder of raw logs, whose content is not trusted.

Every step down is taken from an open folder and follows no link; only regular files are read, each opened once,
against its limit and that of all together. The folder given by the user may itself be reached through links.
Names compare exactly. What is found but not read (links, pipes, deep folders) is reported, never an error; what
should be readable and is not ends the collection.
"""

import enum
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, Self

from opvalue.collect.errors import FolderAbsent, SourceTooLarge, SourceUnreadable, TooManyFiles
from opvalue.limits import Limits

_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK a named pipe would wait for its writer.
_FILE_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BLOCK: Final = 1 << 20
_ELSEWHERE: Final = (errno.ELOOP, errno.ENXIO, errno.ENOTDIR)
"""What opening says of a link, of a socket, and of a folder that became one of these."""


class Found(enum.Enum):
    """What lies at a path."""

    NOTHING = "nothing"
    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


class Entry(NamedTuple):
    """One thing at a path relative to the folder; ``too_deep`` for a folder that is not looked into."""

    path: str
    found: Found
    too_deep: bool = False


def no_folder(path: Path) -> FolderAbsent:
    """Return the refusal of a run's folder that is none."""
    found = "something else" if os.path.exists(path) else "nothing of that name"  # noqa: PTH110 - names of any kind
    return FolderAbsent(f"{str(path)!r} is not a folder", expected="a folder with a run's raw logs", found=found)


class RunFolder:
    """The folder, open. A context manager."""

    def __init__(self, path: Path, limits: Limits) -> None:
        """Open the folder. Raises ``FolderAbsent`` and ``SourceUnreadable``."""
        try:
            self._root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            raise no_folder(path) from None
        except OSError as error:
            raise _unreadable(str(path), error) from None
        self._limits = limits
        self._bytes = 0
        self._entries = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._root)

    def look(self, path: str) -> Entry:
        """Return what lies at ``path``. A link on the way is what is found, at its own path."""
        parts = path.split("/")
        for count in range(1, len(parts)):
            found = self._kind(parts[:count])
            if found is not Found.FOLDER:
                on_the_way = found is Found.LINK
                return Entry("/".join(parts[:count]), found) if on_the_way else Entry(path, Found.NOTHING)
        return Entry(path, self._kind(parts))

    def walk(self, path: str) -> Iterator[Entry]:
        """Yield what the folder ``path`` holds, all the way down, in the order of the names; folders only if too deep.

        Raises ``TooManyFiles`` and ``SourceUnreadable``.
        """
        yield from self._walk(path, 1)

    def names(self, path: str) -> list[str]:
        """Return the names in the folder ``path``, sorted; none if it is no folder."""
        if self.look(path).found is not Found.FOLDER:
            return []
        names = self._listed(path)
        self._entries += len(names)
        if self._entries > self._limits.collect_files:
            raise TooManyFiles("there are too many files", expected=f"at most {self._limits.collect_files}", found=path)
        return names

    def blocks(self, path: str) -> Iterator[bytes]:
        """Yield the content of the regular file ``path``; nothing if it became something else meanwhile.

        Raises ``SourceTooLarge`` and ``SourceUnreadable``.
        """
        descriptor = self._open(path)
        if descriptor is None:
            return
        size = 0
        try:
            while block := os.read(descriptor, _BLOCK):
                size += len(block)
                self._bytes += len(block)
                self._check(path, size)
                yield block
        except OSError as error:
            raise _unreadable(path, error) from None
        finally:
            os.close(descriptor)

    def _walk(self, path: str, depth: int) -> Iterator[Entry]:
        for name in self.names(path):
            entry = self.look(f"{path}/{name}")
            if entry.found is not Found.FOLDER:
                yield entry
            elif depth >= self._limits.collect_depth:
                yield entry._replace(too_deep=True)
            else:
                yield from self._walk(entry.path, depth + 1)

    def _kind(self, parts: list[str]) -> Found:
        folder = self._step_down(parts[:-1])
        if folder is None:
            return Found.NOTHING
        try:
            mode = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode
        except FileNotFoundError:
            return Found.NOTHING
        except OSError as error:
            raise _unreadable("/".join(parts), error) from None
        finally:
            self._close(folder)
        return _kind_of(mode)

    def _listed(self, path: str) -> list[str]:
        folder = self._step_down(path.split("/"))
        if folder is None:
            return []
        try:
            return sorted(os.listdir(folder), key=os.fsencode)  # noqa: PTH208 - of an open folder
        except OSError as error:
            raise _unreadable(path, error) from None
        finally:
            self._close(folder)

    def _open(self, path: str) -> int | None:
        *folders, name = path.split("/")
        folder = self._step_down(folders)
        if folder is None:
            return None
        try:
            descriptor = os.open(name, _FILE_FLAGS, dir_fd=folder)
        except OSError as error:
            if error.errno in _ELSEWHERE:
                return None
            raise _unreadable(path, error) from None
        finally:
            self._close(folder)
        try:
            regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        except OSError as error:
            os.close(descriptor)
            raise _unreadable(path, error) from None
        if regular:
            return descriptor
        os.close(descriptor)
        return None

    def _step_down(self, parts: list[str]) -> int | None:
        current = self._root
        for count, part in enumerate(parts, 1):
            try:
                inner = os.open(part, _FOLDER_FLAGS, dir_fd=current)
            except FileNotFoundError:
                inner = -1
            except OSError as error:
                if error.errno not in _ELSEWHERE:
                    raise _unreadable("/".join(parts[:count]), error) from None
                inner = -1
            finally:
                self._close(current)
            if inner < 0:
                return None
            current = inner
        return current

    def _close(self, descriptor: int) -> None:
        if descriptor != self._root:
            os.close(descriptor)

    def _check(self, path: str, size: int) -> None:
        most, together = self._limits.collect_file_bytes, self._limits.collect_bytes
        if size > most:
            raise SourceTooLarge(f"{path} is too large", expected=f"at most {most} bytes")
        if self._bytes > together:
            raise SourceTooLarge("the logs are too large", expected=f"at most {together} bytes together", found=path)


def _kind_of(mode: int) -> Found:
    if stat.S_ISREG(mode):
        return Found.FILE
    if stat.S_ISDIR(mode):
        return Found.FOLDER
    return Found.LINK if stat.S_ISLNK(mode) else Found.OTHER


def _unreadable(path: str, error: OSError) -> SourceUnreadable:
    return SourceUnreadable(f"cannot read {path}: {error.strerror}")
