"""The end records and the central directory of a zip, read with bounds and without trusting one number.

``zipfile`` is not used: it reads overlapping members in silence and trusts sizes. Steps:

1. the file begins as a zip does;
2. exactly one end record fits the end of the file; bytes before the archive or behind it are refused;
3. a zip64 end record, if there is one, agrees with the plain one;
4. one disk, at most so many entries, a directory of at most so many bytes that ends where the end records begin;
5. every entry is read; every name, and every name a Unicode Path field would put in its place, is safe (ZP-01).

Not done here: local headers and data of members (see ``member``), and which members are wanted (see ``zipped``).
"""

import struct
from typing import Final, NamedTuple

from opvalue.archive import errors, names
from opvalue.archive.window import Window
from opvalue.limits import Limits

_END: Final = struct.Struct("<4s4H2LH")
_END_SIGNATURE: Final = b"PK\x05\x06"
_LOCATOR: Final = struct.Struct("<4sLQL")
_LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_END64_SIGNATURE: Final = b"PK\x06\x06"
_ENTRY: Final = struct.Struct("<4s6H3L5H2L")
_ENTRY_SIGNATURE: Final = b"PK\x01\x02"
_FIRST_SIGNATURES: Final = (b"PK\x03\x04", _END_SIGNATURE)
_MAX_COMMENT: Final = 0xFFFF
_WIDE16: Final = 0xFFFF
WIDE32: Final = 0xFFFFFFFF
_LONG: Final = struct.Struct("<Q")


class Member(NamedTuple):
    """One entry of the central directory. Sizes are claims until the member has been read."""

    name: bytes
    alias: bytes | None
    """The name a reader of Unicode Path fields would use instead."""
    flags: int
    method: int
    checksum: int
    """CRC-32 of the unpacked data."""
    packed: int
    unpacked: int
    attributes: int
    """External attributes: Unix mode in the upper half, DOS attributes in the lowest byte."""
    offset: int
    """Where the local header begins."""


class Directory(NamedTuple):
    """All members, and where the central directory begins: no member reaches beyond it."""

    members: tuple[Member, ...]
    start: int


class _End(NamedTuple):
    disk: int
    directory_disk: int
    entries_here: int
    entries: int
    size: int
    start: int


def read_directory(file: Window, limits: Limits) -> Directory:
    """Return the members in directory order. Raises the errors named in the module's steps."""
    if file.read(0, min(4, file.size)) not in _FIRST_SIGNATURES:  # 1
        raise errors.NotAZip("the file is not a zip archive", expected="the signature PK at its start")
    position, end = _find_end(file)  # 2
    position, end = _widen_end(file, position, end)  # 3
    _check_end(position, end, limits)  # 4
    members = _read_entries(file.read(end.start, end.size), end.entries)  # 5
    for member in members:
        _check_name(member)
    return Directory(members, end.start)


def _find_end(file: Window) -> tuple[int, _End]:
    start = max(0, file.size - _END.size - _MAX_COMMENT)
    tail = file.read(start, file.size - start)
    fitting = [position for position in _positions(tail) if _fits(tail, position)]
    if not fitting:
        raise errors.ArchiveCut(
            "the archive has no end record at its end: it was cut short, or bytes were added",
            expected="an end record that closes the file",
        )
    if len(fitting) > 1:
        raise _malformed("more than one end record closes the file, so readers disagree on what it holds")
    return start + fitting[0], _End(*_END.unpack_from(tail, fitting[0])[1:7])


def _positions(tail: bytes) -> list[int]:
    positions = []
    position = tail.find(_END_SIGNATURE)
    while position >= 0:
        positions.append(position)
        position = tail.find(_END_SIGNATURE, position + 1)
    return positions


def _fits(tail: bytes, position: int) -> bool:
    end = position + _END.size
    if end > len(tail):
        return False
    comment = int.from_bytes(tail[end - 2 : end], "little")
    return end + comment == len(tail)


