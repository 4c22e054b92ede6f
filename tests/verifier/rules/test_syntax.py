"""Scripts that Bash does not read."""

import signal

import pytest

from opvalue.process import Finished
from tests.verifier.running import GOOD, edited, found, running
from verifier.registry import rule

_ID = "syntax"


@pytest.mark.parametrize(
    "edit", [('main "$@"', 'main "$@'), ("usage() {", "usage() {{ |"), ("    *) usage ;;\n  esac", "    *) usage ;;")]
)
def test_what_bash_refuses_is_an_error(edit: tuple[str, str]) -> None:
    (only,) = found(_ID, edit)
    assert only.startswith("error: the evaluator is not valid Bash: ")


def test_the_line_that_bash_names_is_shown() -> None:
    with running(GOOD.replace("usage() {", "usage() {\n  done")) as (subject, runs):
        (only,) = rule(_ID).check(subject, runs)
    assert only.line is not None
    assert only.excerpt == "  done"


def test_the_signal_that_ended_bash_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opvalue.evaluator.staged.run", lambda _command: Finished(-signal.SIGSEGV, b"", b"", 0.1))
    with running(edited(("usage() {", "# too deep for its stack\nusage() {"))) as (subject, runs):
        (only,) = rule(_ID).check(subject, runs)
    assert only.message == "the evaluator is not valid Bash: ended by SIGSEGV"
    assert only.advice.startswith("Bash itself was ended ")


def test_what_bash_reads_is_fine() -> None:
    assert found(_ID) == []
