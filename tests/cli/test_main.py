"""Failures become one text and one status; data and talk stay apart."""

import gc
import json
import os
import sys
from collections.abc import Callable

import click
import pytest

from opvalue import __main__ as scripts
from opvalue import __version__
from opvalue.cli import main
from opvalue.cli.command import LazyGroup
from opvalue.cli.console import Console
from opvalue.cli.errors import OutputClosed, ReaderGone
from opvalue.cli.programs import program
from opvalue.errors import Kind, OpvalueError
from tests.cli.conftest import Answer

Run = Callable[..., Answer]


class Refusal(OpvalueError):
    """Raised by these tests."""

    code = "test.refusal"
    kind = Kind.REFUSED
    advice = "Do otherwise."


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make every command fail with ``error``."""

    def resolve(*_: object) -> None:
        raise error

    monkeypatch.setattr(LazyGroup, "resolve_command", resolve)


def test_version(opvalue: Run) -> None:
    assert opvalue("--version", "--color", "never") == Answer(0, f"opvalue {__version__}\n", "")
    assert opvalue("--version", program="gh-aw") == Answer(0, f"gh-aw (opvalue) {__version__}\n", "")


def test_colour_and_bold_headings_where_they_are_asked_for(opvalue: Run) -> None:
    plain, coloured = opvalue("schema", "--help").out, opvalue("schema", "--color", "always", "--help").out
    assert "\x1b" not in plain
    assert "\x1b[1mOptions:\x1b[0m\n  --" in coloured
    assert coloured.replace("\x1b[1m", "").replace("\x1b[0m", "") == plain


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--nope"], "opvalue has no option --nope [usage]"),
        (["schema", "a", "b"], "unexpected extra argument"),
        (["completion"], "missing argument"),
        (["completion", "powershell"], "'powershell' is not one of"),
        (["doctor", "--color", "green"], "'green' is not one of"),
    ],
)
def test_a_usage_error_exits_2_with_what_was_expected(opvalue: Run, argv: list[str], says: str) -> None:
    status, out, err = opvalue(*argv)
    assert (status, out) == (2, "")
    assert says in err
    assert "[usage]" in err
    assert "expected  opvalue " in err
    assert "--help" in err
    assert err.count("\n") == 3


@pytest.mark.parametrize(
    ("argv", "option", "expected"),
    [
        (["graders", "run", "s", "--jobs", "0"], "--jobs", "a whole number from 1"),
        (["graders", "run", "s", "--jobs", "x"], "--jobs", "a whole number from 1"),
        (["cache", "prune", "--older-than", "-1"], "--older-than", "a whole number from 0 to 36500"),
    ],
)
def test_a_number_that_is_none_of_an_option(opvalue: Run, argv: list[str], option: str, expected: str) -> None:
    error = opvalue(*argv, "--json").error
    assert (error["message"], error["expected"]) == (f"invalid value for '{option}'", expected)
    assert error["found"].strip("'") == argv[-1]


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["session", "show", "x", "--color"], "opvalue session show"),
        (["graders", "run", "x", "--config"], "opvalue graders run"),
        (["--color"], "opvalue"),
    ],
)
def test_an_option_without_its_argument_is_one_of_its_command(opvalue: Run, argv: list[str], command: str) -> None:
    answer = opvalue(*argv)
    assert answer.status == 2
    assert f"opvalue: option '{argv[-1]}' requires an argument [usage]" in answer.err
    assert f"See: {command} --help" in answer.err


@pytest.mark.parametrize("argv", [["schema", "--nope", "--json"], ["--json", "nope"], ["nope", "--json"]])
def test_a_usage_error_is_an_envelope_when_json_is_among_the_arguments(opvalue: Run, argv: list[str]) -> None:
    answer = opvalue(*argv)
    assert (answer.status, answer.err) == (2, "")
    assert answer.error["kind"] == "usage"


def test_json_after_two_dashes_is_no_option(opvalue: Run) -> None:
    status, out, err = opvalue("schema", "--", "--json")
    assert (status, out) == (2, "")
    assert "cli.unknown-command" in err


def test_an_unknown_command_lists_those_that_exist(opvalue: Run) -> None:
    status, out, err = opvalue("regraed")
    assert (status, out) == (2, "")
    assert "opvalue has no command 'regraed' [cli.unknown-command]" in err
    context = click.Context(program("opvalue"))
    assert f"expected  {' | '.join(program('opvalue').list_commands(context))}\n" in err


@pytest.mark.parametrize(
    ("argv", "named"),
    [
        (["compile"], "gh-aw compile"),
        (["graders", "compile", "x"], "gh-aw graders compile"),
        (["audit", "1"], "gh-aw audit"),
    ],
)
def test_what_gh_aw_has_and_this_tool_has_not_is_refused_by_name(opvalue: Run, argv: list[str], named: str) -> None:
    status, out, err = opvalue(*argv, program="gh-aw")
    assert (status, out) == (2, "")
    assert f"gh-aw: {named} is not part of this tool [cli.not-part-of-this-tool]" in err
    assert "gh-aw graders operational-value" in err
    assert opvalue(*argv, "--json", program="gh-aw").error["code"] == "cli.not-part-of-this-tool"


@pytest.mark.parametrize(("program", "argv"), [("opvalue", []), ("gh-aw", []), ("gh-aw", ["graders"])])
def test_a_group_alone_shows_its_help(opvalue: Run, program: str, argv: list[str]) -> None:
    status, out, err = opvalue(*argv, program=program)
    assert (status, err) == (0, "")
    assert out == opvalue(*argv, "--help", program=program).out
    assert f"Usage: {' '.join([program, *argv])}" in out
    assert "Examples:" in out


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_of_failure_has_its_status(opvalue: Run, monkeypatch: pytest.MonkeyPatch, kind: Kind) -> None:
    error = Refusal("it does not hold", expected="this", found="that")
    monkeypatch.setattr(Refusal, "kind", kind)
    failing(monkeypatch, error)
    status, out, err = opvalue("doctor")
    assert (status, out) == (kind.exit_status, "")
    assert err == (
        "opvalue: it does not hold [test.refusal]\n  expected  this\n  found     that\n  do        Do otherwise.\n"
    )
    answer = opvalue("doctor", "--json")
    assert (answer.status, answer.err) == (kind.exit_status, "")
    assert json.loads(answer.out) == error.envelope()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory [machine.out-of-memory]"),
        (OSError(24, "Too many open files"), "too many open files [machine.too-many-open-files]"),
        (OSError(28, "No space left on device", "/x"), "no space left on device: /x [machine.no-space]"),
    ],
)
def test_what_the_machine_does_not_give_is_no_fault_of_ours(
    opvalue: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, said: str
) -> None:
    failing(monkeypatch, error)
    status, out, err = opvalue("doctor")
    assert (status, out) == (2, "")
    assert err.startswith(f"opvalue: {said}\n  do        ")


@pytest.mark.parametrize("error", [KeyError("k"), RecursionError(), SystemExit(3), OSError(5, "io")])
def test_the_unexpected_is_one_line_without_a_traceback(
    opvalue: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    failing(monkeypatch, error)
    status, out, err = opvalue("doctor")
    assert (status, out) == (1, "")
    assert f"unexpected {type(error).__name__}" in err
    assert "Traceback" not in err
    assert "OPVALUE_DEBUG=1" in err
    assert opvalue("doctor", "--json").error["kind"] == "internal"


def test_debug_shows_the_traceback_on_standard_error(opvalue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, KeyError("\x1b[2J"))
    monkeypatch.setenv("OPVALUE_DEBUG", "1")
    status, out, err = opvalue("doctor", "--json")
    assert status == 1
    assert json.loads(out)["error"]["code"] == "internal"
    assert err.startswith("Traceback (most recent call last):\n  File ")
    assert "\x1b" not in err


def test_an_interrupt_exits_130(opvalue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, KeyboardInterrupt())
    status, out, err = opvalue("doctor")
    assert (status, out) == (130, "")
    assert "interrupted [interrupted]" in err
    assert opvalue("doctor", "--json").error["kind"] == "interrupted"


def test_an_interrupt_while_starting_exits_130(opvalue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "run_program", interrupted)
    assert opvalue("doctor") == Answer(130, "", "")


def test_text_from_outside_cannot_steer_the_terminal(opvalue: Run) -> None:
    status, _, err = opvalue("\x1b]0;owned\x07\u202e")
    assert status == 2
    assert "\x1b" not in err
    assert "\u202e" not in err


def test_a_shell_is_answered_while_it_completes(opvalue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_OPVALUE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "opvalue he")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert opvalue() == Answer(0, "plain,help\n", "")


@pytest.fixture
def abandoned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note that standard output was given up, and leave this process's own alone."""
    calls: list[str] = []
    monkeypatch.setattr(main, "abandon_output", lambda: calls.append("abandoned"))
    return calls


