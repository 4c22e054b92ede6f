"""No command takes an empty word for a path: it would stand for the current folder."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from opvalue.cli.paths import GivenPath, WrittenPath
from tests.cli.conftest import Answer
from tests.cli.test_command import commands

Run = Callable[..., Answer]


def test_every_path_is_of_the_type_that_refuses_it() -> None:
    plain = [
        (" ".join(path), param.name)
        for path, command in commands()
        for param in command.params
        if isinstance(param.type, click.Path) and not isinstance(param.type, GivenPath)
    ]
    assert plain == []


@pytest.mark.parametrize(
    ("argv", "name", "hint"),
    [
        (("session", "show", ""), "FILE", "Give it."),
        (("session", "collect", ""), "DIR", "Give it."),
        (("session", "collect", ".", "-o", ""), "--output", "Give it, or leave --output out."),
        (("session", "redact", "x", "-o", ""), "--output", "Give it."),
        (("graders", "conclude", ""), "DIR|SESSION", "Give it."),
        (("graders", "conclude", ".", "--manifest", ""), "--manifest", "Give it, or leave --manifest out."),
        (("graders", "compile", ""), "WORKFLOW.md", "Give it."),
        (("graders", "explain", "", "loops"), "SESSION", "Give it."),
        (("verify", ""), "SCRIPT", "Give it."),
        (("graders", "run", "x", "--config", ""), "--config", "Give it, or leave --config out."),
    ],
)
def test_an_empty_word(
    opvalue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...], name: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = opvalue(*argv, "--json")
    assert (answer.status, answer.error["code"]) == (2, "usage")
    assert (answer.error["message"], answer.error["hint"]) == (f"{name} is empty", hint)
    assert [*tmp_path.iterdir()] == []


def test_every_output_is_of_the_type_that_refuses_standard_output() -> None:
    plain = [
        (" ".join(path), param.name)
        for path, command in commands()
        for param in command.params
        if param.name in {"output", "record", "keep"} and not isinstance(param.type, WrittenPath)
    ]
    assert plain == []


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        ("session collect . -o -", "--output takes a file's name", "Give the name of a file to write."),
        ("session redact x -o -", "--output takes a file's name", "Give the name of a file to write."),
        ("bundle redact x -o -", "--output takes a file's name", "Give the name of a file to write."),
        ("attestation keygen -o -", "--output takes a file's name", "Give the name of a file to write."),
        ("attestation sign x --key y -o -", "--output takes a file's name", "For standard output, leave --output out."),
        (
            "evaluator new acme/widgets x -o -",
            "--output takes a file's name",
            "For standard output, leave --output out.",
        ),
        ("graders compile x.md -o -", "--output takes a folder's name", "Give the name of a folder."),
        ("regrade 1 --evidence-at now --record -", "--record takes a file's name", "For standard output, use --json."),
    ],
)
def test_nothing_is_written_to_a_file_named_as_standard_output(
    opvalue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: str, message: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = opvalue(*argv.split(), "--json")
    assert (answer.status, answer.error["code"]) == (2, "usage")
    assert (answer.error["message"], answer.error["found"], answer.error["hint"]) == (message, "-", hint)
    assert [*tmp_path.iterdir()] == []


def test_a_file_of_that_name_can_be_written_where_it_is_meant(
    opvalue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert opvalue("evaluator", "new", "acme/widgets", "x", "-o", "./-").status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["-"]
