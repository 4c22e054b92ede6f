"""Several processes give what one gives, to the byte, and leave nothing behind."""

import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opvalue.conclusion import jobs
from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from opvalue.session import Lookups, Losses, scan
from tests.session.strategies import HOSTILE, line
from tests.support import sessions

EVENT = line({"type": "x.y", "data": {}, "provenance": {}})


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LEAST_BYTES", 1)
    monkeypatch.setattr(jobs, "CHUNK", 1000)
    monkeypatch.setattr(jobs, "_BLOCK", 64)


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    made: list[int] = []
    fork = os.fork

    def counted() -> int:
        process = fork()
        made.append(process)
        return process

    monkeypatch.setattr(os, "fork", counted)
    return made


def outcome(path: Path, count: int | None, *, skip: bool = False, limits: Limits | None = None) -> Any:
    losses = Losses()
    descriptor = os.open(path, os.O_RDONLY)
    try:
        found = jobs.scan_file(descriptor, jobs=count, skip_malformed=skip, losses=losses, limits=limits)
    except OpvalueError as refused:
        return refused.code, refused.message
    finally:
        os.close(descriptor)
    return found, losses.torn, losses.malformed, losses.first


def expected(data: bytes, *, skip: bool = False, limits: Limits | None = None) -> Any:
    losses = Losses()
    try:
        found = scan([data], skip_malformed=skip, losses=losses, limits=limits)
    except OpvalueError as refused:
        return refused.code, refused.message
    return found, losses.torn, losses.malformed, losses.first


def open_files() -> int:
    return sum(1 for _ in Path("/dev/fd").iterdir())


def no_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "aw_session.jsonl"
    path.write_bytes(b"".join(sessions.lines(900)))
    return path


@pytest.mark.parametrize("count", [1, 2, 3, 4, 99])
def test_same_lookups(session: Path, count: int, forks: list[int]) -> None:
    assert outcome(session, count) == expected(session.read_bytes())
    assert len(forks) == min(count, jobs.MOST) - 1
    assert no_children()


@pytest.mark.parametrize("chunk", [1, 2, 7, 100, 5000, 1 << 20])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n", b'\n{"torn'])
def test_chunks_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, end: bytes) -> None:
    monkeypatch.setattr(jobs, "CHUNK", chunk)
    data = b"\n" + b"\r\n".join([*sessions.lines(20)][:12]) + end
    path = tmp_path / "session"
    path.write_bytes(data)
    assert outcome(path, 2) == expected(data)


@pytest.mark.parametrize("skip", [False, True])
def test_bad_lines_keep_their_numbers(tmp_path: Path, skip: bool) -> None:
    path = tmp_path / "session"
    for bad in (b"{bad}", b'{"cut":', b"[]", b"", b"\xff", b"x" * 3000, HOSTILE[0]):
        lines = [EVENT] * 60
        lines[37] = bad
        for data in (b"\n".join(lines), b"\n".join(lines[:38]), b"\n".join(lines[:38]) + b"\n"):
            path.write_bytes(data)
            assert outcome(path, 2, skip=skip) == expected(data, skip=skip)


@pytest.mark.parametrize("length", [199, 200, 201, 999, 1000, 1001, 1002, 5000])
def test_long_lines(tmp_path: Path, length: int) -> None:
    limits = Limits(session_line_bytes=1000)
    path = tmp_path / "session"
    long = EVENT[:-1] + b" " * (length - len(EVENT)) + b"}"
    for data in (EVENT + b"\n" + long + b"\n" + EVENT, long + b"\n", long, b"\n" * 999 + long, b"\n" * 1000 + long):
        path.write_bytes(data)
        for skip in (False, True):
            assert outcome(path, 2, skip=skip, limits=limits) == expected(data, skip=skip, limits=limits)