def test_an_output_that_closed_midway_is_given_up_and_reported(
    opvalue: Run, monkeypatch: pytest.MonkeyPatch, abandoned: list[str]
) -> None:
    failing(monkeypatch, OutputClosed("no room"))
    status, out, err = opvalue("doctor", "--json")
    assert (status, out) == (2, "")
    assert "no room [cli.output-closed]" in err
    assert abandoned == ["abandoned"]


def test_a_reader_that_went_away_is_told_nothing(
    opvalue: Run, monkeypatch: pytest.MonkeyPatch, abandoned: list[str]
) -> None:
    failing(monkeypatch, ReaderGone())
    assert opvalue("doctor") == Answer(141, "", "")
    assert abandoned == ["abandoned"]


def test_a_failure_that_cannot_be_printed_keeps_its_status(
    opvalue: Run, monkeypatch: pytest.MonkeyPatch, abandoned: list[str]
) -> None:
    failing(monkeypatch, Refusal("it does not hold"))
    unprintable(monkeypatch, OutputClosed("no room"))
    status, out, err = opvalue("doctor", "--json")
    assert (status, out) == (5, "")
    assert err.index("it does not hold [test.refusal]") < err.index("no room [cli.output-closed]")
    unprintable(monkeypatch, ReaderGone())
    assert opvalue("doctor", "--json") == Answer(5, "", "")
    assert abandoned == ["abandoned", "abandoned"]


