"""Zip archives built by hand, one record at a time, so that any of them can lie."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

STORED, DEFLATED = 0, 8
DESCRIPTOR = 0x0008
REGULAR = 0o100644 << 16
LINK = 0o120777 << 16
WIDE16, WIDE32 = 0xFFFF, 0xFFFFFFFF

LOCAL = struct.Struct("<4s5H3L2H")
ENTRY = struct.Struct("<4s6H3L5H2L")
END = struct.Struct("<4s4H2LH")
END64 = struct.Struct("<4sQ2H2L4Q")
LOCATOR = struct.Struct("<4sLQL")


@dataclass(frozen=True)
class Item:
    """One member. What is ``None`` is derived from the content; anything else is written as it stands."""

    name: bytes
    content: bytes = b""
    method: int = DEFLATED
    flags: int = DESCRIPTOR
    attributes: int = REGULAR
    data: bytes | None = None
    checksum: int | None = None
    packed: int | None = None
    unpacked: int | None = None
    offset: int | None = None
    disk: int = 0
    extra: bytes = b""
    comment: bytes = b""
    local_name: bytes | None = None
    local_flags: int | None = None
    local_method: int | None = None
    local_sizes: tuple[int, int, int] | None = None
    local_extra: bytes = b""
    local_signature: bytes = b"PK\x03\x04"
    descriptor: bytes | None = None
    before: bytes = b""

    def payload(self) -> bytes:
        """The packed bytes."""
        if self.data is not None:
            return self.data
        return deflate(self.content) if self.method == DEFLATED else self.content

    def claims(self) -> tuple[int, int, int]:
        """Checksum, packed and unpacked size as the central directory states them."""
        return (
            zlib.crc32(self.content) if self.checksum is None else self.checksum,
            len(self.payload()) if self.packed is None else self.packed,
            len(self.content) if self.unpacked is None else self.unpacked,
        )

    def with_(self, **changes: object) -> "Item":
        """A copy with some records changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def deflate(content: bytes) -> bytes:
    """Raw deflate data, as a zip holds it."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def bomb(mebibytes: int) -> bytes:
    """Deflate data that unpacks to so many MiB of zeros, about a KiB for each, made without packing them all."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    once = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return once * mebibytes + b"\x03\x00"


def local(item: Item) -> bytes:
    """A member's local header, data and descriptor."""
    flags = item.flags if item.local_flags is None else item.local_flags
    method = item.method if item.local_method is None else item.local_method
    name = item.name if item.local_name is None else item.local_name
    sizes = item.local_sizes
    if sizes is None:
        sizes = (0, 0, 0) if item.flags & DESCRIPTOR else item.claims()
    head = LOCAL.pack(item.local_signature, 20, flags, method, 0, 0x5D1E, *sizes, len(name), len(item.local_extra))
    descriptor = item.descriptor
    if descriptor is None:
        descriptor = b"PK\x07\x08" + struct.pack("<3L", *item.claims()) if item.flags & DESCRIPTOR else b""
    return head + name + item.local_extra + item.payload() + descriptor


def entry(item: Item, offset: int) -> bytes:
    """A member's entry in the central directory."""
    place = offset if item.offset is None else item.offset
    return (
        ENTRY.pack(
            b"PK\x01\x02",
            0x032D,
            20,
            item.flags,
            item.method,
            0,
            0x5D1E,
            *item.claims(),
            len(item.name),
            len(item.extra),
            len(item.comment),
            item.disk,
            0,
            item.attributes,
            place,
        )
        + item.name
        + item.extra
        + item.comment
    )


def build(items: Sequence[Item], *, comment: bytes = b"", wide: bool = False) -> bytes:
    """An archive of these members. ``wide`` closes it with zip64 records, as large or forced archives are."""
    body, directory = b"", b""
    for item in items:
        body += item.before
        directory += entry(item, len(body))
        body += local(item)
    return body + directory + close(len(items), len(directory), len(body), comment=comment, wide=wide)


def close(count: int, size: int, start: int, *, comment: bytes = b"", wide: bool = False) -> bytes:
    """The end records."""
    if not wide:
        return END.pack(b"PK\x05\x06", 0, 0, count, count, size, start, len(comment)) + comment
    return (
        END64.pack(b"PK\x06\x06", END64.size - 12, 45, 45, 0, 0, count, count, size, start)
        + LOCATOR.pack(b"PK\x06\x07", 0, start + size, 1)
        + END.pack(b"PK\x05\x06", 0, 0, WIDE16, WIDE16, WIDE32, WIDE32, len(comment))
        + comment
    )


def extra_field(tag: int, data: bytes) -> bytes:
    """One extra field."""
    return struct.pack("<2H", tag, len(data)) + data


def zip64(*values: int) -> bytes:
    """The extra field that holds wide sizes and offsets."""
    return extra_field(0x0001, struct.pack(f"<{len(values)}Q", *values))


def unicode_path(name: bytes, alias: bytes, *, version: int = 1, checksum: int | None = None) -> bytes:
    """The extra field that gives a member another name."""
    crc = zlib.crc32(name) if checksum is None else checksum
    return extra_field(0x7075, struct.pack("<BL", version, crc) + alias)
