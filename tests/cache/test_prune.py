"""What is there, and what goes."""

import fcntl
import os
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache, ArtifactKey, Entry
from opvalue.cache.errors import FolderNotPrivate
from opvalue.identity import Instant
from tests.cache.samples import DATA, KEY, blob, fetched, files, record

SECOND = 1_000_000_000


@pytest.fixture
def cache(tmp_path: Path) -> ArtifactCache:
    return ArtifactCache(tmp_path)


def keep(cache: ArtifactCache, artifact_id: int, *, size: int = 22, used: int = 1000) -> ArtifactKey:
    key = KEY._replace(artifact_id=artifact_id)
    fetched(cache, key, bytes(size))
    os.utime(record(cache, key), ns=(used * SECOND, used * SECOND))
    return key


def ids(entries: tuple[Entry, ...]) -> list[int | None]:
    return [entry.record.key.artifact_id if entry.record else None for entry in entries]


def test_an_empty_cache_is_not_made_by_looking(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "none")
    assert cache.entries() == ()
    assert cache.prune(everything=True) == ((), ())
    assert list(tmp_path.iterdir()) == []


def test_entries_are_listed_last_used_first(cache: ArtifactCache) -> None:
    for number, used in ((1, 50), (2, 70), (3, 60)):
        keep(cache, number, size=number, used=used)
    assert ids(cache.entries()) == [2, 3, 1]
    assert [entry.bytes for entry in cache.entries()] == [2, 3, 1]
    assert cache.entries()[0].used == Instant(70_000)
    fetched(cache, KEY._replace(artifact_id=1), bytes(1))
    assert ids(cache.entries()) == [1, 2, 3], "using it counts"


def test_without_a_rule_only_what_is_of_no_use_goes(cache: ArtifactCache) -> None:
    keep(cache, 1, used=1)
    blob(cache, keep(cache, 2)).write_bytes(b"cut")
    record(cache, keep(cache, 3)).unlink()
    blob(cache, keep(cache, 4)).unlink()
    record(cache, keep(cache, 5)).write_bytes(b"{}")
    record(cache, keep(cache, 6)).chmod(0o644)
    record(cache, keep(cache, 7)).write_bytes(record(cache, KEY._replace(artifact_id=1)).read_bytes())
    (cache.folder / f"{'a' * 64}.part").write_bytes(b"half")
    (cache.folder / f"{'b' * 64}.lock").touch()
    (cache.folder / "README").write_bytes(b"not ours")
    assert ids(cache.entries()).count(None) == 7
    pruned = cache.prune()
    assert (ids(pruned.removed), ids(pruned.kept)) == ([None] * 7, [1])
    assert sum(entry.bytes for entry in pruned.removed) == 3 + 4 * 22 + 4
    assert ids(cache.entries()) == [1]
    assert len(list(cache.folder.iterdir())) == 4
    assert (cache.folder / "README").read_bytes() == b"not ours"


def test_by_age(cache: ArtifactCache) -> None:
    for number in (1, 2, 3):
        keep(cache, number, used=number)
    pruned = cache.prune(unused_since=Instant(2000))
    assert (ids(pruned.removed), ids(pruned.kept)) == ([1], [3, 2])
    assert ids(cache.entries()) == [3, 2]


@pytest.mark.parametrize(
    ("most", "kept"),
    [(100, [3, 2, 1]), (60, [3, 2, 1]), (59, [3, 2]), (50, [3, 2]), (30, [3]), (29, []), (0, []), (-1, [])],
)
def test_by_size(cache: ArtifactCache, most: int, kept: list[int]) -> None:
    for number in (1, 2, 3):
        keep(cache, number, size=10 * number, used=number)
    pruned = cache.prune(max_bytes=most)
    assert ids(pruned.kept) == ids(cache.entries()) == kept
    assert len(pruned.removed) == 3 - len(kept)


def test_age_and_size_together(cache: ArtifactCache) -> None:
    for number in (1, 2, 3, 4):
        keep(cache, number, size=10, used=number)
    assert ids(cache.prune(unused_since=Instant(3000), max_bytes=10).kept) == [4]


def test_everything(cache: ArtifactCache) -> None:
    for number in (1, 2):
        keep(cache, number)
    assert len(cache.prune(everything=True).removed) == 2
    assert list(cache.folder.iterdir()) == []


def test_what_is_being_worked_on_stays(cache: ArtifactCache) -> None:
    key = keep(cache, 1)
    lock = os.open(cache.folder / f"{key.name}.lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        pruned = cache.prune(everything=True)
    finally:
        os.close(lock)
    assert (ids(pruned.removed), ids(pruned.kept)) == ([], [1])
    assert fetched(cache, key, bytes(22))


def test_what_was_used_meanwhile_stays(cache: ArtifactCache, monkeypatch: pytest.MonkeyPatch) -> None:
    key = keep(cache, 1)
    real = fcntl.flock

    def late(descriptor: int, operation: int) -> None:
        os.utime(record(cache, key))
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    assert ids(cache.prune(unused_since=Instant(2_000_000)).kept) == [1]
    assert files(cache) == {key.name[:8]: ".json.zip"}


@pytest.mark.parametrize("seconds", [-5, 0, 2**40])
def test_odd_times_are_listed(cache: ArtifactCache, seconds: int) -> None:
    key = keep(cache, 1)
    try:
        os.utime(record(cache, key), ns=(seconds * SECOND, seconds * SECOND))
    except (OSError, OverflowError):
        pytest.skip("root may not set this time here, nor may others")
    assert "0000" <= str(cache.entries()[0].used)[:4] <= "9999"


def test_a_folder_that_is_not_private_is_not_touched(cache: ArtifactCache) -> None:
    keep(cache, 1)
    cache.folder.chmod(0o755)
    for act in (cache.entries, cache.prune):
        with pytest.raises(FolderNotPrivate) as caught:
            act()
        assert (caught.value.expected, caught.value.found) == ("mode 0700", "mode 0755")
    cache.folder.chmod(0o700)
    assert blob(cache, KEY._replace(artifact_id=1)).stat().st_size == len(DATA)
