"""Work in a thread of its own."""

import threading

import pytest

from verifier.beside import beside


def test_it_goes_on_beside_and_its_result_is_waited_for() -> None:
    go_on = threading.Event()

    def work() -> threading.Thread:
        assert go_on.wait(10)
        return threading.current_thread()

    with beside(work) as running:
        go_on.set()
        assert running.result() is not threading.current_thread()


def test_what_it_raises_is_raised_where_the_result_is_asked_for() -> None:
    def work() -> None:
        raise KeyError("k")

    with beside(work) as running, pytest.raises(KeyError, match="k"):
        running.result()


def test_it_has_ended_when_the_block_is_left_by_an_error() -> None:
    left, ended = threading.Event(), []

    def work() -> None:
        left.wait(0.2)
        ended.append(True)

    with pytest.raises(ValueError, match="no"), beside(work):
        raise ValueError("no")
    assert ended == [True]
