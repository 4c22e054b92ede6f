"""Private temporary folders: mode 0700, a name nobody can guess, always removed.

Removal copes with what a script may leave: folders without permissions, folders nested deeper than a path may be long
or a function may recurse, links (removed, never followed). It cannot cope with a process that goes on writing.
"""

import itertools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opvalue.process.errors import NoPrivateFolder, NotRemoved
from opvalue.process.interrupts import interruptible, uninterrupted

_PLACES = ("/tmp", "/var/tmp")  # noqa: S108 - looked up the way mkdtemp does; the folder itself is private
# Each round takes at least one level away; past this something keeps adding.
_ROUNDS = 1_000_000


def temporary_place() -> Path:
    """Return the folder in which temporary folders are made: ``TMPDIR``, ``/tmp`` or ``/var/tmp``."""
    for place in (os.environ.get("TMPDIR", ""), *_PLACES):
        if place.startswith("/") and os.path.isdir(place):  # noqa: PTH112 - no Path for a mere look
            return Path(os.path.realpath(place))
    raise NoPrivateFolder("there is no folder for temporary files", expected="TMPDIR, /tmp or /var/tmp")


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a private folder and remove it, with all it holds, at the end or at the first signal to end.

    Raises ``NoPrivateFolder`` and ``NotRemoved``.
    """
    path = temporary_place() / f"opvalue-{os.urandom(12).hex()}"
    with interruptible():
        made = False
        try:
            with uninterrupted():
                _make(path)
                made = True
            yield path
        finally:
            if made:
                with uninterrupted():
                    remove_tree(path)


def _make(path: Path) -> None:
    try:
        path.mkdir(mode=0o700)
    except OSError as error:
        raise NoPrivateFolder(f"cannot make the folder {path}: {error.strerror}") from None
    # The creation mask of the caller may have taken bits away. An owner may always do this.
    path.chmod(0o700)


def remove_tree(root: Path) -> None:
    """Remove ``root`` and everything below; a folder that is not there is no error. Raises ``NotRemoved``.

    A link or a file in its place, which a script may have put there, is removed by itself.
    """
    fresh = (f"{root}/{os.urandom(8).hex()}-{number}" for number in itertools.count())
    try:
        for _ in range(_ROUNDS):
            if not is_folder(root):
                os.unlink(root)  # noqa: PTH108
                return
            os.chmod(root, 0o700)  # noqa: PTH101 - text paths throughout, for speed
            with os.scandir(root) as found:
                entries = list(found)
            if not entries:
                os.rmdir(root)  # noqa: PTH106
                return
            for entry in entries:
                _take_away(entry, fresh)
    except FileNotFoundError:
        if not os.path.lexists(root):
            return
        raise NotRemoved(f"{root} changed while it was being removed") from None
    except OSError as error:
        raise NotRemoved(f"cannot remove {root}: {error.strerror}") from None
    raise NotRemoved(f"cannot remove {root}: it keeps growing")


def is_folder(path: Path) -> bool:
    """Tell whether a folder itself is there, and no link to one. Raises ``FileNotFoundError`` for nothing."""
    return stat.S_ISDIR(os.lstat(path).st_mode)


def _take_away(entry: "os.DirEntry[str]", fresh: Iterator[str]) -> None:
    """Remove one entry of the root. A folder's own folders move up into the root first, so that nothing is deep."""
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.path)  # noqa: PTH108
        return
    os.chmod(entry.path, 0o700)  # noqa: PTH101
    with os.scandir(entry.path) as found:
        children = list(found)
    for child in children:
        if child.is_dir(follow_symlinks=False):
            # Moving a folder writes its "..", which needs permission on the folder itself.
            os.chmod(child.path, 0o700)  # noqa: PTH101
            os.rename(child.path, next(fresh))  # noqa: PTH104
        else:
            os.unlink(child.path)  # noqa: PTH108
    os.rmdir(entry.path)  # noqa: PTH106
