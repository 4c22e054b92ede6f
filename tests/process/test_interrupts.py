import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.process import Terminated, interruptible, private_folder
from opvalue.process.interrupts import uninterrupted
from tests.process.helpers import is_alive, run_bash


@contextmanager
def signal_after(seconds: float, number: int) -> Iterator[None]:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), number))
    timer.start()
    try:
        yield
    finally:
        timer.join()


CASES = [
    (signal.SIGINT, KeyboardInterrupt),
    (signal.SIGTERM, Terminated),
    (signal.SIGHUP, Terminated),
    (signal.SIGQUIT, Terminated),
]


@pytest.mark.parametrize(("number", "raised"), CASES)
def test_a_signal_kills_the_child_and_becomes_an_exception(
    number: int, raised: type[BaseException], tmp_path: Path
) -> None:
    before = time.monotonic()
    with pytest.raises(raised) as caught, signal_after(0.4, number):
        run_bash("sleep 600 & echo $! $$ >pids; wait", cwd=tmp_path)
    assert time.monotonic() - before < 5
    assert type(caught.value) is raised
    assert not any(is_alive(int(pid)) for pid in (tmp_path / "pids").read_text().split())


@pytest.mark.parametrize(("number", "raised"), CASES)
def test_a_signal_removes_private_folders(number: int, raised: type[BaseException]) -> None:
    with pytest.raises(raised), private_folder() as folder, signal_after(0.1, number):
        time.sleep(20)
    assert not folder.exists()


def test_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number, _ in CASES]
    with interruptible(), interruptible():
        assert [signal.getsignal(number) for number, _ in CASES] != before
    assert [signal.getsignal(number) for number, _ in CASES] == before


def test_handlers_of_the_program_around_are_left_alone() -> None:
    heard = []
    old = signal.signal(signal.SIGTERM, lambda number, _frame: heard.append(number))
    try:
        with signal_after(0.1, signal.SIGTERM):
            assert run_bash("sleep 0.3; echo on").stdout == b"on\n"
    finally:
        signal.signal(signal.SIGTERM, old)
    assert heard == [signal.SIGTERM]


def test_signals_wait_while_they_are_held_and_the_first_counts() -> None:
    done = []
    with pytest.raises(Terminated), interruptible(), uninterrupted():  # noqa: PT012 - the order is the point
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
        done.append("all")
    assert done == ["all"]
    with interruptible(), uninterrupted():
        pass


def test_other_threads_run_children_without_handlers() -> None:
    found: list[object] = []

    def work() -> None:
        with private_folder() as folder:
            found.extend((run_bash("exit 7").status, folder.exists()))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [7, True]
