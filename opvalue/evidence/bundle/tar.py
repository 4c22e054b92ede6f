"""The container of a bundle: a POSIX ustar archive in which nothing is left to choose. Pure.

Every member is a regular file of mode 0600, owner 0, time 0; its data is padded with zeros to 512 bytes; two blocks
of zeros end the archive and nothing follows. Any tar program lists and unpacks it.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from opvalue.evidence.bundle.errors import BundleMalformed

BLOCK: Final = 512
END: Final = bytes(2 * BLOCK)
"""What ends an archive."""

_NAME: Final = slice(0, 100)
_SIZE: Final = slice(124, 136)
_SIZE_DIGITS: Final = 11
_CHECKSUM: Final = slice(148, 156)
_LONGEST_NAME: Final = 99


class Member(NamedTuple):
    """Where a member's data lies, or would."""

    name: str
    start: int
    size: int

    @property
    def end(self) -> int:
        """Where the data ends."""
        return self.start + self.size

    @property
    def following(self) -> int:
        """Where the next member begins."""
        return self.end + padding(self.size)


def padding(size: int) -> int:
    """Return how many zero bytes follow ``size`` bytes of data."""
    return -size % BLOCK


def head(name: str, size: int) -> bytes:
    """Return the one block that precedes the data of a member. ``name`` is ASCII of at most 99 characters."""
    block = bytearray(
        b"".join(
            (
                name.encode("ascii").ljust(100, b"\0"),
                b"0000600\0",
                b"0000000\0",
                b"0000000\0",
                b"%011o\0" % size,
                b"00000000000\0",
                b" " * 8,
                b"0",
                bytes(100),
                b"ustar\0" + b"00",
            )
        ).ljust(BLOCK, b"\0")
    )
    block[_CHECKSUM] = b"%06o\0 " % sum(block)
    return bytes(block)


def member_at(data: memoryview, start: int) -> Member | None:
    """Return the member whose head is at ``start``, or ``None`` when none is. Not checked: that its data is there."""
    block = bytes(data[start : start + BLOCK])
    name, size = block[_NAME].rstrip(b"\0"), block[_SIZE][:_SIZE_DIGITS]
    if not name.isascii() or not 0 < len(name) <= _LONGEST_NAME or not size.isdigit() or max(size) > ord("7"):
        return None
    member = Member(name.decode("ascii"), start + BLOCK, int(size, 8))
    return member if block == head(member.name, member.size) else None


def is_whole(data: memoryview, member: Member) -> bool:
    """Tell whether the data of a member is there, padded as it must be."""
    return member.following <= len(data) and not any(data[member.end : member.following])


def members(data: memoryview, start: int) -> Iterator[Member]:
    """Yield the members from ``start`` to the end of the archive, which is the end of ``data``.

    Raises ``BundleMalformed``. Not checked: what their names are.
    """
    end = len(data) - len(END)
    while start < end:
        member = member_at(data, start)
        if member is None or not is_whole(data, member):
            raise BundleMalformed("a member of the archive is not as the format has it", found=f"at byte {start}")
        yield member
        start = member.following
    if start != end or data[start:] != END:
        raise BundleMalformed("the archive does not end as the format has it", expected="two blocks of zeros")
