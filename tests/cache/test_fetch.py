"""Fetched once, then found; what cannot be kept is fetched all the same."""

import errno
import fcntl
import io
import os
import stat
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest

from opvalue.atomic import OutputUnwritable
from opvalue.cache import ArtifactCache, Cached, open_default
from opvalue.cache import folder as room
from opvalue.cache.errors import Busy, Unwritable
from opvalue.errors import Kind
from opvalue.github.errors import DigestMismatch, DownloadCut
from opvalue.identity import Digest
from opvalue.limits import Limits
from opvalue.process.errors import NoPrivateFolder
from tests.cache.samples import DATA, KEY, OFFERED, OTHER, Fill, blob, fetched, files, never, record


@pytest.fixture
def cache(tmp_path: Path) -> ArtifactCache:
    return ArtifactCache(tmp_path / "cache")


@pytest.mark.parametrize("key", [KEY, OFFERED])
def test_the_second_time_it_is_a_hit(cache: ArtifactCache, key: Any) -> None:
    fill = Fill()
    with cache.fetch(key, fill) as first, cache.fetch(key, fill) as second:
        assert (first.hit, second.hit, fill.calls) == (False, True, 1)
        assert first.file.read() == second.file.read() == DATA
        assert first.digest == second.digest == Digest.of(DATA)
        assert first.problem is second.problem is None
    assert first.file.closed
    assert second.file.closed
    assert files(cache) == {key.name[:8]: ".json.zip"}


def test_everything_is_private(cache: ArtifactCache) -> None:
    before = os.umask(0)
    try:
        fetched(cache)
    finally:
        os.umask(before)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in (cache.folder.parent, *cache.folder.parent.rglob("*"))
    }
    assert modes.pop("cache") == modes.pop("artifacts") == 0o700
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


def test_a_creation_mask_that_takes_everything_away(cache: ArtifactCache) -> None:
    fetched(cache)
    before = os.umask(0o777)
    try:
        assert not fetched(cache, OFFERED)
    finally:
        os.umask(before)
    assert fetched(cache, OFFERED)


def test_another_key_is_another_entry(cache: ArtifactCache) -> None:
    assert not fetched(cache)
    assert not fetched(cache, KEY._replace(artifact_id=556), OTHER)
    assert not fetched(cache, OFFERED)
    assert fetched(cache)
    assert len(files(cache)) == 3


def test_refresh_replaces(cache: ArtifactCache) -> None:
    fetched(cache)
    with cache.fetch(KEY, Fill(OTHER), refresh=True) as found:
        assert (found.hit, found.file.read(), found.problem) == (False, OTHER, None)
    with cache.fetch(KEY, never) as found:
        assert found.file.read() == OTHER


def test_a_refresh_that_fails_leaves_what_was_there(cache: ArtifactCache) -> None:
    fetched(cache)

    def cut(file: BinaryIO) -> Digest:
        file.write(DATA[:3])
        raise DownloadCut("ended early")

    with pytest.raises(DownloadCut):
        cache.fetch(KEY, cut, refresh=True)
    assert fetched(cache)
    assert files(cache) == {KEY.name[:8]: ".json.zip"}


@pytest.mark.parametrize("error", [DownloadCut("ended early"), KeyboardInterrupt(), ValueError("not ours")])
def test_what_the_download_raises_comes_out_and_nothing_stays(cache: ArtifactCache, error: BaseException) -> None:
    def failing(file: BinaryIO) -> Digest:
        file.write(DATA[:3])
        raise error

    with pytest.raises(type(error)) as caught:
        cache.fetch(KEY, failing)
    assert caught.value is error
    assert files(cache) == {}
    assert not fetched(cache)


