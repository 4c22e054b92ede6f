"""The cache's folder is somebody else's, open to others or a link: it is not used, nor is anything in it changed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache
from opvalue.cache.errors import EntryDamaged, FolderNotPrivate
from tests.cache.samples import DATA, KEY, Fill, blob, fetched, never, record

SOMEBODY = 54321
give_away = pytest.mark.skipif(os.geteuid() != 0, reason="root may give files away, others may not")


def refused(cache: ArtifactCache) -> FolderNotPrivate:
    """Fetch, and return why the cache was not used."""
    before = contents(cache.folder)
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    for act in (cache.entries, cache.prune, lambda: cache.prune(everything=True)):
        with pytest.raises(FolderNotPrivate):
            act()
    assert contents(cache.folder) == before
    assert isinstance(found.problem, FolderNotPrivate)
    return found.problem


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


@give_away
def test_it_belongs_to_somebody_else(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    fetched(cache)
    os.chown(cache.folder, SOMEBODY, SOMEBODY)
    problem = refused(cache)
    assert (problem.expected, problem.found) == ("user 0", f"user {SOMEBODY}")


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o701, 0o740, 0o1777, 0o755])
def test_it_is_open_to_others(mode: int, tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    fetched(cache)
    cache.folder.chmod(mode)
    assert refused(cache).found == f"mode {mode:04o}"


def test_it_is_a_link(tmp_path: Path) -> None:
    real, cache = ArtifactCache(tmp_path / "real"), ArtifactCache(tmp_path / "linked")
    fetched(real)
    (tmp_path / "linked").mkdir()
    cache.folder.symlink_to(real.folder)
    assert "is a link or a file" in refused(cache).message


def test_it_is_a_link_to_nowhere(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    cache.folder.symlink_to(tmp_path / "nowhere")
    refused(cache)
    assert not (tmp_path / "nowhere").exists()


def test_it_is_a_file(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    cache.folder.write_bytes(b"precious")
    refused(cache)
    assert cache.folder.read_bytes() == b"precious"


def test_the_folder_above_may_be_open_and_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    cache = ArtifactCache(tmp_path / "link")
    assert not fetched(cache)
    assert fetched(cache)


@give_away
@pytest.mark.parametrize("file", [blob, record])
def test_an_entry_belongs_to_somebody_else(file: Callable[[ArtifactCache], Path], tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    fetched(cache)
    os.chown(file(cache), SOMEBODY, SOMEBODY)
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    assert isinstance(found.problem, EntryDamaged)
    assert found.problem.found == f"it belongs to user {SOMEBODY}"
    assert fetched(cache)


def test_the_folder_is_exchanged_while_it_is_used(tmp_path: Path) -> None:
    cache, other = ArtifactCache(tmp_path / "cache"), tmp_path / "other"
    fetched(cache)
    other.mkdir(mode=0o700)

    class Exchanging(Fill):
        def __call__(self, file):  # type: ignore[no-untyped-def]  # as its base
            cache.folder.rename(tmp_path / "moved")
            cache.folder.symlink_to(other)
            return super().__call__(file)

    with cache.fetch(KEY, Exchanging(), refresh=True) as found:
        assert (found.hit, found.file.read(), found.problem) == (False, DATA, None)
    assert list(other.iterdir()) == [], "what was opened is what is written to"
    cache.folder.unlink()
    (tmp_path / "moved").rename(cache.folder)
    with cache.fetch(KEY, never) as found:
        assert found.hit
