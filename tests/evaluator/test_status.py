import pytest

from opvalue.evaluator import ExitStatus, Killed
from opvalue.evaluator.status import judge_status, said
from opvalue.process import Finished


def ended(status: int) -> Finished:
    return Finished(status, b"0.5", b"", 0.1)


def test_success() -> None:
    judge_status(ended(0), "the evaluator", "noise")


@pytest.mark.parametrize("status", [1, 2, 127, 128, 255])
def test_a_status(status: int) -> None:
    with pytest.raises(ExitStatus) as caught:
        judge_status(ended(status), "it", "")
    assert caught.value.message == f"it failed: exit status {status}"
    assert (caught.value.expected, caught.value.found) == ("exit status 0", f"exit status {status}")


@pytest.mark.parametrize(("status", "name"), [(-9, "SIGKILL"), (137, "SIGKILL"), (-11, "SIGSEGV"), (141, "SIGPIPE")])
def test_a_signal(status: int, name: str) -> None:
    with pytest.raises(Killed) as caught:
        judge_status(ended(status), "it", "")
    assert caught.value.message == f"it was ended by {name}"
    with pytest.raises(Killed) as caught:
        judge_status(ended(status), "it", "out of memory")
    assert caught.value.message == f"it was ended by {name}: out of memory"


def test_what_was_said() -> None:
    assert said(b"  /tree/a.sh: \xff\x1b[0m\n", "/tree/") == "a.sh: \ufffd\\u001b[0m"
    assert said(b"x" * 5000, "/") == "x" * 2000
