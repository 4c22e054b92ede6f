"""An evaluator that starts processes by the hundred: the group dies as one, at the deadline or when it is left."""

import time
from pathlib import Path

import pytest

from opvalue.process import LeftRunning, TimedOut
from tests.process.helpers import is_alive, run_bash, the_sandbox

MANY = "for i in {1..150}; do sleep 600 & echo $! >>pids; done"


@pytest.mark.parametrize(("end", "error"), [("wait", TimedOut), ("exit 0", LeftRunning)])
def test_all_of_them_die(end: str, error: type[Exception], tmp_path: Path) -> None:
    before = time.monotonic()
    with pytest.raises(error):
        run_bash(f"{MANY}; {end}", cwd=tmp_path, seconds=3)
    assert time.monotonic() - before < 12
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 150
    assert not [pid for pid in pids if is_alive(int(pid))]


def test_a_chain_that_keeps_forking_dies_too(tmp_path: Path) -> None:
    chain = "f() { echo $BASHPID >>pids; sleep 0.01; f & }; f; wait"
    with pytest.raises((TimedOut, LeftRunning)):
        run_bash(chain, cwd=tmp_path, seconds=0.5)
    count = len((tmp_path / "pids").read_text().split())
    time.sleep(0.2)
    assert len((tmp_path / "pids").read_text().split()) == count


def test_inside_the_sandbox_as_well() -> None:
    box = the_sandbox().required()
    with pytest.raises(LeftRunning):
        run_bash("for i in {1..150}; do setsid sleep 600 & done; exit 0", sandbox=box)
