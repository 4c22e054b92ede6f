"""Two processes at once, and processes that die at any moment: never half an entry, never a lock that stays."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache
from opvalue.limits import Limits
from tests.cache.samples import DATA, KEY, Fill, fetched, files, never, record

ROOT = Path(__file__).parents[2]

SLOW = """
import sys, time
from pathlib import Path
from opvalue.cache import ArtifactCache
from opvalue.process import interruptible
from tests.cache.samples import DATA, KEY, Fill

place = Path(sys.argv[1])
def slow(file):
    file.write(DATA[:10])
    file.flush()
    (place / "started").touch()
    while not (place / "go").exists():
        time.sleep(0.01)
    file.seek(0)
    return Fill()(file)

with interruptible():
    with ArtifactCache(place / "cache").fetch(KEY, slow) as found:
        sys.exit(0 if found.file.read() == DATA and not found.hit and found.problem is None else 1)
"""

EVERYWHERE = """
import json, os, sys
from pathlib import Path
from types import SimpleNamespace
from opvalue.cache import ArtifactCache, folder
from tests.cache.samples import DATA, KEY, OTHER, Fill, fetched

def found_afterwards(cache):
    with cache.fetch(KEY, Fill(OTHER)) as found:
        data = found.file.read()
        assert found.problem is None and (data == OTHER or found.hit and data == DATA), number
        return found.hit

NAMES = ("open", "fstat", "stat", "fdopen", "fchmod", "rename", "unlink", "close")
place, number, seen = Path(sys.argv[1]), 0, []
while not seen or seen[-1] != 0:
    cache = ArtifactCache(place / str(number))
    if sys.argv[2] == "kept":
        fetched(cache)
    child = os.fork()
    if not child:
        left = number
        def dying(real):
            def call(*args, **options):
                global left
                left -= 1
                if left == -1:
                    os._exit(9)
                return real(*args, **options)
            return call
        theirs = {name: getattr(os, name) for name in dir(os)}
        folder.os = SimpleNamespace(**(theirs | {name: dying(theirs[name]) for name in NAMES}))
        cache.fetch(KEY, Fill(OTHER), refresh=True)
        os._exit(0)
    seen.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    states = [entry.record is not None for entry in cache.entries()]
    first, second = found_afterwards(cache), found_afterwards(cache)
    assert second, number
    assert first or states != [True], number
    number += 1
print(json.dumps(seen))
"""


@contextmanager
def another_process(place: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process that is in the middle of a download until a file named ``go`` is there."""
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(place)], cwd=ROOT)
    try:
        wait_until(lambda: (place / "started").exists() or process.poll() is not None)
        assert process.poll() is None
        yield process
    finally:
        process.kill()
        process.wait()


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_second_process_waits_for_the_first(tmp_path: Path) -> None:
    waits: list[float] = []

    def waiting(seconds: float) -> None:
        waits.append(seconds)
        (tmp_path / "go").touch()
        time.sleep(seconds)

    with another_process(tmp_path) as process:
        cache = ArtifactCache(tmp_path / "cache", sleep=waiting)
        with cache.fetch(KEY, never) as found:
            assert (found.hit, found.file.read(), found.problem) == (True, DATA, None)
        assert process.wait(30) == 0
    assert waits


def test_what_is_being_downloaded_is_listed_and_not_pruned(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "cache")
    with another_process(tmp_path) as process:
        entry = cache.entries()[0]
        assert (entry.record, entry.bytes) == (None, 10)
        assert cache.prune(everything=True) == ((), (entry,))
        (tmp_path / "go").touch()
        assert process.wait(30) == 0
    assert fetched(cache)


def test_killed_in_the_middle(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "cache")
    with another_process(tmp_path) as process:
        process.kill()
        process.wait()
    assert files(cache) == {KEY.name[:8]: ".part"}
    assert not fetched(cache)
    assert files(cache) == {KEY.name[:8]: ".json.zip"}


def test_what_a_killed_process_left_can_be_pruned(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path / "cache")
    with another_process(tmp_path) as process:
        process.kill()
        process.wait()
    assert [entry.bytes for entry in cache.prune().removed] == [10]
    assert list(cache.folder.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_to_end_in_the_middle_it_leaves_nothing(number: int, tmp_path: Path) -> None:
    with another_process(tmp_path) as process:
        process.send_signal(number)
        assert process.wait(30) != 0
    assert files(ArtifactCache(tmp_path / "cache")) == {}


@pytest.mark.parametrize("before", ["kept", "empty"])
def test_killed_at_every_step(before: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERYWHERE, str(tmp_path), before], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    seen = json.loads(done.stdout)
    assert len(seen) > 10
    assert set(seen[:-1]) == {9}


def test_a_lock_is_not_handed_to_children(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    child = []

    class Spawning(Fill):
        def __call__(self, file):  # type: ignore[no-untyped-def]  # as its base
            child.append(subprocess.Popen(["/bin/sleep", "60"], close_fds=False))
            return super().__call__(file)

    try:
        with cache.fetch(KEY, Spawning()) as found:
            assert found.problem is None
        # The system may tell of a child's start a moment before it has closed what the child is not to have.
        assert fetched(ArtifactCache(tmp_path, Limits(cache_wait_seconds=5)))
        assert child[0].poll() is None
    finally:
        child[0].kill()
        child[0].wait()


def test_the_time_of_use_is_all_that_a_hit_changes(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path)
    fetched(cache)
    os.utime(record(cache), ns=(1, 1))
    before = {path.name: (path.stat().st_ino, path.read_bytes()) for path in cache.folder.iterdir()}
    assert fetched(cache)
    assert {path.name: (path.stat().st_ino, path.read_bytes()) for path in cache.folder.iterdir()} == before
    assert record(cache).stat().st_mtime_ns > 1
