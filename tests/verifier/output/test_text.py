"""Text for people: the line, a caret under the right cell, what to do."""

import pytest

from opvalue.cli.console import Styled
from tests.verifier.output.reports import ERROR, EVERY, HOSTILE, PATH, report, script
from verifier.output.files import as_bytes
from verifier.output.text import lines
from verifier.report import Report


def _text(given: Report) -> list[str]:
    return as_bytes(given, "text").decode().split("\n")[:-1]


def test_the_whole() -> None:
    assert _text(EVERY) == [
        f"{PATH}:7:8  error  a failure of gh is taken for a number  [static-swallowed-failure]",
        '    7 |   x="$(gh api a || echo 0)"',
        "      |        ^",
        "   do   Let it fail",
        "",
        "lib/run, time.sh:2:1  warning  too: new  [static-bash32]",
        "    2 | y=${x,,}",
        "      | ^",
        "   do   Use tr",
        "",
        f"{PATH}  note  never run  [unreached-lines]",
        "   do   Add a case",
        "",
        f"ignored  {PATH}:9:3  static-current-state: compared with the history below",
        f"{PATH}: 1 error, 1 warning, 1 note  (17 rules, 2 gradings, 3 runs)",
        "other.sh: verified  (17 rules, 2 gradings, 3 runs)",
        "2 evaluators: 1 error, 1 warning, 1 note",
    ]


def _pointed_at(text: str, column: int) -> str:
    """Return what stands above the caret, in a terminal that shows wide characters in two cells."""
    finding = ERROR._replace(excerpt=text, column=column)
    rows = _text(report(script(finding)))
    cell = rows[2].index("^")
    cells = [(one, place) for one in rows[1] for place in range(2 if ord(one) > 0x3000 else 1)]
    return cells[cell][0]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("\t\tx='a'; !", "!"),
        ("# \U0001f41b\u8868 ! \U0001f41b", "!"),
        ("a\x1b[31m!", "!"),
        ("x" * 500 + "!" + "y" * 500, "!"),
        ("x" * 500 + "!", "!"),
        ("!" + "y" * 500, "!"),
        ("\u202e\x00!" + "y" * 500, "!"),
    ],
)
def test_the_caret_is_under_its_character(text: str, mark: str) -> None:
    assert _pointed_at(text, text.index(mark) + 1) == mark
    rows = _text(report(script(ERROR._replace(excerpt=text, column=text.index(mark) + 1))))
    assert len(rows[1]) <= len("  123 | ") + 96


def test_a_mark_above_a_letter_takes_no_cell() -> None:
    rows = _text(report(script(ERROR._replace(excerpt="e\u0301e\u0301!", column=5))))
    assert rows[2].index("^") == len("    7 | ") + 2


def test_long_advice_is_wrapped() -> None:
    rows = _text(report(script(ERROR._replace(advice="word " * 60))))
    assert all(len(row) <= 100 for row in rows[3:-2])
    assert rows[4].startswith("        word")


def test_nothing_of_a_script_steers_a_terminal() -> None:
    every = (HOSTILE, HOSTILE._replace(line=None))
    text = as_bytes(report(script(*every)), "text").decode()
    assert not set(text) & {"\x1b", "\r", "\u202e"}


def test_severities_have_colours() -> None:
    pieces = [piece for line in lines(EVERY) if isinstance(line, tuple) for piece in line if isinstance(piece, Styled)]
    assert {piece.style.name for piece in pieces} >= {"BAD", "WARN", "DIM", "BOLD", "GOOD"}
