"""A grader file shares bytes with another member or with the central directory (ZP-04)."""

from pathlib import Path

import pytest

from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import STORED, Item, build, local

FILES = [name.encode() for name in samples.files()]


def place_of(members: list[Item], name: bytes) -> int:
    """Where a member's local header begins."""
    place = 0
    for item in members:
        if item.name == name:
            return place
        place += len(local(item))
    raise LookupError(name)


@pytest.mark.parametrize("name", FILES)
def test_two_entries_on_one_offset(tmp_path: Path, name: bytes) -> None:
    members = samples.items()
    other = Item(b"agent/other", offset=place_of(members, name), packed=5, unpacked=5)
    assert refused(build([*members, other]), tmp_path).code == "archive.overlap"


@pytest.mark.parametrize("name", FILES)
def test_entry_inside_the_data(tmp_path: Path, name: bytes) -> None:
    members = samples.items()
    other = Item(b"agent/other", offset=place_of(members, name) + 70, packed=0, unpacked=0)
    assert refused(build([*members, other]), tmp_path).code == "archive.overlap"


@pytest.mark.parametrize("name", FILES)
def test_data_of_an_earlier_member_reaches_over(tmp_path: Path, name: bytes) -> None:
    members = samples.items()
    covering = Item(b"agent/covering", offset=0, packed=place_of(members, name), unpacked=1)
    assert refused(build([*members, covering]), tmp_path).code == "archive.overlap"


def test_extra_block_of_an_earlier_member_reaches_over(tmp_path: Path) -> None:
    members = samples.items()
    inner = local(members[1])
    # The local header of the first member declares the second one as its own extra block.
    quoting = bytearray(local(Item(b"agent/quoting", flags=0, method=STORED)))
    quoting[28:30] = len(inner).to_bytes(2, "little")
    first = Item(b"agent/quoting", flags=0, method=STORED, offset=0)
    data = build([members[1].with_(before=bytes(quoting)), *members[2:], first])
    assert refused(data, tmp_path).code == "archive.overlap"


@pytest.mark.parametrize("packed", [10_000, 0xFFFFFFFE])
def test_data_reaches_into_the_directory(tmp_path: Path, packed: int) -> None:
    members = [item.with_(packed=packed) if item.name == FILES[1] else item for item in samples.items()]
    assert refused(build(members), tmp_path).code == "archive.overlap"


@pytest.mark.parametrize("back", [0, 10, 21])
def test_header_lies_in_the_directory(tmp_path: Path, back: int) -> None:
    plain = samples.items()
    start = sum(len(local(item)) for item in plain)
    members = [item.with_(offset=start - back) if item.name == FILES[1] else item for item in plain]
    assert refused(build(members), tmp_path).code == "archive.overlap"


def test_many_entries_over_one_kernel(tmp_path: Path) -> None:
    members = samples.items()
    place = place_of(members, FILES[1])
    copies = [Item(f"agent/{count}".encode(), offset=place, packed=100, unpacked=1 << 23) for count in range(640)]
    assert refused(build([*members, *copies]), tmp_path).code == "archive.overlap"


def test_unwanted_members_may_overlap() -> None:
    members = [Item(b"agent/a", b"same"), *samples.items(), Item(b"agent/b", b"same", offset=0)]
    assert samples.read(build(members)).evaluator == samples.SCRIPT


def test_gaps_are_no_overlap() -> None:
    members = [item.with_(before=bytes(7)) for item in samples.items()]
    data = b"PK\x03\x04" + build(members)[4:]
    assert samples.read(data).evaluator == samples.SCRIPT
