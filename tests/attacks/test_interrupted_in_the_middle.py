"""Ctrl-C, or an order to end, in the middle of a long evaluator: nothing goes on, nothing stays (SP-06)."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.process.helpers import is_alive, the_sandbox

PROGRAM = """
import sys
from pathlib import Path
from opvalue.evaluator import Runner, StandIn
from opvalue.identity import Host, RepoPath

path = RepoPath.parse("value.sh")
script = Path(sys.argv[1]).read_bytes()
try:
    runner = Runner(sandboxed=sys.argv[2] == "True")
    with runner.stage(path, [(path, script)], Host("github.com"), StandIn()) as ready:
        print(ready.grade_run(b"{}"))
except KeyboardInterrupt:
    sys.exit(130)
"""
SCRIPT = """#!/usr/bin/env bash
sleep 600 &
: >started
wait
"""


@pytest.mark.parametrize("sandboxed", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_group_is_dead_and_the_folder_gone(number: int, sandboxed: bool, tmp_path: Path) -> None:
    if sandboxed:
        the_sandbox()
    script, place = tmp_path / "value.sh", tmp_path / "place"
    script.write_text(SCRIPT)
    place.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(script), str(sandboxed)],
        env={**os.environ, "TMPDIR": str(place)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        wait_until(lambda: list(place.glob("*/scratch/started")))
        children = children_of(parent.pid)
        before = time.monotonic()
        parent.send_signal(number)
        output, errors = parent.communicate(timeout=20)
    finally:
        parent.kill()
        parent.wait()
    assert time.monotonic() - before < 5
    assert (parent.returncode, output, errors) == (130, b"", b"")
    assert list(place.iterdir()) == []
    assert not [pid for pid in children if is_alive(pid)]


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def children_of(pid: int) -> list[int]:
    """Return all descendants, where the system lists them."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, file.read_text().split()):
            found += [child, *children_of(child)]
    return found
