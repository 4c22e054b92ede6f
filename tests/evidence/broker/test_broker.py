"""The socket: many at a time, bounded, and whoever asks badly, slowly or in vain makes a failure."""

import os
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.errors import Kind, OpvalueError
from opvalue.evidence.broker import Broker, connection
from opvalue.evidence.broker import broker as module
from opvalue.evidence.broker.errors import AnswerNotTaken, BrokerFailed, RequestCut
from opvalue.evidence.exchange import Request
from opvalue.identity import GITHUB
from opvalue.limits import Limits
from tests.evidence.broker.scene import (
    PATIENCE,
    REPOSITORY,
    WIDGETS,
    Child,
    Table,
    answer,
    codes,
    listening,
    only_failure,
    said,
)

ISSUES = f"{REPOSITORY}/issues"
FOUND = answer([1])
PLAIN = f"GET {ISSUES} HTTP/1.1\r\nHost: github.com\r\n\r\n".encode()
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what was not read")


def own_threads() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name.startswith("broker")]


def wait_for(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broker = Broker(Table({ISSUES: FOUND}), WIDGETS, host=GITHUB)
    monkeypatch.chdir(tmp_path)
    before = set(Path("/proc/self/fd").iterdir()) if sys.platform == "linux" else set()
    with broker.listen(Path("socket")) as same:
        assert same is broker
        assert Child(Path("socket")).get(ISSUES).status == 200
    assert own_threads() == []
    assert list(tmp_path.iterdir()) == []
    if before:
        assert set(Path("/proc/self/fd").iterdir()) == before


def test_an_error_in_the_block_passes_through() -> None:
    with pytest.raises(KeyError), listening(Table()):
        raise KeyError
    assert own_threads() == []


@pytest.mark.parametrize("workers", [1, 16])
def test_forty_at_a_time(workers: int) -> None:
    most, now = [0], [0]
    lock = threading.Lock()

    def slowly(request: Request) -> Any:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.01)
        with lock:
            now[0] -= 1
        return answer(request.target)

    targets = [f"{ISSUES}/{number}" for number in range(40)]
    table = Table(dict.fromkeys(targets, slowly))
    limits = Limits(evidence_workers=workers)
    with listening(table, limits=limits) as (broker, child), ThreadPoolExecutor(40) as pool:
        found = list(pool.map(child.get, targets))
    assert [one.body.decode() for one in found] == [f'"{target}"' for target in targets]
    assert broker.failures == ()
    assert len(broker.exchanges) == 40
    assert 1 <= most[0] <= workers


def test_one_broken_among_forty_sticks() -> None:
    targets = [f"{ISSUES}/{number}" for number in range(40)]
    table = Table(dict.fromkeys(targets, FOUND))
    table.replies[targets[20]] = answer({}, 202)
    with listening(table) as (broker, child), ThreadPoolExecutor(40) as pool:
        list(pool.map(child.get, targets))
    assert codes(broker) == ["evidence.status-unusable"]


# What is no request


NOISE = [b"\r\n\r\n", b"GET", b"\0" * 100, b"\x16\x03\x01\x02\x00", b"SSH-2.0-x\r\n"]


@settings(max_examples=40)
@given(st.binary(max_size=200) | st.sampled_from(NOISE))
def test_garbage_sticks(data: bytes) -> None:
    with listening(Table()) as (broker, child):
        assert said(child.raw(data)).status == 599
    assert codes(broker)[0] in {"evidence.request-unclear", "evidence.request-cut"}


@pytest.mark.parametrize("place", [0, 1, 10, len(PLAIN) - 3, len(PLAIN) - 1])
def test_a_request_that_ends_early_sticks(place: int) -> None:
    with listening(Table()) as (broker, child):
        child.raw(PLAIN[:place])
    only_failure(broker, "evidence.request-cut")


def test_a_body_that_ends_early_sticks() -> None:
    with listening(Table()) as (broker, child):
        child.raw(b"POST /graphql HTTP/1.1\r\nHost: github.com\r\nContent-Length: 9\r\n\r\n12345678")
    assert "body" in only_failure(broker, "evidence.request-cut")


@pytest.mark.parametrize("more", [b"x", PLAIN, b"\r\n"])
def test_something_behind_a_request_sticks(more: bytes) -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        assert said(child.raw(PLAIN + more)).status == 599
    only_failure(broker, "evidence.request-unclear")
    assert table.asked == []


def test_something_that_comes_later_sticks_as_well() -> None:
    with listening(Table({ISSUES: FOUND})) as (broker, child), child.connect() as peer:
        peer.sendall(PLAIN)
        assert b"200 OK" in peer.recv(100)
        peer.sendall(PLAIN)
        while peer.recv(1 << 16):
            pass
    only_failure(broker, "evidence.answer-not-taken")


def test_a_head_without_end_is_not_read_on() -> None:
    with listening(Table()) as (broker, child):
        assert said(child.raw(b"GET /" + b"x" * (200 << 10))).status == 599
    only_failure(broker, "evidence.request-too-large")


