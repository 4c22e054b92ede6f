"""What other threads run can be stopped, and started again afterwards."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from opvalue.errors import Interrupted
from opvalue.process import Finished, others_stopped, run
from opvalue.process.stopping import stoppable
from tests.process.helpers import bash


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_child_of_another_thread_is_killed(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        begun = time.monotonic()
        future = pool.submit(run, bash(f"touch {tmp_path}/begun; sleep 20"))
        wait_until(lambda: future.running() and (tmp_path / "begun").exists())
        with others_stopped():
            finished = future.result(timeout=10)
        assert isinstance(finished, Finished)
        assert finished.status == -9
        assert time.monotonic() - begun < 10


def test_nothing_is_started_meanwhile_and_all_is_well_afterwards() -> None:
    with others_stopped():
        with others_stopped(), pytest.raises(Interrupted):
            run(bash("exit"))
        with pytest.raises(Interrupted):
            run(bash("exit"))
    assert run(bash("exit 3")).status == 3


def test_what_has_ended_is_not_killed() -> None:
    killed: list[str] = []
    with stoppable(lambda: killed.append("before")):
        pass
    with stoppable(lambda: killed.append("during")), others_stopped():
        assert killed == ["during"]