def test_other_bytes_than_offered_are_neither_kept_nor_returned(cache: ArtifactCache, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (cache, ArtifactCache(tmp_path / "file")):
        with pytest.raises(DigestMismatch) as caught:
            place.fetch(OFFERED, Fill(OTHER))
        assert caught.value.expected == f"sha256:{Digest.of(DATA)}"
        assert caught.value.found == f"sha256:{Digest.of(OTHER)}"
    assert files(cache) == {}


def test_it_stays_readable_when_it_is_pruned_meanwhile(cache: ArtifactCache) -> None:
    with cache.fetch(KEY, Fill()) as first, cache.fetch(KEY, never) as second:
        assert len(cache.prune(everything=True).removed) == 1
        assert first.file.read() == second.file.read() == DATA


def test_threads_that_want_one_artifact_download_it_once(cache: ArtifactCache) -> None:
    fill, hits = Fill(), []
    threads = [threading.Thread(target=lambda: hits.append(_hit(cache, fill))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(hits) == [False, True, True, True]
    assert fill.calls == 1


def _hit(cache: ArtifactCache, fill: Fill) -> bool:
    with cache.fetch(KEY, fill) as found:
        assert found.file.read() == DATA
        return found.hit


def test_it_does_not_wait_for_ever(tmp_path: Path) -> None:
    slept: list[float] = []
    cache = ArtifactCache(tmp_path, Limits(cache_wait_seconds=2.0), sleep=slept.append)
    fetched(cache)
    lock = os.open(cache.folder / f"{KEY.name}.lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
    assert isinstance(found.problem, Busy)
    assert found.problem.expected == "an end within 2 seconds"
    assert sum(slept) == pytest.approx(2.0)
    assert not fetched(cache, KEY._replace(artifact_id=1)), "other artifacts are not waited for"
    os.close(lock)
    assert fetched(cache)


def test_a_lock_that_is_pruned_while_it_is_taken_is_taken_anew(
    cache: ArtifactCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched(cache)
    lock, real = cache.folder / f"{KEY.name}.lock", fcntl.flock
    taken: list[int] = []

    def late(descriptor: int, operation: int) -> None:
        if not taken:
            lock.unlink()
        taken.append(descriptor)
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    assert fetched(cache)
    assert len(taken) == 2
    assert lock.exists()


class FailingOs:
    """The system's calls, of which one fails."""

    NAMES = ("open", "fstat", "stat", "fdopen", "fchmod", "rename", "unlink", "flock")

    def __init__(self, number: int, code: int) -> None:
        self._left = number
        self._code = code

    @property
    def failed(self) -> bool:
        return self._left < 0

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        theirs = {name: getattr(os, name) for name in dir(os)}
        theirs |= {name: self._failing(theirs[name]) for name in self.NAMES if name in theirs}
        monkeypatch.setattr(room, "os", SimpleNamespace(**theirs))
        kernel = SimpleNamespace(flock=self._failing(fcntl.flock), LOCK_EX=fcntl.LOCK_EX, LOCK_NB=fcntl.LOCK_NB)
        monkeypatch.setattr(room, "fcntl", kernel)

    def _failing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            self._left -= 1
            if self._left == -1:
                raise OSError(self._code, os.strerror(self._code))
            return real(*args, **options)

        return call


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EMFILE, errno.ENOENT])
@pytest.mark.parametrize("refresh", [False, True])
@pytest.mark.parametrize("kept", [False, True])
def test_whichever_call_fails_the_artifact_is_right(tmp_path: Path, code: int, refresh: bool, kept: bool) -> None:
    number = 0
    while _fails_at(number, code, ArtifactCache(tmp_path / str(number)), refresh=refresh, kept=kept):
        number += 1
    assert 5 < number < 30


def _fails_at(number: int, code: int, cache: ArtifactCache, *, refresh: bool, kept: bool) -> bool:
    if kept:
        fetched(cache)
    with pytest.MonkeyPatch.context() as patch:
        calls = FailingOs(number, code)
        calls.install(patch)
        found = cache.fetch(KEY, Fill(), refresh=refresh)
    with found:
        assert found.file.read() == DATA
    codes = {"cache.damaged", "cache.unwritable"}
    assert found.problem is None or (calls.failed and found.problem.code in codes)
    assert all(entry.record is None or entry.record.digest == found.digest for entry in cache.entries())
    fetched(cache)
    assert fetched(cache)
    return calls.failed


def test_a_file_that_fails_for_want_of_room_is_written_elsewhere(cache: ArtifactCache) -> None:
    names: list[int] = []

    def fill(file: BinaryIO) -> Digest:
        file.write(DATA)
        names.append(os.fstat(file.fileno()).st_nlink)
        if len(names) == 1:
            raise OutputUnwritable("cannot write the download: No space left on device")
        return Digest.of(DATA)

    with cache.fetch(KEY, fill) as found:
        assert found.file.read() == DATA
    assert isinstance(found.problem, Unwritable)
    assert found.problem.found == "cannot write the download: No space left on device"
    assert names == [1, 0], "nothing can be left of the second"
    assert files(cache) == {}


def test_no_room_anywhere(cache: ArtifactCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: BinaryIO) -> Digest:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OutputUnwritable) as caught:
        cache.fetch(KEY, full)
    assert caught.value.message == "cannot write the download: No space left on device"

    def refused(**_options: Any) -> io.BytesIO:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    with pytest.raises(NoPrivateFolder):
        ArtifactCache(Path("/dev/null")).fetch(KEY, never)


def test_a_result_that_cannot_be_closed_in_peace_is_still_put_away(cache: ArtifactCache) -> None:
    def full(file: BinaryIO) -> Digest:
        file.write(DATA)
        os.close(file.fileno())
        raise DownloadCut("ended early")

    with pytest.raises(DownloadCut):
        cache.fetch(KEY, full)
    assert files(cache) == {}


def test_without_a_home_it_goes_on_without_a_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    cache = ArtifactCache(Path("~/.cache/opvalue"))
    with cache.fetch(KEY, Fill()) as found:
        assert found.file.read() == DATA
    assert isinstance(found.problem, Unwritable)
    assert found.problem.expected == "OPVALUE_CACHE_DIR, or a home folder"
    assert found.problem.kind is Kind.USAGE
    assert list(tmp_path.iterdir()) == []


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert open_default({"OPVALUE_CACHE_DIR": "/some/where"}).folder == Path("/some/where/artifacts")
    assert open_default({"OPVALUE_CACHE_DIR": "near"}).folder == tmp_path / "near/artifacts"
    for environ in ({}, {"OPVALUE_CACHE_DIR": ""}):
        folder = open_default(environ).folder
        assert folder.is_relative_to("/home/someone")
        assert folder.parts[-2:] == ("opvalue", "artifacts")
    assert list(tmp_path.iterdir()) == []


def test_the_result_is_usable_without_with(cache: ArtifactCache) -> None:
    found = cache.fetch(KEY, Fill())
    assert isinstance(found, Cached)
    found.file.close()
    assert blob(cache).read_bytes() == DATA
    assert record(cache).exists()


@pytest.mark.parametrize("of", [blob, record])
def test_a_file_that_has_another_name_elsewhere_is_replaced(
    cache: ArtifactCache, tmp_path: Path, of: Callable[[ArtifactCache], Path]
) -> None:
    fetched(cache)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.hardlink_to(of(cache))
    with cache.fetch(KEY, Fill()) as found:
        assert (found.hit, found.file.read()) == (False, DATA)
        assert found.problem is not None
        assert (found.problem.code, found.problem.found) == ("cache.damaged", "it has another name elsewhere")
    assert of(cache).stat().st_nlink == elsewhere.stat().st_nlink == 1
    assert fetched(cache)
