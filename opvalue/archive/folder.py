"""The grader files of an artifact that was extracted to a folder.

Every step down is taken from an open folder and follows no link; only regular files are read, once, against their
limit. The folder given by the user may itself be reached through links. Names compare exactly, also on a file system
that does not tell upper from lower case. Not shown here: that the folder is what GitHub served.
"""

import errno
import os
import stat
from contextlib import ExitStack
from typing import Final

from opvalue.archive import errors
from opvalue.archive.layout import FILES, FOLDERS, SESSION_FOLDER, WANTED
from opvalue.archive.window import unreadable
from opvalue.errors import OpvalueError

_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK a named pipe would wait for its writer.
_FILE_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class FolderFiles:
    """A folder's grader files. ``found`` holds the wanted names that are there; ``close`` lets the folders go."""

    def __init__(self, root: int) -> None:
        """Look below the open folder ``root``, which stays the caller's."""
        self._open = ExitStack()
        self._folders: dict[str, int] = {}
        try:
            self.found = frozenset(name for folder in (*FOLDERS, SESSION_FOLDER) for name in self._look(root, folder))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close every folder that was opened."""
        self._open.close()

    def read(self, name: str, limit: int, too_large: type[OpvalueError]) -> bytes:
        """Return the content of the wanted file ``name``, which must be in ``found``."""
        folder, _, file = name.rpartition("/")
        try:
            descriptor = os.open(file, _FILE_FLAGS, dir_fd=self._folders[folder])
        except OSError as error:
            raise _not_opened(name, error) from None
        try:
            content = _read_regular(descriptor, limit + 1, name)
        except OSError as error:
            raise unreadable(error, name) from None
        finally:
            os.close(descriptor)
        if len(content) > limit:
            raise too_large(
                f"{name} is too large", expected=f"at most {limit} bytes", found=f"{limit + 1} bytes or more"
            )
        return content

    def _look(self, root: int, folder: str) -> list[str]:
        current = root
        for part in folder.split("/"):
            inner = self._step(current, part, folder)
            if inner is None:
                return []
            current = inner
        self._folders[folder] = current
        present = set(_names(current, folder))
        return [f"{folder}/{file}" for file in FILES if file in present and f"{folder}/{file}" in WANTED]

    def _step(self, current: int, part: str, folder: str) -> int | None:
        if part not in _names(current, folder):
            return None
        try:
            mode = os.stat(part, dir_fd=current, follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                raise errors.FileIsLink(f"{part} on the way to {folder} is a symbolic link", expected="a folder")
            if not stat.S_ISDIR(mode):
                return None
            inner = os.open(part, _FOLDER_FLAGS, dir_fd=current)
        except OSError as error:
            raise unreadable(error, folder) from None
        self._open.callback(os.close, inner)
        return inner


def _names(folder: int, what: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError as error:
        raise unreadable(error, what) from None


def _read_regular(descriptor: int, most: int, name: str) -> bytes:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise _not_regular(name)
    content = bytearray()
    while len(content) < most and (chunk := os.read(descriptor, most - len(content))):
        content += chunk
    return bytes(content)


def _not_opened(name: str, error: OSError) -> OpvalueError:
    if error.errno == errno.ELOOP:
        return errors.FileIsLink(f"{name} is a symbolic link", expected="a regular file")
    if error.errno == errno.ENXIO:  # a socket
        return _not_regular(name)
    return unreadable(error, name)


def _not_regular(name: str) -> errors.FileNotRegular:
    return errors.FileNotRegular(f"{name} is not a regular file", expected="a regular file")
