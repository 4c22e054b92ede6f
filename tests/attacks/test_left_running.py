"""An evaluator that ends and leaves ``sleep 600 &`` behind, and one that waits for it (SP-01)."""

import time

import pytest

from opvalue.limits import Limits
from opvalue.process import LeftRunning, TimedOut
from tests.evaluator.helpers import staged
from tests.process.helpers import the_sandbox


@pytest.mark.parametrize("sandboxed", [False, True])
@pytest.mark.parametrize(
    "leave",
    ["sleep 600 &", "sleep 600 >/dev/null 2>&1 &", "(sleep 600 & )", "nohup sleep 600 >/dev/null 2>&1 & disown"],
)
def test_a_score_with_something_left_running_is_no_score(sandboxed: bool, leave: str) -> None:
    if sandboxed:
        the_sandbox()
    before = time.monotonic()
    with staged(f"{leave}\necho 1", sandboxed=sandboxed) as ready, pytest.raises(LeftRunning) as caught:
        ready.grade_run(b"{}")
    assert time.monotonic() - before < 10
    assert caught.value.code == "process.left-running"
    assert "sleep" in (caught.value.found or "") or "a process" in (caught.value.found or "")


@pytest.mark.parametrize("sandboxed", [False, True])
def test_a_grandchild_that_holds_the_pipe_does_not_hold_the_time_out(sandboxed: bool) -> None:
    if sandboxed:
        the_sandbox()
    before = time.monotonic()
    with (
        staged("sleep 600 & wait", sandboxed=sandboxed, limits=Limits(grade_run_seconds=0.5)) as ready,
        pytest.raises(TimedOut),
    ):
        ready.grade_run(b"{}")
    assert time.monotonic() - before < 5
