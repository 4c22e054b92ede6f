"""What is printed, where, and in which colour."""

import io
import json
import os
import sys
import termios
import time
from collections.abc import Callable

import pytest

from opvalue.cli import console as module
from opvalue.cli.console import Console, Style, Styled, single_line
from opvalue.cli.errors import OutputClosed, ReaderGone
from opvalue.cli.progress import Progress
from opvalue.errors import UsageError
from opvalue.strictjson import JsonNotEncodable


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Broken(io.StringIO):
    """A stream that cannot be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, _text: str) -> int:
        raise self.error


@pytest.mark.parametrize(
    ("choice", "environ", "terminal", "pipe"),
    [
        ("auto", {}, True, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True, True),
        ("never", {"CLICOLOR_FORCE": "1"}, False, False),
        ("auto", {"NO_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, True, True),
        ("auto", {"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, True, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, True, False),
        ("auto", {"CLICOLOR_FORCE": "false"}, True, False),
        ("auto", {"CLICOLOR_FORCE": "No"}, True, False),
        ("auto", {"CLICOLOR": "0"}, False, False),
        ("auto", {"CLICOLOR": "1"}, True, False),
        ("auto", {"TERM": "dumb"}, False, False),
    ],
)
def test_when_there_is_colour(choice: str, environ: dict[str, str], terminal: bool, pipe: bool) -> None:
    console = Console(environ)
    console.choose_color(choice)
    assert console.coloured(Terminal()) is terminal
    assert console.coloured(io.StringIO()) is pipe


def test_styles_are_codes_around_safe_text(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console({})
    console.choose_color("always")
    console.line(Styled("a\x1b[0m\nb", Style.GOOD), " c\td")
    assert capsys.readouterr().out == "\x1b[32ma\\u001b[0m\\u000ab\x1b[0m c\\u0009d\n"


def test_a_text_from_outside_stays_one_line() -> None:
    assert single_line("value 1\nverified  yes\u2028x") == "value 1\\u000averified  yes\\u2028x"


def test_fields_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    Console({}).fields([("a", "1"), ("long", (Styled("2", Style.BAD), " b"))], indent=2)
    Console({}).fields([])
    assert capsys.readouterr().out == "  a     1\n  long  2 b\n"


def test_lines_take_plain_styled_and_composed(capsys: pytest.CaptureFixture[str]) -> None:
    Console({}).lines(["a", Styled("b", Style.WARN), ("c", Styled("d", Style.DIM))])
    assert capsys.readouterr().out == "a\nb\ncd\n"


def test_data_is_canonical_json_in_utf_8_even_where_the_locale_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    Console({}).data({"key": "ключ", "zero": -0.0, "lone": "\ud800"})
    assert raw.getvalue() == '{\n  "key": "ключ",\n  "zero": 0,\n  "lone": "\\ud800"\n}\n'.encode()


@pytest.mark.parametrize("terminal", [True, False])
def test_data_cannot_steer_a_terminal_and_stays_the_same_value(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8")
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "stdout", stream)
    value = {"key": "\x9b31m\x7f\u202e\x1b ключ"}
    Console({}).data(value)
    written = raw.getvalue().decode()
    assert json.loads(written) == value
    steering = "\\u009b31m\\u007f\\u202e" if terminal else "\x9b31m\x7f\u202e"
    assert written == f'{{\n  "key": "{steering}\\u001b ключ"\n}}\n'


def test_data_refuses_what_json_cannot_say() -> None:
    with pytest.raises(JsonNotEncodable):
        Console({}).data({"value": float("nan")})


def test_text_the_locale_cannot_spell_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1", write_through=True))
    Console({}).line("é ключ")
    assert raw.getvalue() == b"\xe9 \\u043a\\u043b\\u044e\\u0447\n"


@pytest.mark.parametrize(
    ("error", "ours"), [(OSError(28, "No space left on device"), OutputClosed), (BrokenPipeError(), ReaderGone)]
)
@pytest.mark.parametrize("act", [lambda: Console({}).line("x"), lambda: Console({}).fields([("x", "y")])])
def test_output_that_fails_is_told_from_a_reader_that_went_away(
    monkeypatch: pytest.MonkeyPatch, error: OSError, ours: type[Exception], act: Callable[[], None]
) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(error))
    with pytest.raises(ours):
        act()


def test_talk_that_cannot_be_delivered_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Broken(OSError(28, "full")))
    Console({}).note("x")
    Console({}).debug("x")
    monkeypatch.setattr(sys, "stderr", None)
    Console({}).note("x")
    Console({}).debug("x")


def test_a_failure_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    Console({}).fail(UsageError("no", found="x\x1b"), program="opvalue")
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "opvalue: no [usage]\n  found     x\\u001b\n  do        See --help.\n"


def test_with_json_a_failure_is_an_envelope(capsys: pytest.CaptureFixture[str]) -> None:
    Console({}, json=True).fail(UsageError("no"), program="opvalue")
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {"error": {"kind": "usage", "code": "usage", "message": "no", "hint": "See --help."}}


def test_a_closed_output_is_reported_on_standard_error_even_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    Console({}, json=True).fail(OutputClosed("closed"), program="opvalue")
    out, err = capsys.readouterr()
    assert out == ""
    assert "[cli.output-closed]" in err


def test_progress_is_silent_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("opvalue.cli.progress.DELAY_SECONDS", 0.0)
    with Console({}).progress("working") as progress:
        progress("on")
    with Console({"TERM": "dumb"}).progress("working"):
        monkeypatch.setattr(sys, "stderr", Terminal())
    assert capsys.readouterr() == ("", "")


def test_flushing_without_an_output_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    module.flush_output()


def test_descriptors_that_were_left_closed_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(module, "_is_closed", lambda number: number in {0, 2})
    monkeypatch.setattr(os, "open", lambda path, _mode: opened.append(path))
    module.open_standard_streams()
    assert opened == [os.devnull, os.devnull]
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OutputClosed, match="standard output is closed"):
        module.open_standard_streams()


def test_a_closed_descriptor_is_noticed() -> None:
    read, write = os.pipe()
    os.close(write)
    assert not module._is_closed(read)
    os.close(read)
    assert module._is_closed(read)


def test_an_abandoned_output_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[int] = []
    monkeypatch.setattr(os, "dup2", lambda _null, number: moved.append(number))
    module.abandon_output()
    assert moved == [1]


def _on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int, stream: str = "stdout") -> Terminal:
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys, stream, terminal)
    return terminal


DIAGNOSED = """\
opvalue: the checkout at /srv/code is
            not the run's repository
            [usage]
  expected  a clone of acme/widgets on
            github.com
  found     /a/path/that/is/longer/than/the/line/is/wide
  do        Stand in the right one, or
            name it with --checkout.
