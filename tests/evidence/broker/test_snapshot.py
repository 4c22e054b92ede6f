"""One key, one answer, one fetch."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.snapshot import Snapshot
from opvalue.evidence.exchange import Exchange, Request
from opvalue.http import NetworkFailed
from tests.evidence.broker.scene import NOW, answer

REQUEST = Request("GET", "/x", "", "*/*", "", b"")


def exchange(value: object = 1) -> Exchange:
    return Exchange(REQUEST, answer(value), None, NOW)


def test_each_key_is_fetched_once() -> None:
    snapshot, fetched = Snapshot(), []

    def fetch(key: str) -> Exchange:
        fetched.append(key)
        return exchange(key)

    for _ in range(3):
        for key in "ab":
            assert snapshot.get(key, lambda key=key: fetch(key)) == exchange(key)  # type: ignore[misc]
    assert fetched == ["a", "b"]


def test_who_asks_meanwhile_waits() -> None:
    snapshot, fetched = Snapshot(), []
    begun, go_on = threading.Event(), threading.Event()

    def fetch() -> Exchange:
        fetched.append(1)
        begun.set()
        assert go_on.wait(20)
        return exchange()

    with ThreadPoolExecutor(20) as pool:
        futures = [pool.submit(snapshot.get, "a", fetch) for _ in range(20)]
        assert begun.wait(20)
        assert snapshot.get("b", lambda: exchange(2)) == exchange(2)
        go_on.set()
        found = [future.result(20) for future in futures]
    assert fetched == [1]
    assert all(one is found[0] for one in found)


def test_a_failure_is_for_those_who_waited_and_not_kept() -> None:
    snapshot, fetched = Snapshot(), []
    begun, go_on = threading.Event(), threading.Event()

    def fail() -> Exchange:
        fetched.append(1)
        begun.set()
        assert go_on.wait(20)
        raise NetworkFailed("cut", found="x", hint="y")

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(snapshot.get, "a", fail)]
        assert begun.wait(20)
        futures.append(pool.submit(snapshot.get, "a", fail))
        threading.Timer(0.05, go_on.set).start()
        errors = [future.exception(20) for future in futures]
    if len(fetched) == 1:
        assert errors[0] is not errors[1]
    for error in errors:
        assert isinstance(error, NetworkFailed)
        assert (error.message, error.found, error.hint, error.args) == ("cut", "x", "y", ("cut",))
    assert snapshot.get("a", exchange) == exchange()


def test_a_fetch_that_breaks_off_holds_nobody_up() -> None:
    snapshot = Snapshot()
    begun, go_on = threading.Event(), threading.Event()

    def interrupted() -> Exchange:
        begun.set()
        assert go_on.wait(20)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(snapshot.get, "a", interrupted)
        assert begun.wait(20)
        second = pool.submit(snapshot.get, "a", exchange)
        threading.Timer(0.05, go_on.set).start()
        with pytest.raises(KeyboardInterrupt):
            first.result(20)
        try:
            assert second.result(20) == exchange()
        except OpvalueError as error:
            assert error.code == "evidence.broker-failed"  # noqa: PT017 - it came in time to wait, or too late
    assert snapshot.get("a", exchange) == exchange()
