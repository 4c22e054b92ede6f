"""What a member's name may be. Bytes, since readers disagree on encodings but not on these characters (ZP-01). Pure."""

import posixpath
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Final

_DRIVE = re.compile(rb"[A-Za-z]:")
_ZIP64: Final = 0x0001
_UNICODE_PATH: Final = 0x7075
_UNICODE_PATH_HEAD: Final = struct.Struct("<BL")
_EXTRA_HEAD: Final = struct.Struct("<2H")


def why_unsafe(name: bytes) -> str | None:
    """Return which rule ``name`` breaks, or ``None``. Dots inside a segment (``..data``, ``a..b``) are harmless."""
    if not name:
        return "is empty"
    if b"\0" in name:
        return "holds a NUL"
    if b"\\" in name:
        return "holds a backslash"
    if name.startswith(b"/"):
        return "is absolute"
    if _DRIVE.match(name):
        return "names a drive"
    if b".." in name and b".." in name.split(b"/"):
        return "climbs"
    return None


def cleaned(name: bytes) -> bytes:
    """Return the path ``name`` would be written to, without ``.`` and empty segments; a folder keeps its slash."""
    if b"./" not in name and b"//" not in name:
        return name
    path = posixpath.normpath(name)
    return path + b"/" if name.endswith(b"/") else path


def shown(name: bytes) -> str:
    """Return a name for an error text."""
    return repr(name.decode("utf-8", "replace")[:80])


def zip64_fields(extra: bytes) -> list[bytes]:
    """Return the data of every zip64 field in an extra block; a well-formed one has at most one."""
    return [data for tag, data in _extra_fields(extra) if tag == _ZIP64]


def alias(extra: bytes, name: bytes) -> bytes | None:
    """Return the name that readers of the Unicode Path field use in place of ``name``, or ``None``."""
    for tag, data in _extra_fields(extra):
        if tag != _UNICODE_PATH or len(data) < _UNICODE_PATH_HEAD.size:
            continue
        version, checksum = _UNICODE_PATH_HEAD.unpack_from(data)
        if version == 1 and checksum == zlib.crc32(name):
            return data[_UNICODE_PATH_HEAD.size :]
    return None


def _extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    # A broken tail ends the block: some writers pad it, and whoever needs a field finds it missing.
    position = 0
    while position + _EXTRA_HEAD.size <= len(extra):
        tag, size = _EXTRA_HEAD.unpack_from(extra, position)
        position += _EXTRA_HEAD.size
        if position + size > len(extra):
            return
        yield tag, extra[position : position + size]
        position += size
