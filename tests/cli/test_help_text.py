"""Every help text fits the terminal, and what it shows can be copied."""

import re
import shlex

import click
import pytest

from opvalue.cli.help_text import NARROWEST, Formatter, example
from tests.cli.test_command import commands

LONG = "opvalue regrade 1 --evidence-at 2025-08-30T12:00:00Z --output observation.json | jq '.a  b' > file"


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 200])
def test_no_line_of_a_help_is_wider_than_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    room = min(columns, 100)
    for path, command in commands():
        context = command.context_class(command, info_name=" ".join(path), max_content_width=100)
        for line in command.get_help(context).splitlines():
            words = line.strip().removesuffix(" \\").split()
            assert len(line.rstrip()) <= room or len(words) == 1 or line.startswith("  -"), (path, line)


@pytest.mark.parametrize(("columns", "width"), [(1, 38), (40, 38), (60, 58), (80, 78), (100, 98), (300, 98)])
def test_how_wide_a_help_is(columns: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert Formatter().width == width
    assert Formatter(width=90).width == 90


def test_names_give_way_where_there_is_little_room() -> None:
    formatter = Formatter(width=NARROWEST)
    formatter.write_dl([("--evidence-at TIME", "A time with a zone."), ("-h", "Help.")])
    assert formatter.getvalue().splitlines() == [
        "--evidence-at TIME",
        "                  A time with a zone.",
        "-h                Help.",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("N.  [x>=1]", "N.  [1 or more]"),
        ("N.  [0<=x<=365]", "N.  [0 to 365]"),
        ("N.  [x<=9]", "N.  [9 or less]"),
        ("N.  [required]", "N.  [required]"),
        ("N.  [x>=1; required]", "N.  [x>=1; required]"),
    ],
)
def test_which_numbers_an_option_takes_is_said_in_words(text: str, shown: str) -> None:
    formatter = Formatter(width=80)
    formatter.write_dl([("--n N", text)])
    assert formatter.getvalue() == f"--n N  {shown}\n"


@pytest.mark.parametrize(
    ("width", "rows"),
    [
        (120, [f"  {LONG}"]),
        (
            78,
            [
                "  opvalue regrade 1 --evidence-at 2025-08-30T12:00:00Z \\",
                "      --output observation.json | jq '.a  b' > file",
            ],
        ),
        (
            38,
            [
                "  opvalue regrade 1 --evidence-at \\",
                "      2025-08-30T12:00:00Z \\",
                "      --output observation.json | jq \\",
                "      '.a  b' > file",
            ],
        ),
    ],
)
def test_a_long_example_goes_on_after_a_backslash(width: int, rows: list[str]) -> None:
    assert list(example(LONG, width)) == rows


def test_a_shell_takes_a_parted_example_for_one() -> None:
    for _, command in commands():
        for line in getattr(command, "examples", ()):
            for width in (38, 58, 78):
                assert shlex.split("\n".join(example(line, width)).replace("\\\n", "")) == shlex.split(line)


def test_no_help_says_what_only_we_understand() -> None:
    inward = re.compile(r"\bDESIGN\b|\b[A-Z]{2}-\d{1,2}\b|\breference \d|INTEGER|\bTEXT\b")
    for path, command in commands():
        text = command.get_help(click.Context(command, info_name=" ".join(path)))
        assert inward.findall(text) == [], path
