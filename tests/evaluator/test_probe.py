"""A watched call: its own working folder, what it wrote outside, the lines it went through."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.errors import OpvalueError
from opvalue.evaluator import Probe, Runner, Staged, StandIn
from opvalue.evaluator.probe import _Trace
from opvalue.identity import Host, RepoPath

_PATH = RepoPath.parse(".github/graders/x.sh")


@contextmanager
def _staged(text: str, *, sandboxed: bool = True) -> Iterator[Staged]:
    runner = Runner(sandboxed=sandboxed)
    with runner.stage(_PATH, ((_PATH, text.encode()),), Host("github.com"), StandIn()) as staged:
        yield staged


@pytest.mark.parametrize("sandboxed", [True, False])
def test_tells_lines_and_files(sandboxed: bool) -> None:
    probe = Probe(environment={"TZ": "Asia/Kolkata"}, working_files=(("a/b", b"x"),))
    text = (
        'f() {\n  echo no\n}\ncat a/b\ntouch here "$HOME/there" "$TMPDIR/mine"\nif false; then\n  f\nfi\necho "$TZ"\n'
    )
    with _staged(text, sandboxed=sandboxed) as staged:
        finished = staged.call("--definition", seconds=10, probe=probe)
    assert finished.stdout == b"xAsia/Kolkata\n"
    assert finished.stderr == b""
    assert {line for _, line in probe.lines} == {4, 5, 6, 9}
    assert probe.written == ("here in the working folder", "there in the home folder")


def test_tells_what_is_in_the_sandbox_s_common_folder() -> None:
    if not Runner().layers:
        pytest.skip("no sandbox works here")
    probe = Probe()
    with _staged("touch /tmp/common\n") as staged:
        staged.call("--definition", seconds=10, probe=probe)
        assert staged.left_behind() == ()
    assert probe.written == ("common in /tmp",)


def test_tells_lines_of_a_call_that_fails_and_of_one_that_never_ends() -> None:
    probe, endless = Probe(), Probe()
    with _staged("if [[ $1 == --metric ]]; then\n  exit 3\nfi\nwhile :; do\n  :\ndone\n") as staged:
        with pytest.raises(OpvalueError):
            staged.call("--metric", seconds=10, probe=probe)
        with pytest.raises(OpvalueError):
            staged.call("--definition", seconds=0.5, probe=endless)
    assert {line for _, line in probe.lines} == {1, 2}
    assert {line for _, line in endless.lines} == {1, 4, 5}


def test_a_trace_that_is_written_for_ever_is_not_waited_for(tmp_path: Path) -> None:
    trace = _Trace(tmp_path / "trace")
    os.close(trace._pipe)
    trace._pipe = os.open("/dev/zero", os.O_RDONLY)
    before = time.monotonic()
    with trace:
        pass
    assert time.monotonic() - before < 5
    assert trace.lines == set()
