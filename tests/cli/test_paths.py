"""No command takes an empty word for a path: it would stand for the current folder."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from opvalue.cli.paths import PATH
from tests.cli.conftest import Answer
from tests.cli.test_command import commands

Run = Callable[..., Answer]


def test_every_path_is_of_the_type_that_refuses_it() -> None:
    plain = [
        (" ".join(path), param.name)
        for path, command in commands()
        for param in command.params
        if isinstance(param.type, click.Path) and param.type is not PATH
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
