"""A grandchild keeps the evaluator's output open after the deadline: the regrade ends all the same, and so does it."""

import time
from pathlib import Path

import pytest

from opvalue.evaluator import Runner
from opvalue.limits import Limits
from opvalue.process import TimedOut, detect
from tests.support.world import World

SLEEP = b"(sleep 654.5; echo late) & (sleep 654.5 & wait); wait"


@pytest.mark.parametrize("sandboxed", [False, True])
def test_the_deadline_holds(tmp_path: Path, sandboxed: bool) -> None:
    if sandboxed and detect().sandbox is None:
        pytest.skip("no sandbox works here")
    world = World(tmp_path)
    world.adopt(world.evaluator.replace(b"--grade-run) grade_run ;;", b"--grade-run) " + SLEEP + b" ;;"))
    runner = Runner(Limits(grade_run_seconds=1), sandboxed=sandboxed)
    started = time.monotonic()
    with pytest.raises(TimedOut):
        world.regrade(runner=runner)
    assert time.monotonic() - started < 20
    assert sleeping() == []


def sleeping() -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[:2] == [b"sleep", b"654.5"]:
            found.append(str(entry))
    return found
