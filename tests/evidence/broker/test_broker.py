"""The socket: many at a time, bounded, lightly started; what the system refuses; and the end."""

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

from opvalue.errors import Kind, OpvalueError
from opvalue.evidence.broker import Broker
from opvalue.evidence.broker import broker as module
from opvalue.evidence.broker.errors import BrokerFailed
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
    own_threads,
    wait_for,
)

ISSUES = f"{REPOSITORY}/issues"
FOUND = answer([1])
PLAIN = f"GET {ISSUES} HTTP/1.1\r\nHost: github.com\r\n\r\n".encode()
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what was not read")


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
