"""Somebody changed what the cache keeps: it is noticed, dropped and fetched anew, and the user is told."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache, ArtifactKey, Record
from opvalue.cache.errors import EntryDamaged, Unwritable
from opvalue.identity import Digest
from opvalue.limits import Limits
from tests.cache.samples import DATA, KEY, OFFERED, OTHER, Fill, blob, fetched, files, never, record

Attack = Callable[[ArtifactCache, Path], object]


def a_link(target: Path, elsewhere: Path) -> None:
    target.rename(elsewhere)
    target.symlink_to(elsewhere)


def a_hard_link(target: Path, elsewhere: Path) -> None:
    target.rename(elsewhere)
    os.link(elsewhere, target)


def a_pipe(target: Path, _elsewhere: Path) -> None:
    target.unlink()
    os.mkfifo(target, 0o600)


def a_socket(target: Path, _elsewhere: Path) -> None:
    target.unlink()
    here = os.open(".", os.O_RDONLY)
    os.chdir(target.parent)  # the path of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(target.name)
    finally:
        os.fchdir(here)
        os.close(here)


def longer_than_any(cache: ArtifactCache, _: Path) -> None:
    size = Limits().archive_bytes + 1
    os.truncate(blob(cache), size)
    record(cache).write_bytes(Record(KEY, Digest.of(DATA), size).encode())


ATTACKS: dict[str, Attack] = {
    "other bytes": lambda cache, _: blob(cache).write_bytes(OTHER),
    "cut": lambda cache, _: blob(cache).write_bytes(DATA[:-1]),
    "emptied": lambda cache, _: blob(cache).write_bytes(b""),
    "longer": lambda cache, _: blob(cache).write_bytes(DATA + b"\0"),
    "longer than any": longer_than_any,
    "bytes gone": lambda cache, _: blob(cache).unlink(),
    "bytes by link": lambda cache, place: a_link(blob(cache), place / "x"),
    "bytes by hard link": lambda cache, place: a_hard_link(blob(cache), place / "x"),
    "bytes from a pipe": lambda cache, place: a_pipe(blob(cache), place),
    "bytes from a socket": lambda cache, place: a_socket(blob(cache), place),
    "bytes open to others": lambda cache, _: blob(cache).chmod(0o666),
    "record cut": lambda cache, _: record(cache).write_bytes(record(cache).read_bytes()[:-2]),
    "record of noise": lambda cache, _: record(cache).write_bytes(b"[" * 5000),
    "record by link": lambda cache, place: a_link(record(cache), place / "x"),
    "record from a pipe": lambda cache, place: a_pipe(record(cache), place),
    "record open to others": lambda cache, _: record(cache).chmod(0o640),
    "record of another artifact": lambda cache, _: record(cache).write_bytes(
        Record(KEY._replace(artifact_id=1), Digest.of(DATA), len(DATA)).encode()
    ),
    "record of other bytes": lambda cache, _: record(cache).write_bytes(
        Record(KEY, Digest.of(OTHER), len(DATA)).encode()
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_was_changed_is_never_used(name: str, tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "cache")
    fetched(cache)
    ATTACKS[name](cache, tmp_path)
    elsewhere = tmp_path / "x"
    before = elsewhere.read_bytes() if elsewhere.exists() else None
    fill = Fill()
    with cache.fetch(KEY, fill) as found:
        assert (found.hit, found.file.read(), fill.calls) == (False, DATA, 1)
    assert isinstance(found.problem, EntryDamaged)
    assert str(cache.folder) in found.problem.message
    assert fetched(cache), "it is whole again"
    assert (elsewhere.read_bytes() if elsewhere.exists() else None) == before


def test_bytes_and_record_changed_together_fail_the_digest_that_is_offered(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    fetched(cache, OFFERED)
    for key in (OFFERED, OFFERED._replace(offered=Digest.of(OTHER))):
        blob(cache, OFFERED).write_bytes(OTHER)
        record(cache, OFFERED).write_bytes(Record(key, Digest.of(OTHER), len(OTHER)).encode())
        with cache.fetch(OFFERED, Fill()) as found:
            assert (found.hit, found.file.read()) == (False, DATA)
        assert isinstance(found.problem, EntryDamaged)


def test_an_entry_moved_under_another_key(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    other: ArtifactKey = KEY._replace(run_id="99999")
    fetched(cache, other, OTHER)
    blob(cache, other).rename(blob(cache))
    record(cache, other).rename(record(cache))
    assert [entry.record for entry in cache.entries()] == [None]
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    assert isinstance(found.problem, EntryDamaged)


def test_a_damaged_entry_is_gone_also_when_it_cannot_be_fetched_anew(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    fetched(cache)
    blob(cache).write_bytes(OTHER)
    with pytest.raises(AssertionError):
        cache.fetch(KEY, never)
    assert files(cache) == {}


@pytest.mark.parametrize("ending", [".zip", ".json", ".part", ".lock"])
def test_a_folder_in_the_place_of_a_file_is_left_alone(ending: str, tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    cache.folder.mkdir(0o700)
    inside = cache.folder / f"{KEY.name}{ending}" / "inside"
    inside.mkdir(parents=True)
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    assert isinstance(found.problem, Unwritable)
    assert inside.exists()


@pytest.mark.parametrize("ending", [".part", ".lock"])
def test_a_link_where_something_is_about_to_be_written(ending: str, tmp_path: Path) -> None:
    cache, victim = ArtifactCache(tmp_path), tmp_path / "victim"
    victim.write_bytes(b"precious")
    cache.folder.mkdir(0o700)
    (cache.folder / f"{KEY.name}{ending}").symlink_to(victim)
    with cache.fetch(KEY, Fill()) as found:
        assert found.file.read() == DATA
    assert victim.read_bytes() == b"precious"


def test_pruning_a_link_removes_the_link(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "cache")
    fetched(cache)
    a_link(blob(cache), tmp_path / "x")
    assert len(cache.prune(everything=True).removed) == 1
    assert (tmp_path / "x").read_bytes() == DATA
    assert files(cache) == {}
