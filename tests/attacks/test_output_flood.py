"""An evaluator that prints without end, on either stream, also through a child: stopped while it writes."""

import time

import pytest

from opvalue.process import OutputTooLarge
from tests.evaluator.helpers import staged
from tests.process.helpers import the_sandbox


@pytest.mark.parametrize("sandboxed", [False, True])
@pytest.mark.parametrize("script", ["yes", "yes >&2", "cat /dev/zero & cat /dev/zero >&2 & wait", "yes & echo 1"])
def test_a_flood_is_stopped(sandboxed: bool, script: str) -> None:
    if sandboxed:
        the_sandbox()
    before = time.monotonic()
    with staged(script, sandboxed=sandboxed) as ready, pytest.raises(OutputTooLarge):
        ready.grade_run(b"{}")
    assert time.monotonic() - before < 10
