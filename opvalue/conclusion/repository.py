"""Files of a repository's working tree, confined to it: every step down is from an open folder and follows no link.

The repository is found by its ``.git``, looking up from a file; without one, a file in ``.github/workflows`` says where
the root is, and any other file's own folder is taken for it. Not looked at: commits. What is on disk is read.
"""

import errno
import os
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.conclusion.errors import FileAbsent, FileRefused, FileTooLarge, FileUnreadable
from opvalue.errors import OpvalueError
from opvalue.identity import PathRefused, RepoPath
from opvalue.identity.objects import WORKFLOWS

_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK a named pipe would wait for its writer.
_FILE_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_GIVE_A_FILE: Final = "Give the path of a regular file."
_LINK: Final = "a symbolic link"
_KINDS: Final = {
    stat.S_IFREG: "a regular file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: _LINK,
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}


class WorkingTree(NamedTuple):
    """A repository's folder."""

    root: Path
    """Absolute, links resolved."""

    def read(self, path: RepoPath, limit: int) -> bytes:
        """Return a regular file's content.

        Raises ``FileAbsent``, ``FileUnreadable``, ``FileRefused`` and ``FileTooLarge``.
        """
        with ExitStack() as stack:
            folder = _opened(str(self.root), _FOLDER_FLAGS, None, path, stack)
            *folders, name = path.parts
            for part in folders:
                folder = _opened(part, _FOLDER_FLAGS, folder, path, stack)
            return _content(_opened(name, _FILE_FLAGS, folder, path, stack), path, limit)


def located(file: Path) -> tuple[WorkingTree, RepoPath]:
    """Return the working tree that ``file`` lies in, and its path there. The file itself may be absent.

    Links on the way to its folder are followed, since the user named it. Raises ``FileAbsent``, ``FileUnreadable`` and
    ``FileRefused``.
    """
    if file.name in {"", ".."}:
        raise FileRefused(f"{file} is a folder", expected="a regular file", hint=_GIVE_A_FILE)
    try:
        folder = file.parent.resolve(strict=True)
    except OSError as error:
        raise _refusal(str(file.parent), str(file), error, None) from None
    except ValueError:
        raise FileRefused(f"{str(file)!r} is no file name") from None
    except RuntimeError:  # what Python says of links in a circle
        raise FileRefused(f"{file} lies behind a link that leads back to itself", expected="a regular file") from None
    root = next((place for place in (folder, *folder.parents) if _holds_git(place)), None)
    if root is None:
        within = folder.as_posix().endswith(f"/{WORKFLOWS}")
        root = folder.parent.parent if within else folder
    try:
        return WorkingTree(root), RepoPath.parse((folder / file.name).relative_to(root).as_posix())
    except PathRefused as error:
        raise FileRefused(
            error.message, expected=error.expected, hint="Give the file another name, or another place."
        ) from None


def _holds_git(place: Path) -> bool:
    return os.path.exists(place / ".git")  # noqa: PTH110 - pathlib raises where the folder is closed to us


def _opened(name: str, flags: int, folder: int | None, path: RepoPath, stack: ExitStack) -> int:
    try:
        descriptor = os.open(name, flags, dir_fd=folder)
    except OSError as error:
        raise _refusal(name, path.text, error, folder) from None
    except ValueError:
        raise FileRefused(f"{path} is no file name") from None
    stack.callback(os.close, descriptor)
    return descriptor


def _refusal(name: str, path: str, error: OSError, folder: int | None) -> OpvalueError:
    """Return why ``path`` is not read where opening its part ``name``, which lies in ``folder``, failed."""
    # A link on the way is reported as one, or as no folder, by different systems.
    if error.errno in {errno.ENOENT, errno.ENAMETOOLONG}:
        return FileAbsent(f"there is no file {path}", expected="a file of the repository")
    if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.ENXIO}:
        kind = _kind_of(name, folder)
        return FileRefused(
            f"{path} is no regular file of the repository",
            expected="a regular file below folders, none of them a link",
            found=f"{name} is {kind}",
            hint=None if kind == _LINK else _GIVE_A_FILE,
        )
    return FileUnreadable(f"{path} cannot be read: {error.strerror}")


def _kind_of(name: str, folder: int | None) -> str:
    try:
        return _in_words(os.lstat(name) if folder is None else os.stat(name, dir_fd=folder, follow_symlinks=False))
    except OSError:  # gone since
        return "no folder"


def _in_words(status: os.stat_result) -> str:
    return _KINDS.get(stat.S_IFMT(status.st_mode), "a device")


def _content(descriptor: int, path: RepoPath, limit: int) -> bytes:
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            what = _in_words(status)
            message = f"{path} is not a regular file"
            raise FileRefused(message, expected="a regular file", found=what, hint=_GIVE_A_FILE)
        content = bytearray()
        while chunk := os.read(descriptor, limit + 1 - len(content)):  # one byte more tells that there is more
            content += chunk
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    if len(content) > limit:
        raise FileTooLarge(f"{path} is too large", expected=f"at most {limit:,} bytes", found="more")
    return bytes(content)
