"""Calls without end, and many at a time: bounded in number, threads and memory, and over when the child is."""

import threading
import time
import tracemalloc

import pytest

from opvalue.limits import Limits
from tests.evidence.broker.scene import REPOSITORY, Child, Table, answer, codes, listening

ISSUES = f"{REPOSITORY}/issues"


def test_calls_without_end_are_answered_so_many_times() -> None:
    table = Table({ISSUES: answer([1])})
    with listening(table, limits=Limits(evidence_exchanges=50)) as (broker, child):
        tracemalloc.start()
        statuses = [child.get(ISSUES).status for _ in range(1000)]
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert statuses == [200] * 50 + [599] * 950
    assert codes(broker) == ["evidence.too-many-exchanges"]
    assert peak < 8 << 20


def test_many_different_calls_at_a_time() -> None:
    limits = Limits(evidence_exchanges=200, evidence_workers=4)
    table = Table({f"{ISSUES}/{number}": answer(number) for number in range(1000)})
    most = [0]

    def call(child: Child, first: int) -> None:
        for number in range(first, 1000, 50):
            child.get(f"{ISSUES}/{number}")
            most[0] = max(most[0], sum(one.name == "broker-answer" for one in threading.enumerate()))

    with listening(table, limits=limits) as (broker, child):
        threads = [threading.Thread(target=call, args=(child, first)) for first in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert len(table.asked) <= 200
    assert set(codes(broker)) == {"evidence.too-many-exchanges"}
    assert len(broker.failures) <= 100
    # A thread gives its place back before it has quite ended.
    assert most[0] <= 2 * 4


def test_noise_without_end() -> None:
    with listening(Table()) as (broker, child):
        for number in range(300):
            child.raw(b"\x00" * number)
    assert len(broker.failures) == 100


def test_connections_that_say_nothing_end() -> None:
    limits = Limits(evidence_request_seconds=0.1, evidence_workers=2)
    begun = time.monotonic()
    with listening(Table(), limits=limits) as (broker, child):
        silent = [child.connect() for _ in range(20)]
        for peer in silent:
            assert b"599" in peer.recv(100)
            peer.close()
    assert time.monotonic() - begun < 20
    assert set(codes(broker)) == {"evidence.request-slow"}


@pytest.mark.parametrize("workers", [1, 3])
def test_the_end_comes_whatever_is_open(workers: int) -> None:
    limits = Limits(evidence_workers=workers)
    begun = time.monotonic()
    with listening(Table(), limits=limits) as (broker, child):
        open_ones = [child.connect() for _ in range(30)]
        for peer in open_ones:
            peer.sendall(b"GET / HT")
            peer.close()
    assert time.monotonic() - begun < 20
    assert set(codes(broker)) <= {"evidence.request-cut", "evidence.answer-not-taken"}
    assert not [one for one in threading.enumerate() if one.name.startswith("broker")]
