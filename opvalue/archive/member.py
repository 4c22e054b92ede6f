"""Read one wanted member of a zip, whole or in blocks, believing no header before the data has confirmed it (ZP-04).

1. Not encrypted, stored or deflated, a regular file.
2. The local header says what the central directory says; where a data descriptor follows (bit 3, as the upload action
   writes it), the local sizes and checksum may be zero and the descriptor must say it.
3. The member, from its local header to the end of its data or descriptor, shares no byte with another member or with
   the central directory.
4. Unpacking stops at the byte limit and at the ratio limit, whatever the headers say.
5. Packed size, unpacked size and CRC-32 are those recorded.

The central directory is the caller's; nothing is written to disk.
"""

import stat
import struct
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from opvalue.archive import errors
from opvalue.archive.central import WIDE32, Directory, Member, widen
from opvalue.archive.names import shown
from opvalue.archive.window import Window
from opvalue.errors import OpvalueError

_LOCAL: Final = struct.Struct("<4s5H3L2H")
_LOCAL_SIGNATURE: Final = b"PK\x03\x04"
_LENGTHS: Final = struct.Struct("<2H")
_LENGTHS_OFFSET: Final = 26
_DESCRIPTOR_SIGNATURE: Final = b"PK\x07\x08"
_DESCRIPTOR_MAX: Final = 24
_ENCRYPTED: Final = 0x0001 | 0x0040 | 0x2000
_HAS_DESCRIPTOR: Final = 0x0008
_STORED: Final = 0
_DEFLATED: Final = 8
_DOS_FOLDER: Final = 0x10
_CHUNK: Final = 64 * 1024
_BLOCK: Final = 256 * 1024
_MAX_LENGTHS: Final = 2 * 0xFFFF


class Bounds(NamedTuple):
    """How far one member may unpack, and what is raised beyond."""

    size: int
    """Bytes."""
    ratio: int
    """Unpacked over packed size."""
    too_large: type[OpvalueError]


class _Extent(NamedTuple):
    start: int
    data: int
    end: int


def read_member(file: Window, directory: Directory, member: Member, bounds: Bounds) -> bytes:
    """Return the member's content. Raises the errors of the module's steps, and ``bounds.too_large``."""
    return b"".join(stream_member(file, directory, member, bounds))


def stream_member(file: Window, directory: Directory, member: Member, bounds: Bounds) -> Iterator[bytes]:
    """Yield the member's content in blocks of at most 256 KiB; the last step is taken after the last block.

    What was made of the blocks must not be used before all were taken: until then, checksum and size are not known to
    be right. Raises as ``read_member`` does, at any block.
    """
    _check_kind(member)  # 1
    extent = _locate(file, directory, member)  # 2
    _check_alone(file, directory, member, extent)  # 3
    size = checksum = 0
    for block in _unpack(file, member, extent.data, bounds):  # 4
        size += len(block)
        checksum = zlib.crc32(block, checksum)
        yield block
    if size != member.unpacked:  # 5
        raise _disagree(member, "unpacked size", str(member.unpacked), str(size))
    if checksum != member.checksum:
        raise errors.MemberCorrupt(
            f"{shown(member.name)} has another checksum than recorded",
            expected=f"{member.checksum:08x}",
            found=f"{checksum:08x}",
        )


def is_link(member: Member) -> bool:
    """Tell whether the entry is a symbolic link, whichever system it claims to come from."""
    return stat.S_ISLNK(member.attributes >> 16)


def _check_kind(member: Member) -> None:
    if member.flags & _ENCRYPTED:
        raise errors.EncryptedMember(f"{shown(member.name)} is encrypted", expected="plain data")
    if is_link(member):
        raise errors.FileIsLink(f"{shown(member.name)} is a symbolic link", expected="a regular file")
    mode = stat.S_IFMT(member.attributes >> 16)
    if mode not in {0, stat.S_IFREG} or member.attributes & _DOS_FOLDER:
        raise errors.FileNotRegular(f"{shown(member.name)} is not a regular file", expected="a regular file")
    if member.method not in {_STORED, _DEFLATED}:
        raise errors.MethodUnsupported(
            f"{shown(member.name)} is packed by an unknown method",
            expected="0 (stored) or 8 (deflated)",
            found=str(member.method),
        )


