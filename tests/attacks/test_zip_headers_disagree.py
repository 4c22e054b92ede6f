"""Local header, central directory, data descriptor and data of a grader file say different things (ZP-04)."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import DESCRIPTOR, STORED, WIDE32, Item, build, deflate, local, zip64

FILES = [name.encode() for name in samples.files()]


def changed(name: bytes, change: Callable[[Item], Item]) -> bytes:
    """The good archive, one member changed."""
    return build([change(item) if item.name == name else item for item in samples.items()])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "changes",
    [
        {"local_signature": b"PK\x03\x05"},
        {"local_name": b"agent/graders/other"},
        {"local_name": b""},
        {"local_flags": 0},
        {"local_flags": DESCRIPTOR | 0x0800},
        {"local_flags": DESCRIPTOR | 0x0001},
        {"local_method": STORED},
        {"local_sizes": (1, 0, 0)},
        {"local_sizes": (0, 1, 0)},
        {"local_sizes": (0, 0, 1)},
        {"local_sizes": (0, WIDE32, WIDE32), "local_extra": zip64(1, 1)},
        {"descriptor": b""},
        {"descriptor": b"PK\x07\x08" + struct.pack("<3L", 1, 2, 3)},
        {"descriptor": struct.pack("<3L", 1, 2, 3)},
        {"flags": 0, "local_sizes": (0, 0, 0)},
    ],
)
def test_local_header_or_descriptor(tmp_path: Path, name: bytes, changes: dict[str, Any]) -> None:
    assert refused(changed(name, lambda item: item.with_(**changes)), tmp_path).code == "archive.headers-disagree"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("unpacked", [0, 1, 10, 5 << 30 & WIDE32])
def test_forged_unpacked_size(tmp_path: Path, name: bytes, unpacked: int) -> None:
    error = refused(changed(name, lambda item: item.with_(unpacked=unpacked)), tmp_path)
    assert error.code == "archive.headers-disagree"
    assert error.expected == str(unpacked)


@pytest.mark.parametrize("name", FILES)
def test_forged_size_of_five_gibibytes(tmp_path: Path, name: bytes) -> None:
    def forge(item: Item) -> Item:
        checksum, packed, _ = item.claims()
        return item.with_(
            unpacked=WIDE32,
            extra=zip64(5 << 30),
            descriptor=b"PK\x07\x08" + struct.pack("<L2Q", checksum, packed, 5 << 30),
        )

    assert refused(changed(name, forge), tmp_path).code == "archive.headers-disagree"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("hidden", [b"x", b"{}" * 40_000])
def test_bytes_behind_the_packed_data(tmp_path: Path, name: bytes, hidden: bytes) -> None:
    data = changed(name, lambda item: item.with_(data=deflate(item.content) + hidden))
    error = refused(data, tmp_path)
    assert error.code == "archive.headers-disagree"
    assert "packed size" in error.message


def test_packed_data_that_ends_with_a_read_piece(tmp_path: Path) -> None:
    # The first 64 KiB hold the whole packed data, so that the rest is met by a reader that is already done.
    content = samples.SCRIPT
    stored = b"\x00\xff\xff\x00\x00" + bytes(0xFFFF)
    packed = stored[: 65_536 - len(deflate(content))]
    filler = packed[5:]
    exact = b"\x00" + struct.pack("<2H", len(filler), len(filler) ^ 0xFFFF) + filler + deflate(content)
    assert len(exact) == 65_536
    name = FILES[0]
    data = changed(name, lambda item: item.with_(content=filler + content, data=exact + b"hidden"))
    assert refused(data, tmp_path).code == "archive.headers-disagree"


def test_stored_member_with_two_sizes(tmp_path: Path) -> None:
    def forge(item: Item) -> Item:
        return item.with_(method=STORED, flags=0, unpacked=len(item.content) - 1)

    assert refused(changed(FILES[0], forge), tmp_path).code == "archive.headers-disagree"


def test_local_record_that_no_entry_lists_is_not_read() -> None:
    hidden = Item(FILES[0], b'{"version": 1}')
    members = samples.items()
    data = build([members[0], members[1].with_(before=local(hidden)), *members[2:]])
    assert samples.read(data) == samples.read(samples.artifact())
