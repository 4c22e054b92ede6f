"""A child that makes its own session and so leaves the group that is killed (SP-03)."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from opvalue.limits import Limits
from opvalue.process import LeftRunning, TimedOut
from tests.evaluator.helpers import staged
from tests.process.helpers import is_alive, run_bash, the_sandbox

# setsid is no program of macOS.
ESCAPE = f"""'{sys.executable}' -c 'import os, sys, time
if os.fork() == 0:
    os.setsid()
    open(sys.argv[1], "w").write(str(os.getpid()))
    time.sleep(600)
' """


def pid_in(file: Path) -> int:
    deadline = time.monotonic() + 5
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < deadline
    return int(file.read_text())


@pytest.mark.parametrize("output", ["", ">/dev/null 2>&1"])
def test_outside_the_sandbox_it_is_reported_as_not_killed(output: str, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    try:
        before = time.monotonic()
        with pytest.raises(LeftRunning) as caught:
            run_bash(f"{ESCAPE} '{file}' {output}; echo 1")
        assert time.monotonic() - before < 5
        assert caught.value.found == "a process in a session of its own, which was not killed"
        assert is_alive(pid_in(file))
    finally:
        os.kill(pid_in(file), signal.SIGKILL)


def test_outside_the_sandbox_it_does_not_hold_the_time_out(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    try:
        before = time.monotonic()
        with pytest.raises(TimedOut):
            run_bash(f"{ESCAPE} '{file}'; sleep 600", seconds=1)
        assert time.monotonic() - before < 5
    finally:
        os.kill(pid_in(file), signal.SIGKILL)


def test_inside_the_sandbox_there_is_no_escape() -> None:
    the_sandbox()
    limits = Limits(grade_run_seconds=1)
    with staged("setsid sleep 600 >/dev/null 2>&1 & disown; echo 1", sandboxed=True, limits=limits) as ready:
        with pytest.raises(LeftRunning) as caught:
            ready.grade_run(b"{}")
        assert caught.value.found == "sleep"
    marked = 'for fd in /proc/self/fd/*; do n=${fd##*/}; ((n > 2)) && eval "exec $n>&-"; done; setsid sleep 600 &'
    with staged(f"{marked}\necho 1", sandboxed=True, limits=limits) as ready, pytest.raises(LeftRunning):
        ready.grade_run(b"{}")