def test_a_head_that_is_just_too_large() -> None:
    for size, code in ((1000, []), (1001, ["evidence.request-too-large"])):
        head = PLAIN[:-4] + b"\r\nUser-Agent: "
        with listening(Table({ISSUES: FOUND}), limits=Limits(evidence_head_bytes=1000)) as (broker, child):
            child.raw(head + b"x" * (size - len(head)) + b"\r\n\r\n")
        assert codes(broker) == code


def test_a_body_that_is_too_large_is_not_read() -> None:
    with listening(Table()) as (broker, child):
        head = b"POST /graphql HTTP/1.1\r\nHost: github.com\r\nContent-Length: 1048577\r\n\r\n"
        assert said(child.raw(head + b"x" * 1000)).status == 599
    only_failure(broker, "evidence.request-too-large")


def test_slow_requests_end_and_hold_nobody_up_for_good() -> None:
    limits = Limits(evidence_request_seconds=0.2, evidence_workers=4)
    with listening(Table({ISSUES: FOUND}), limits=limits) as (broker, child):
        slow = [child.connect() for _ in range(8)]
        begun = time.monotonic()
        for _ in range(4):
            for peer in slow[:4]:
                peer.sendall(b"G")
            time.sleep(0.01)
        assert child.get(ISSUES).status == 599
        assert time.monotonic() - begun < PATIENCE / 2
        for peer in slow:
            peer.close()
    assert set(codes(broker)) <= {"evidence.request-slow", "evidence.request-cut"}
    assert "evidence.request-slow" in codes(broker)


# Answers that are not taken


@linux
def test_an_answer_that_nobody_reads_sticks() -> None:
    with listening(Table({ISSUES: FOUND})) as (broker, child), child.connect() as peer:
        peer.sendall(PLAIN)
        wait_for(lambda: broker.exchanges)
    only_failure(broker, "evidence.answer-not-taken")


@linux
@pytest.mark.parametrize("read", [1, 5000, 3 << 20])
def test_an_answer_that_is_read_in_part_sticks(read: int) -> None:
    with listening(Table({ISSUES: answer(b"x" * (4 << 20))})) as (broker, child), child.connect() as peer:
        peer.sendall(PLAIN)
        left = read
        while left > 0:
            left -= len(peer.recv(min(left, 1 << 16)))
    only_failure(broker, "evidence.answer-not-taken")


def test_somebody_who_gives_up_while_the_source_is_asked_sticks() -> None:
    gone = threading.Event()

    def slowly(_: Request) -> Any:
        assert gone.wait(PATIENCE)
        return answer(b"x" * (4 << 20))

    with listening(Table({ISSUES: slowly})) as (broker, child):
        with child.connect() as peer:
            peer.sendall(PLAIN)
            wait_for(lambda: len(own_threads()) == 2)
        gone.set()
    only_failure(broker, "evidence.answer-not-taken")


def test_somebody_who_takes_too_long_sticks() -> None:
    limits = Limits(evidence_taking_seconds=0.2)
    table = Table({ISSUES: answer(b"x" * (4 << 20))})
    with listening(table, limits=limits) as (broker, child), child.connect() as peer:
        peer.sendall(PLAIN)
        wait_for(lambda: broker.failures)
    assert "in time" in only_failure(broker, "evidence.answer-not-taken")


@linux
def test_a_reader_that_has_read_all_needs_not_close() -> None:
    """Its place is free again: a stand-in may go on with what it read."""
    limits = Limits(evidence_workers=1)
    with listening(Table({ISSUES: FOUND}), limits=limits) as (broker, child), child.connect() as peer:
        peer.sendall(PLAIN)
        while peer.recv(1 << 16):
            pass
        assert child.get(ISSUES).status == 200
    assert broker.failures == ()


def test_a_large_answer_is_taken_slowly_by_a_slow_reader() -> None:
    body = os.urandom(1 << 20)
    with listening(Table({ISSUES: answer(body)})) as (broker, child), child.connect() as peer:
        peer.sendall(PLAIN)
        data = bytearray()
        while more := peer.recv(1 << 16):
            data += more
            time.sleep(0.002)
    assert said(bytes(data)).body == body
    assert broker.failures == ()


def test_where_the_system_does_not_say_a_reader_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_unread", lambda _: None)
    with listening(Table({ISSUES: FOUND})) as (broker, child), child.connect() as peer:
        peer.sendall(PLAIN)
        while peer.recv(1 << 16):
            pass
        time.sleep(0.15)
    assert broker.failures == ()


def test_the_system_may_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = socket.socketpair()
    with one, other:
        monkeypatch.setattr(sys, "platform", "darwin")
        assert connection._unread(one) is None
        monkeypatch.setattr(sys, "platform", "linux")
        one.close()
        assert connection._unread(one) is None


def test_a_connection_that_breaks_is_a_request_that_ends_early() -> None:
    class Broken:
        def settimeout(self, _: float) -> None:
            pass

        def recv(self, _: int) -> bytes:
            raise ConnectionResetError

    with pytest.raises(RequestCut):
        connection.Connection(Broken(), Limits()).receive()  # type: ignore[arg-type]