def _locate(file: Window, directory: Directory, member: Member) -> _Extent:
    head_end = member.offset + _LOCAL.size
    if head_end > directory.start:
        raise _overlap(member)
    head = file.read(member.offset, _LOCAL.size)
    signature, _, flags, method, _, _, checksum, packed, unpacked, name_size, extra_size = _LOCAL.unpack(head)
    if signature != _LOCAL_SIGNATURE:
        raise _disagree(member, "local header", "one at the recorded place", "none")
    data = head_end + name_size + extra_size
    if data + member.packed > directory.start:
        raise _overlap(member)
    rest = file.read(head_end, name_size + extra_size)
    if rest[:name_size] != member.name:
        raise _disagree(member, "name", shown(member.name), shown(rest[:name_size]))
    if (flags, method) != (member.flags, member.method):
        raise _disagree(member, "flags and method", f"{member.flags}, {member.method}", f"{flags}, {method}")
    unpacked, packed = widen(rest[name_size:], unpacked, packed)
    _check_claims(member, (checksum, packed, unpacked))
    end = data + member.packed
    if flags & _HAS_DESCRIPTOR:
        end += _descriptor_size(file, directory, member, end)
    return _Extent(member.offset, data, end)


def _check_claims(member: Member, local: tuple[int, int, int]) -> None:
    recorded = (member.checksum, member.packed, member.unpacked)
    may_be_zero = member.flags & _HAS_DESCRIPTOR
    for what, here, there in zip(("checksum", "packed size", "unpacked size"), local, recorded, strict=True):
        if here != there and not (may_be_zero and here == 0):
            raise _disagree(member, what, str(there), str(here))


def _descriptor_size(file: Window, directory: Directory, member: Member, place: int) -> int:
    found = file.read(place, min(_DESCRIPTOR_MAX, directory.start - place))
    narrow = max(member.packed, member.unpacked) <= WIDE32
    for layout in ("<3L", "<L2Q") if narrow else ("<L2Q",):
        claims = struct.pack(layout, member.checksum, member.packed, member.unpacked)
        for form in (_DESCRIPTOR_SIGNATURE + claims, claims):
            if found.startswith(form):
                return len(form)
    raise _disagree(member, "data descriptor", "the recorded checksum and sizes", "others")


def _check_alone(file: Window, directory: Directory, member: Member, extent: _Extent) -> None:
    for other in directory.members:
        if other is member or other.offset >= extent.end:
            continue
        least = other.offset + _LOCAL.size + other.packed
        if least + _MAX_LENGTHS <= extent.start:
            continue
        # Only the local header knows how long its name and extra block are.
        lengths = file.read(other.offset + _LENGTHS_OFFSET, _LENGTHS.size)
        if least + sum(_LENGTHS.unpack(lengths)) > extent.start:
            raise _overlap(member, shown(other.name))


def _unpack(file: Window, member: Member, start: int, bounds: Bounds) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS) if member.method == _DEFLATED else None
    most = bounds.size if unpacker is None else min(bounds.size, bounds.ratio * member.packed)
    size = 0
    for place in range(start, start + member.packed, _CHUNK):
        packed = file.read(place, min(_CHUNK, start + member.packed - place))
        full = True
        while packed or full:
            # One byte more than allowed shows that there is more, and no more than that is ever unpacked.
            wanted = min(_BLOCK, most + 1 - size)
            block, packed = (packed, b"") if unpacker is None else _inflate(unpacker, packed, wanted, member)
            size += len(block)
            if size > most:
                raise _over(member, size, bounds)
            if block:
                yield block
            # A full block may leave more behind although all that was packed is taken.
            full = unpacker is not None and len(block) == wanted
    if unpacker is not None and not unpacker.eof:
        raise errors.MemberCorrupt(f"{shown(member.name)} ends before its packed data does")


def _inflate(unpacker: "zlib._Decompress", packed: bytes, most: int, member: Member) -> tuple[bytes, bytes]:
    if unpacker.eof and packed:
        raise _disagree(member, "packed size", "the end of the packed data", "more bytes")
    try:
        content = unpacker.decompress(packed, most)
    except zlib.error as error:
        raise errors.MemberCorrupt(f"{shown(member.name)} cannot be unpacked: {error}") from None
    if unpacker.unused_data:
        raise _disagree(member, "packed size", "the end of the packed data", "more bytes")
    return content, unpacker.unconsumed_tail


def _over(member: Member, size: int, bounds: Bounds) -> OpvalueError:
    if size > bounds.size:
        return bounds.too_large(
            f"{shown(member.name)} is too large",
            expected=f"at most {bounds.size} bytes",
            found=f"{bounds.size + 1} bytes or more",
        )
    return errors.MemberBomb(
        f"{shown(member.name)} unpacks to far more than its packed size",
        expected=f"at most {bounds.ratio} times {member.packed} bytes",
        found=f"{size} bytes or more",
    )


def _overlap(member: Member, other: str = "the central directory") -> errors.OverlappingMembers:
    return errors.OverlappingMembers(f"{shown(member.name)} shares bytes with {other}")


def _disagree(member: Member, what: str, expected: str, found: str) -> errors.HeadersDisagree:
    return errors.HeadersDisagree(
        f"the records of {shown(member.name)} disagree on its {what}", expected=expected, found=found
    )