def unprintable(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def data(*_: object) -> None:
        raise error

    monkeypatch.setattr(Console, "data", data)


@pytest.fixture
def _ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the scripts end without ending the tests."""

    def end(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(gc, "set_threshold", lambda _most: None)


@pytest.mark.usefixtures("_ends")
def test_the_console_scripts(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["opvalue", "--version"])
    scripts.main()
    assert capfd.readouterr() == (f"opvalue {__version__}\n", "")
    monkeypatch.setattr(sys, "argv", ["opvalue", "nope"])
    with pytest.raises(SystemExit, match="2"):
        scripts.main()
    monkeypatch.setattr(sys, "argv", ["gh-aw", "compile"])
    with pytest.raises(SystemExit, match="2"):
        scripts.gh_aw()
    assert "gh-aw compile is not part of this tool" in capfd.readouterr().err


@pytest.mark.usefixtures("_ends")
def test_a_version_that_cannot_be_written_goes_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "full")

    monkeypatch.setattr(os, "write", full)
    monkeypatch.setattr(sys, "argv", ["opvalue", "--version"])
    with pytest.raises(SystemExit, match="0"):
        scripts.main()


def test_gh_aws_command_is_the_same_one(opvalue: Run) -> None:
    arguments = ("0", "--evidence-at", "2026-08-30T12:00:00Z", "--artifact", "nowhere.zip", "--json")
    ours = opvalue("regrade", *arguments)
    assert ours.status == 2
    assert opvalue("graders", "operational-value", *arguments, program="gh-aw") == ours
