"""Lay files out in a private folder, and tell whether they are still what was laid (DG-06).

Folders get mode 0700, files 0400, and 0500 when they begin with ``#!``. The modes keep accidents away, not a process
of the same user; that is what ``verify`` is for, which compares every byte and name.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from opvalue.evaluator.errors import BadLayout, CannotLay, Changed

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Layout:
    """Files and links laid below one folder. ``files`` and ``links`` go by POSIX path relative to it."""

    def __init__(
        self, root: Path, files: Mapping[str, bytes], links: Mapping[str, Path], *, folders: Iterable[str] = ()
    ) -> None:
        """Lay them, and ``folders`` even if nothing lies in them. Raises ``BadLayout`` and ``CannotLay``."""
        self._root = str(root)
        self._files = files
        self._links = links
        self._folders: dict[str, set[str]] = {folder: set() for folder in folders}
        for path in (*files, *links):
            self._enter(path)
        try:
            for folder in sorted(self._folders):
                make_folder(Path(f"{self._root}/{folder}"))
            for path, data in files.items():
                _write(f"{self._root}/{path}", data)
            for path, target in links.items():
                os.symlink(target, f"{self._root}/{path}")  # noqa: PTH211
        except (FileExistsError, NotADirectoryError):
            raise BadLayout("two of the files to lay out have one name", expected="one file at each path") from None
        except OSError as error:
            raise CannotLay(f"cannot lay out the script in {root}: {error.strerror}") from None

    def verify(self) -> None:
        """Compare names, kinds and bytes with what was laid. Raises ``Changed``, naming the first difference."""
        try:
            for folder, names in self._folders.items():
                found = set(os.listdir(f"{self._root}/{folder}"))  # noqa: PTH208
                if found != names:
                    raise _changed(f"{folder}/{min(found ^ names)}")
            for path, data in self._files.items():
                if _read(f"{self._root}/{path}", len(data) + 1) != data:
                    raise _changed(path)
            for path, target in self._links.items():
                if os.readlink(f"{self._root}/{path}") != str(target):  # noqa: PTH115
                    raise _changed(path)
        except OSError as error:
            raise Changed(f"the private copy of the script cannot be read any more: {error.strerror}") from None

    def _enter(self, path: str) -> None:
        """Note the path's name in its folder, and each folder's name in the one above; the root itself is shared."""
        while "/" in path:
            folder, _, name = path.rpartition("/")
            self._folders.setdefault(folder, set()).add(name)
            path = folder


def make_folder(folder: Path) -> None:
    """Make one private folder, whatever the caller's creation mask takes away. Raises ``CannotLay``."""
    try:
        folder.mkdir(mode=0o700)
        folder.chmod(0o700)
    except FileExistsError:
        raise BadLayout(f"a file has the name of the folder {folder.name}", expected="one file at each path") from None
    except OSError as error:
        raise CannotLay(f"cannot make the folder {folder.name}: {error.strerror}") from None


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, _NEW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o500 if data.startswith(b"#!") else 0o400)
        file.write(data)


def _read(path: str, size: int) -> bytes:
    with os.fdopen(os.open(path, _READ), "rb") as file:
        return file.read(size)


def _changed(path: str) -> Changed:
    return Changed(f"{path} was changed after it was laid out", expected="the bytes that were verified")
