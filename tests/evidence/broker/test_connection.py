"""One connection: whoever asks badly or slowly, or does not take the answer, makes a failure."""

import os
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.evidence.broker import connection
from opvalue.evidence.broker.errors import AnswerNotTaken, RequestCut
from opvalue.evidence.exchange import Request
from opvalue.limits import Limits
from tests.evidence.broker.scene import (
    PATIENCE,
    REPOSITORY,
    Table,
    answer,
    codes,
    listening,
    only_failure,
    own_threads,
    said,
    wait_for,
)

ISSUES = f"{REPOSITORY}/issues"
FOUND = answer([1])
PLAIN = f"GET {ISSUES} HTTP/1.1\r\nHost: github.com\r\n\r\n".encode()
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what was not read")


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
        # What was sent and is not read may end the connection hard, before or after the rest has come.
        with suppress(ConnectionError):
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
    # The thread that answers and the end of the grading may both notice.
    assert {failure.code for failure in broker.failures} == {"evidence.answer-not-taken"}


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
