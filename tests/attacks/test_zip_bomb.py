"""A small archive unpacks to gigabytes (ZP-04). Nothing near that is ever held or unpacked."""

import bz2
import io
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.archive import read_archive
from opvalue.limits import Limits
from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import WIDE32, Item, bomb, build, close, entry, local, zip64

MIB = 1 << 20
FILES = list(samples.files())
TOO_LARGE = {
    samples.EVALUATOR: "archive.evaluator-too-large",
    samples.MANIFEST: "archive.manifest-too-large",
    samples.RESULTS: "archive.results-too-large",
}


@contextmanager
def memory_below(most: int) -> Iterator[None]:
    """Assert that Python objects never took more than ``most`` bytes meanwhile."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def replaced(name: str, **changes: object) -> bytes:
    """The good archive, one member changed."""
    return build([item.with_(**changes) if item.name == name.encode() else item for item in samples.items()])


@pytest.mark.parametrize("name", FILES)
def test_ten_kibibytes_of_zeros_packed(tmp_path: Path, name: str) -> None:
    data = bomb(10)
    assert len(data) < 11_000
    with memory_below(8 * MIB):
        error = refused(replaced(name, data=data, unpacked=10 * MIB), tmp_path)
    evaluator = name.endswith(samples.EVALUATOR)
    assert error.code == ("archive.evaluator-too-large" if evaluator else "archive.bomb")


@pytest.mark.parametrize("name", FILES)
def test_five_gibibytes(tmp_path: Path, name: str) -> None:
    data = bomb(5 * 1024)
    with memory_below(60 * MIB):
        error = refused(replaced(name, data=data, unpacked=WIDE32, extra=zip64(5 << 30)), tmp_path)
    # The descriptor that follows cannot hold such a size in four bytes.
    assert error.code == "archive.headers-disagree"
    with memory_below(60 * MIB):
        error = refused(
            replaced(name, data=data, unpacked=WIDE32, extra=zip64(5 << 30), flags=0, local_extra=zip64(5 << 30)),
            tmp_path,
        )
    assert error.code == TOO_LARGE[name.rpartition("/")[2]]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("claimed", [0, 10, 1000])
def test_five_gibibytes_that_claim_to_be_few(tmp_path: Path, name: str, claimed: int) -> None:
    with memory_below(60 * MIB):
        error = refused(replaced(name, data=bomb(5 * 1024), unpacked=claimed), tmp_path)
    assert error.code == TOO_LARGE[name.rpartition("/")[2]]


@pytest.mark.parametrize("name", FILES)
def test_ten_kibibytes_to_five_gibibytes_by_another_method(tmp_path: Path, name: str) -> None:
    piece = bz2.compress(bytes(45 * MIB))
    data = piece * (5 * 1024 // 45 + 1)
    assert len(data) < 10 * 1024
    with memory_below(8 * MIB):
        assert refused(replaced(name, data=data, method=12), tmp_path).code == "archive.method"


def test_packed_size_that_lies_to_widen_the_ratio(tmp_path: Path) -> None:
    data = bomb(1)
    padded = build(
        [
            item.with_(data=data + bytes(20_000), unpacked=MIB, checksum=zlib.crc32(bytes(MIB)))
            if item.name == FILES[0].encode()
            else item
            for item in samples.items()
        ]
    )
    assert refused(padded, tmp_path).code == "archive.headers-disagree"


def test_ratio_is_a_limit_of_its_own(tmp_path: Path) -> None:
    contents = samples.files() | {FILES[0]: samples.files()[FILES[0]] + b" " * 100_000}
    data = samples.artifact(contents)
    assert refused(data, tmp_path).code == "archive.bomb"
    roomy = Limits(member_ratio=1000)
    assert read_archive(io.BytesIO(data), roomy).evaluator == samples.SCRIPT
    assert refused(data, tmp_path, roomy._replace(record_bytes=3000)).code == "archive.manifest-too-large"


def test_unwanted_bombs_are_never_unpacked() -> None:
    members = [*samples.items(), Item(b"agent/bomb", data=bomb(5 * 1024), unpacked=10)]
    archive = build(members)
    with memory_below(8 * MIB):
        assert samples.read(archive).evaluator == samples.SCRIPT


def test_seventy_thousand_members(tmp_path: Path) -> None:
    members = [Item(b"agent/%d" % count, flags=0, method=0) for count in range(70_000)]
    data = _joined(members)
    with memory_below(20 * MIB):
        assert refused(data, tmp_path).code == "archive.too-many-members"


def _joined(members: list[Item]) -> bytes:
    bodies, entries, place = [], [], 0
    for item in members:
        body = local(item)
        entries.append(entry(item, place))
        bodies.append(body)
        place += len(body)
    directory = b"".join(entries)
    return b"".join(bodies) + directory + close(len(members), len(directory), place, wide=True)
