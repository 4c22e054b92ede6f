"""A cache that is full, read-only, or cannot be made: the artifact comes all the same, and the user is told."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache
from opvalue.cache.errors import Unwritable
from opvalue.process.private import remove_tree
from tests.cache.samples import DATA, KEY, Fill, blob, fetched, files

BIG = b"PK\x05\x06" + bytes(100_000)


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system that holds 16 pages and 12 names."""
    if os.geteuid() != 0:
        pytest.skip("root may mount, others may not")
    place = tmp_path / "tiny"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=64k,nr_inodes=12,mode=0700", "tmpfs", str(place)]
    done = subprocess.run(["mount", *options], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"not even root may mount here: {done.stderr!r}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_an_artifact_that_has_no_room(tiny: Path) -> None:
    cache, fill = ArtifactCache(tiny), Fill(BIG)
    with cache.fetch(KEY, fill) as found:
        assert (found.hit, found.file.read(), fill.calls) == (False, BIG, 2)
    assert isinstance(found.problem, Unwritable)
    assert "No space left" in (found.problem.found or "")
    assert files(cache) == {}
    assert not fetched(cache), "a smaller one has"
    assert fetched(cache)


@pytest.mark.parametrize("room", range(6))
def test_a_full_disk_whatever_is_left(tiny: Path, room: int) -> None:
    cache = ArtifactCache(tiny)
    cache.folder.mkdir(0o700)
    fillers = [tiny / str(number) for number in range(9)]
    for filler in fillers[: 9 - room]:
        filler.touch()
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    whole = files(cache) == {KEY.name[:8]: ".json.zip"}
    assert whole is (found.problem is None)
    assert whole or files(cache) == {}
    for filler in fillers:
        filler.unlink(missing_ok=True)
    assert fetched(cache) is whole
    assert fetched(cache)


def test_a_full_disk_still_gives_what_it_has(tiny: Path) -> None:
    cache = ArtifactCache(tiny)
    fetched(cache)
    with pytest.raises(OSError, match="No space"):
        (tiny / "filler").write_bytes(BIG)
    assert fetched(cache)
    assert len(cache.prune(everything=True).removed) == 1


def test_a_refresh_that_has_no_room_leaves_what_was_there(tiny: Path) -> None:
    cache = ArtifactCache(tiny)
    fetched(cache)
    with cache.fetch(KEY, Fill(BIG), refresh=True) as found:
        assert (found.hit, found.file.read()) == (False, BIG)
    assert isinstance(found.problem, Unwritable)
    assert blob(cache).read_bytes() == DATA
    assert fetched(cache)


def test_a_read_only_file_system(tiny: Path) -> None:
    cache = ArtifactCache(tiny)
    fetched(cache)
    subprocess.run(["mount", "-o", "remount,ro", str(tiny)], check=True)
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    assert isinstance(found.problem, Unwritable)
    assert "Read-only file system" in found.problem.message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.parametrize("mode", [0o500, 0o400, 0o000])
def test_a_folder_without_permission(mode: int, tmp_path: Path) -> None:
    for closed in (tmp_path / "root", tmp_path / "root/artifacts"):
        closed.mkdir(mode=0o700)
        cache = ArtifactCache(tmp_path / "root")
        closed.chmod(mode)
        with cache.fetch(KEY, Fill()) as found:
            assert found.file.read() == DATA
        closed.chmod(0o700)
        assert isinstance(found.problem, Unwritable)
        assert "Permission denied" in found.problem.message


@pytest.mark.parametrize("place", ["/dev/null", "/dev/null/below", "/proc/nowhere", "/" + "x" * 300, "/a\0b"])
def test_a_place_where_nothing_can_be_made(place: str) -> None:
    with ArtifactCache(Path(place)).fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    assert found.problem is not None
    assert found.problem.code == "cache.unwritable"


def test_a_cache_that_is_removed_in_the_middle(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "cache")

    class Removing(Fill):
        def __call__(self, file):  # type: ignore[no-untyped-def]  # as its base
            remove_tree(tmp_path / "cache")
            return super().__call__(file)

    with cache.fetch(KEY, Removing()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    assert isinstance(found.problem, Unwritable)
    assert not fetched(cache)
    assert fetched(cache)