"""


def test_a_failure_is_folded_to_the_terminal_and_set_in(monkeypatch: pytest.MonkeyPatch) -> None:
    error = UsageError(
        "the checkout at /srv/code is not the run's repository",
        expected="a clone of acme/widgets on github.com",
        found="/a/path/that/is/longer/than/the/line/is/wide",
        hint="Stand in the right one, or name it with --checkout.",
    )
    terminal = _on_a_terminal(monkeypatch, 40, "stderr")
    Console({"NO_COLOR": "1"}).fail(error, program="opvalue")
    assert terminal.getvalue() == DIAGNOSED
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    Console({}).fail(error, program="opvalue")
    assert pipe.getvalue().count("\n") == 4


def test_fields_are_folded_with_their_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _on_a_terminal(monkeypatch, 30)
    console = Console({})
    console.choose_color("always")
    console.fields([("name", (Styled("one two three four five six", Style.BAD), " seven eight nine"))], indent=1)
    dim, bad, end = "\x1b[2m", "\x1b[31m", "\x1b[0m"
    assert terminal.getvalue() == (
        f" {dim}name{end}  {bad}one two three four five{end}\n       {bad}six{end} seven eight nine\n"
    )


def test_what_is_escaped_is_measured_as_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _on_a_terminal(monkeypatch, 24)
    Console({"NO_COLOR": "1"}).line("\x1b\x1b\x1b\x1b bbbb cc", hang=0)
    assert terminal.getvalue() == "\\u001b" * 4 + "\nbbbb cc\n"


def test_a_line_without_an_indent_is_never_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _on_a_terminal(monkeypatch, 20)
    Console({"NO_COLOR": "1"}).lines(["word " * 10])
    assert terminal.getvalue() == "word " * 10 + "\n"


def test_the_width_of_the_stream_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    own, theirs = os.openpty()
    os.set_blocking(own, False)
    termios.tcsetwinsize(theirs, (24, 33))
    with os.fdopen(theirs, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        Console({"NO_COLOR": "1"}).note("word " * 9 + "word", hang=2)
        assert os.read(own, 1000) == b"word word word word word word\r\n  word word word word\r\n"
    os.close(own)


def test_the_columns_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert Console({}).columns == 70
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert Console({}).columns is None


def test_a_warning_is_folded_and_does_not_run_into_what_is_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _on_a_terminal(monkeypatch, 30, "stderr")
    monkeypatch.setattr(Progress.__init__, "__kwdefaults__", {"columns": 80, "delay": 0.0})
    console = Console({"NO_COLOR": "1"})
    with console.progress("reading"):
        end = time.monotonic() + 10
        while "reading" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.005)
        console.warn("one two three four five six seven")
    shown = "warning: one two three four\n         five six seven\n"
    assert terminal.getvalue().partition("reading")[2] == f"\r\x1b[K{shown}reading\r\x1b[K"
    console.warn("over")
    assert terminal.getvalue().endswith("\r\x1b[Kwarning: over\n")