@pytest.mark.parametrize("data", [b"", b"\n", b"[]", b"[" + EVENT + b"]", EVENT])
def test_what_one_process_reads(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "session"
    path.write_bytes(data)
    assert outcome(path, 2) == expected(data)


@pytest.mark.parametrize("before", [1, 1 << 12, (1 << 16) + 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1])
def test_white_space_before_an_array(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    monkeypatch.setattr(jobs, "CHUNK", 1 << 18)
    monkeypatch.setattr(jobs, "_BLOCK", 1 << 17)
    path = tmp_path / "session"
    path.write_bytes(b" " * before + b"[" + EVENT + b"]")
    assert outcome(path, 2) == outcome(path, 1) == expected(path.read_bytes())
    assert isinstance(outcome(path, 2)[0], Lookups) is (before < 1 << 20)


def test_a_file_that_was_read_before(session: Path) -> None:
    with session.open("rb", buffering=0) as file:
        file.read(500)
        for count in (1, 2):
            assert jobs.scan_file(file.fileno(), jobs=count) == expected(session.read_bytes())[0]


def test_a_pipe_is_read_by_one_process(forks: list[int]) -> None:
    reading, writing = os.pipe()
    os.write(writing, EVENT)
    os.close(writing)
    found = jobs.scan_file(reading, jobs=2)
    os.close(reading)
    assert (found.events, forks) == (1, [])


def test_no_more_is_read_of_a_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "session"
    path.write_bytes(b"x" * 100_000)
    read = []
    pread = os.pread

    def counted(descriptor: int, size: int, offset: int) -> bytes:
        read.append(offset + size)
        return pread(descriptor, size, offset)

    def none(*_arguments: object) -> int:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(os, "pread", counted)
    monkeypatch.setattr(os, "fork", none)
    monkeypatch.setattr(jobs, "CHUNK", 60_000)
    assert outcome(path, 2, limits=Limits(session_line_bytes=500))[0] == "session.line-too-long"
    assert max(read) == 60_000


def test_by_itself_two_processes_read_a_large_file(
    session: Path, forks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_processors", lambda: 8)
    assert outcome(session, None) == expected(session.read_bytes())
    assert len(forks) == 1
    monkeypatch.setattr(jobs, "_processors", lambda: 1)
    outcome(session, None)
    monkeypatch.setattr(jobs, "_processors", lambda: 8)
    monkeypatch.setattr(jobs, "LEAST_BYTES", 8 << 20)
    outcome(session, 2)
    assert len(forks) == 1


def test_not_beside_other_threads(session: Path, forks: list[int]) -> None:
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert outcome(session, 2) == expected(session.read_bytes())
    finally:
        done.set()
        other.join()
    assert forks == []


def test_a_lost_worker_is_replaced(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for allowed in range(4):
        sent = iter(range(allowed))

        def send(pipe: int, packed: list[Any], sent: Iterator[int] = sent, real: Any = jobs._send) -> None:
            if next(sent, None) is None:
                os.write(pipe, b"\0\0\0\0\0\0\0\x09abc")
                raise OSError(errno.EPIPE, "gone")
            real(pipe, packed)

        with monkeypatch.context() as changed:
            changed.setattr(jobs, "_send", send)
            assert outcome(session, 3) == expected(session.read_bytes())
        assert no_children()


def test_a_refusal_leaves_no_process(tmp_path: Path) -> None:
    path = tmp_path / "session"
    path.write_bytes(b"bad\n" + EVENT + b"\n" + b"\n".join([EVENT] * 500))
    before = open_files()
    assert outcome(path, 3) == ("session.line-malformed", expected(path.read_bytes())[1])
    assert no_children()
    assert open_files() == before


def test_where_nothing_can_be_forked(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    assert outcome(session, 2) == expected(session.read_bytes())


def test_where_no_process_is_left(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError(errno.EAGAIN, "no process left")

    before = open_files()
    monkeypatch.setattr(os, "fork", refuse)
    assert outcome(session, 3) == expected(session.read_bytes())
    assert open_files() == before


def test_what_a_worker_sends(session: Path) -> None:
    reading, writing = os.pipe()
    with session.open("rb") as file:
        chunks = jobs._Chunks(file.fileno(), session.stat().st_size, Limits())
        worker = threading.Thread(target=jobs._work, args=(chunks, 0, 1, writing))
        worker.start()
        received = [jobs._received(reading) for _ in range(chunks.count) if jobs._owner(_, 1) == 0]
        worker.join()
        kept = [
            batch for number in range(chunks.count) if jobs._owner(number, 1) == 0 for batch in chunks.batches(number)
        ]
    os.close(writing)
    assert jobs._received(reading) is None
    os.close(reading)
    assert [batch.packed() for some in received for batch in some or ()] == [batch.packed() for batch in kept]


def test_processors() -> None:
    assert jobs._processors() >= 1


def test_equal_lookups_are_equal() -> None:
    one: Lookups = scan(sessions.lines(50))
    assert one == scan(sessions.lines(50))
