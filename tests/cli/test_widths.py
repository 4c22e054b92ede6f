"""On a terminal no line is wider than it, but for a word that is; real processes on a pseudo-terminal."""

import fcntl
import os
import re
import struct
import termios
from pathlib import Path

import pytest

from tests.cli.conftest import Made

SGR = re.compile(r"\x1b\[\d*m")
COMMANDS = (
    "demo",
    "demo --keep kept",
    "doctor",
    "regrade",
    "regrade --attempt 9",
    "verify --quick",
    "bundle show evidence.bundle",
    "help environment",
    "help exit-codes",
    "help errors trust",
    "help trust.digest-mismatch",
    "rule list",
    "rule no-look-ahead",
    "schema",
    "regrde",
    "bundle show --jsn",
    "--help",
)


def on_a_terminal(made: Made, text: str, columns: int, **env: str) -> str:
    """Return what a command writes to a terminal of so many columns, both streams together."""
    primary, secondary = os.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = made.start(*made.words(text), stdout=secondary, stderr=secondary, env={"TERM": "xterm", **env})
    os.close(secondary)
    seen = b""
    try:
        while block := os.read(primary, 65536):
            seen += block
    except OSError:
        pass  # so Linux tells that nobody writes there any more
    os.close(primary)
    child.wait(timeout=60)
    shown = seen.decode().replace("\r\n", "\n")
    return re.sub(r"\r[^\n]*\r\x1b\[K", "", shown)


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("text", COMMANDS)
def test_lines_fit_the_terminal(made: Made, text: str, columns: int) -> None:
    shown = on_a_terminal(made, text, columns)
    lines = SGR.sub("", shown).splitlines()
    assert len(lines) > 1
    label = r"(?:\s*\S+ {2,})?"
    wide = [line for line in lines if len(line) > columns and not re.fullmatch(rf"{label}\s*\S+(?: \\)?", line)]
    assert wide == []


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
@pytest.mark.parametrize("text", ["doctor", "--help", "regrde", "verify --quick"])
def test_colour_is_for_terminals_that_want_it(made: Made, text: str, env: dict[str, str], coloured: bool) -> None:
    assert bool(SGR.search(on_a_terminal(made, text, 80, **env))) is coloured
    piped = made.run(*made.words(text))
    assert "\x1b" not in piped.out + piped.err


def test_columns_beats_the_terminal(made: Made) -> None:
    assert max(map(len, on_a_terminal(made, "--help", 100, COLUMNS="50", NO_COLOR="1").splitlines())) <= 50
    wide = on_a_terminal(made, "help exit-codes", 60, COLUMNS="200", NO_COLOR="1").splitlines()
    assert len(wide) == len(made.run("help", "exit-codes").out.splitlines())


def test_a_command_to_be_copied_goes_on_after_a_backslash(made: Made) -> None:
    shown = on_a_terminal(made, "demo --keep kept", 60, NO_COLOR="1")
    command = shown.partition("Regrade it yourself:\n")[2]
    assert command.count(" \\\n") >= 2
    assert Path(made.folder / "kept" / "agent.zip").exists()
    again = made.run(*command.replace("\\\n", " ").split()[1:])
    assert (again.status, again.err) == (0, "")


def test_what_is_told_of_a_new_evaluator_fits_the_terminal(made: Made) -> None:
    shown = on_a_terminal(made, "evaluator new acme/widgets issue-triage -o triage.sh", 60, NO_COLOR="1")
    assert shown.splitlines()[:2] == [
        "wrote triage.sh; in the frontmatter of",
        "    .github/workflows/issue-triage.md:",
    ]