def test_a_deadline_that_has_passed_is_one() -> None:
    one, other = socket.socketpair()
    with one, other:
        served = connection.Connection(one, Limits(evidence_taking_seconds=0))
        with pytest.raises(AnswerNotTaken):
            served.send(FOUND)


# The end


@pytest.mark.parametrize("data", [b"", PLAIN[:10]])
def test_whoever_asks_still_at_the_end_is_cut_off(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(module, "_END_SECONDS", 0.1)
    with listening(Table()) as (broker, child):
        peer = child.connect()
        peer.sendall(data)
        wait_for(lambda: len(own_threads()) == 2)
    assert codes(broker)[0] == "evidence.answer-not-taken"
    wait_for(lambda: own_threads() == [])
    peer.close()


def test_whoever_waits_for_a_place_at_the_end_makes_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_END_SECONDS", 0.1)
    with listening(Table({ISSUES: FOUND}), limits=Limits(evidence_workers=1)) as (broker, child):
        peers = [child.connect() for _ in range(3)]
        for peer in peers[1:]:
            peer.sendall(PLAIN)
    assert set(codes(broker)) <= {"evidence.answer-not-taken", "evidence.request-cut"}
    assert codes(broker).count("evidence.answer-not-taken") == 3
    for peer in peers:
        peer.close()
    wait_for(lambda: own_threads() == [])


def test_the_end_does_not_wait_for_the_source() -> None:
    end = threading.Event()

    def never(_: Request) -> Any:
        assert end.wait(PATIENCE)
        return FOUND

    with listening(Table({ISSUES: never})) as (broker, child):
        peer = child.connect()
        peer.sendall(PLAIN)
        wait_for(lambda: broker.waited() > 0)
        begun = time.monotonic()
    assert time.monotonic() - begun < PATIENCE / 4
    assert codes(broker) == ["evidence.answer-not-taken"]
    end.set()
    wait_for(lambda: own_threads() == [])
    assert set(codes(broker)) == {"evidence.answer-not-taken"}
    peer.close()


def test_a_request_that_arrives_at_the_end_is_not_asked_for() -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        peer = child.connect()
        wait_for(lambda: len(own_threads()) == 2)
        broker._ending = True
        peer.sendall(PLAIN)
        assert b"599" in peer.recv(100)
        peer.close()
    assert table.asked == []
    assert codes(broker)[0] == "evidence.answer-not-taken"


# What the system refuses


def test_a_path_that_is_longer_than_an_address_holds() -> None:
    with TemporaryDirectory() as top:
        folder = Path(top) / ("x" * 120)
        folder.mkdir()
        broker = Broker(Table({ISSUES: FOUND}), WIDGETS, host=GITHUB)
        if sys.platform != "linux":
            with pytest.raises(OpvalueError), broker.listen(folder / "socket"):
                pass
            return
        with broker.listen(folder / "socket"):
            assert (folder / "socket").is_socket()
            link = Path(top) / "short"
            link.symlink_to(folder)
            assert Child(link / "socket").get(ISSUES).status == 200
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_no_place_for_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for path in (tmp_path / "gone" / "socket", tmp_path / ("y" * 120) / "socket"):
        broker = Broker(Table(), WIDGETS, host=GITHUB)
        with pytest.raises(OpvalueError) as caught, broker.listen(path):
            pass
        assert caught.value.code == "evidence.socket"
        assert caught.value.kind is Kind.USAGE
    assert own_threads() == []


def test_no_thread_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BrokerFailed), Broker(Table(), WIDGETS, host=GITHUB).listen(Path("socket")):
        pass
    assert list(tmp_path.iterdir()) == []


def test_no_more_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(Table({ISSUES: FOUND})) as (broker, child):
        real = threading.Thread.start

        def start(thread: threading.Thread) -> None:
            if thread.name == "broker-answer":
                raise RuntimeError("can't start new thread")
            real(thread)

        monkeypatch.setattr(threading.Thread, "start", start)
        assert child.raw(PLAIN) == b""
        monkeypatch.undo()
        assert child.get(ISSUES).status == 599
    only_failure(broker, "evidence.broker-failed")


def test_no_more_descriptors() -> None:
    """Whoever asks waits until there is one again."""
    with listening(Table({ISSUES: FOUND})) as (broker, child):
        refusals = iter([OSError(24, "Too many open files"), BlockingIOError(11, "nobody there after all")])
        real = socket.socket.accept

        def accept(listener: socket.socket) -> Any:
            for refusal in refusals:
                raise refusal
            return real(listener)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(socket.socket, "accept", accept)
            assert child.get(ISSUES).status == 200
    assert broker.failures == ()


def test_it_starts_lightly() -> None:
    heavy = ["httpx", "graphql", "pydantic", "asyncio", "socketserver", "http.server", "ssl", "ctypes", "logging"]
    code = f"import sys; import opvalue.evidence.broker; print([one for one in {heavy!r} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