def _widen_end(file: Window, position: int, plain: _End) -> tuple[int, _End]:
    place = position - _LOCATOR.size
    if place < 0:
        return position, plain
    signature, disk, offset, disks = _LOCATOR.unpack(file.read(place, _LOCATOR.size))
    if signature != _LOCATOR_SIGNATURE:
        return position, plain
    if disk != 0 or disks > 1 or offset + _END64.size > place:
        raise _malformed("the zip64 locator points nowhere")
    signature, size, _, _, *fields = _END64.unpack(file.read(offset, _END64.size))
    # The size leaves out the signature and itself.
    if signature != _END64_SIGNATURE or offset + 12 + size != place:
        raise _malformed("the zip64 end record is not where its locator says")
    wide = _End(*fields)
    for name, narrow, broad in zip(_End._fields, plain, wide, strict=True):
        saturated = WIDE32 if name in {"size", "start"} else _WIDE16
        if narrow not in {saturated, broad}:
            raise _malformed("the two end records disagree")
    return offset, wide


def _check_end(position: int, end: _End, limits: Limits) -> None:
    if end.disk != 0 or end.directory_disk != 0 or end.entries_here != end.entries:
        raise _malformed("the archive is one part of several")
    if end.entries > limits.archive_members:
        raise errors.TooManyMembers(
            "the archive has too many members",
            expected=f"at most {limits.archive_members}",
            found=str(end.entries),
        )
    if end.start + end.size != position:
        raise _malformed("the central directory does not end where the end record begins")
    if end.size > limits.archive_directory_bytes:
        raise errors.TooManyMembers(
            "the archive's central directory is too long",
            expected=f"at most {limits.archive_directory_bytes} bytes",
            found=f"{end.size} bytes",
        )


def _read_entries(data: bytes, count: int) -> tuple[Member, ...]:
    members = []
    position = 0
    for _ in range(count):
        if position + _ENTRY.size > len(data):
            raise _malformed("the central directory is shorter than its entries")
        fields = _ENTRY.unpack_from(data, position)
        if fields[0] != _ENTRY_SIGNATURE:
            raise _malformed("the central directory holds something that is no entry")
        position += _ENTRY.size
        end = position + sum(fields[10:13])
        if end > len(data):
            raise _malformed("the central directory is shorter than its entries")
        members.append(_member(fields, data[position:end]))
        position = end
    if position != len(data):
        raise _malformed("the central directory is longer than its entries")
    return tuple(members)


def _member(fields: tuple[int, ...], rest: bytes) -> Member:
    flags, method, _, _, checksum, packed, unpacked, name_size, extra_size, _, disk, _, attributes, offset = fields[3:]
    if disk != 0:
        raise _malformed("a member lies on another disk")
    name, extra = rest[:name_size], rest[name_size : name_size + extra_size]
    unpacked, packed, offset = widen(extra, unpacked, packed, offset)
    return Member(name, names.alias(extra, name), flags, method, checksum, packed, unpacked, attributes, offset)


def widen(extra: bytes, *narrow: int) -> tuple[int, ...]:
    """Return the values with every saturated one replaced, in order, from the extra block's one zip64 field.

    Raises ``ArchiveMalformed`` when a replacement is missing or there are two zip64 fields.
    """
    missing = narrow.count(WIDE32)
    if not missing:
        return narrow
    fields = names.zip64_fields(extra)
    if len(fields) != 1 or len(fields[0]) < missing * _LONG.size:
        raise _malformed("a zip64 size or offset is missing or given twice")
    wide = (value for (value,) in _LONG.iter_unpack(fields[0][: missing * _LONG.size]))
    return tuple(next(wide) if value == WIDE32 else value for value in narrow)


def _check_name(member: Member) -> None:
    for name in (member.name, member.alias):
        why = names.why_unsafe(name) if name is not None else None
        if name is not None and why is not None:
            raise errors.UnsafeMemberName(
                f"a member's name {why}", expected="plain relative names only", found=names.shown(name)
            )


def _malformed(message: str) -> errors.ArchiveMalformed:
    return errors.ArchiveMalformed(message)
