"""The wanted files of a zip artifact: found by exact name, read in memory, never extracted (DESIGN 4.4).

Members that are not wanted may hold anything, be links or packed in unknown ways; only their names must be safe.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import BinaryIO, Final, NamedTuple

from opvalue.archive import errors
from opvalue.archive.central import Member, read_directory
from opvalue.archive.layout import FILES, FOLDERS, WANTED, folders_above
from opvalue.archive.member import Bounds, is_link, read_member, stream_member
from opvalue.archive.names import cleaned, shown
from opvalue.archive.window import Window
from opvalue.errors import OpvalueError
from opvalue.limits import Limits

_ANY_FOLDER: Final = "|".join(FOLDERS)
_ANY_FILE: Final = "|".join(re.escape(file) for file in FILES)


class Wanted(NamedTuple):
    """Which files are looked for, by exact name."""

    names: AbstractSet[str]
    below: re.Pattern[bytes]
    """Matches the names of members below a wanted file, which would make it a folder."""
    what: str
    """One such file, for error texts."""


GRADER_FILES: Final = Wanted(WANTED, re.compile(f"(?:{_ANY_FOLDER})/(?:{_ANY_FILE})/".encode()), "a grader file")


class ZippedFiles:
    """A zip's wanted files. ``found`` holds the wanted names that are there."""

    def __init__(self, file: BinaryIO, limits: Limits, wanted: Wanted = GRADER_FILES) -> None:
        self._file = Window(file)
        if self._file.size > limits.archive_bytes:
            raise errors.ArtifactTooLarge(
                "the artifact is too large",
                expected=f"at most {limits.archive_bytes} bytes",
                found=f"{self._file.size} bytes",
            )
        self._ratio = limits.member_ratio
        self._directory = read_directory(self._file, limits)
        self._members = _find(self._directory.members, wanted)
        self.found = frozenset(self._members)
        _check_folders(self._directory.members, self.found)

    def read(self, name: str, limit: int, too_large: type[OpvalueError]) -> bytes:
        """Return the content of the wanted file ``name``, which must be in ``found``."""
        return read_member(self._file, self._directory, self._members[name], Bounds(limit, self._ratio, too_large))

    def stream(self, name: str, limit: int, too_large: type[OpvalueError]) -> Iterator[bytes]:
        """Yield that content in blocks. Nothing made of it counts before the last one was taken: see ``member``."""
        return stream_member(self._file, self._directory, self._members[name], Bounds(limit, self._ratio, too_large))


def _find(members: tuple[Member, ...], wanted: Wanted) -> dict[str, Member]:
    found: dict[str, Member] = {}
    for member in members:
        if wanted.below.match(cleaned(member.name)):
            raise errors.FileNotRegular(
                f"a folder bears the name of {wanted.what}", expected="a regular file", found=shown(member.name)
            )
        name = _wanted_name(member, wanted)
        if name is None:
            continue
        if name in found:
            raise errors.DuplicateMember(f"the archive holds {name} twice", expected=f"{wanted.what} once")
        found[name] = member
    return found


def _wanted_name(member: Member, wanted: Wanted) -> str | None:
    name = cleaned(member.name).decode("latin-1")
    also = cleaned(member.alias).decode("latin-1") if member.alias is not None else name
    if name not in wanted.names and also not in wanted.names:
        return None
    if also != name:
        raise errors.HeadersDisagree(f"{wanted.what} has two names", expected=repr(name), found=repr(also))
    if member.name != name.encode():
        raise errors.DuplicateMember(
            f"the name of {wanted.what} is spelled in another way", expected=repr(name), found=shown(member.name)
        )
    return name


def _check_folders(members: tuple[Member, ...], found: frozenset[str]) -> None:
    above = {folder.encode() for name in found for folder in folders_above(name)}
    for member in members:
        name = cleaned(member.name)
        if name.rstrip(b"/") not in above:
            continue
        if is_link(member):
            raise errors.FileIsLink(f"the folder {shown(name)} is a symbolic link", expected="a folder")
        if not name.endswith(b"/"):
            raise errors.FileNotRegular(f"the folder {shown(name)} is also a file", expected="a folder")
