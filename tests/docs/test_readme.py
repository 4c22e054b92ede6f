"""What the README and its neighbours tell people to type is there to be typed."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from opvalue.cli import run
from opvalue.cli.programs import program
from opvalue.demo import prepare
from opvalue.errors import UsageError
from opvalue.evaluator import Runner

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "skills/aw-value/SKILL.md",
    *(f"docs/{name}.md" for name in ("security", "attestation", "evidence", "bundle", "verify")),
)
_PROGRAMS: Final = ("opvalue", "gh-aw")
_OPTION: Final = re.compile(r"--?[a-z][a-z-]*")


def typed(text: str) -> Iterator[list[str]]:
    """Yield the command lines of the shell blocks and of inline code, as words; a comment ends one."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    without = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for line in [*(line for block in blocks for line in block.splitlines()), *re.findall(r"`([^`\n]+)`", without)]:
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue
        if words:
            yield words


def faults(words: list[str]) -> list[str]:
    """Return the words of a command line of ours that no command knows."""
    context = click.Context(program(words[0]), info_name=words[0])
    wrong = []
    for word in words[1:]:
        command = context.command
        if _OPTION.fullmatch(word):
            wrong += [] if word in options(context) else [word]
        elif isinstance(command, click.Group):
            commands = [named(context, command, name) for name in word.split("|")]
            wrong += [name for name, one in zip(word.split("|"), commands, strict=True) if one is None]
            found = commands[0]
            context = context if found is None else click.Context(found, info_name=word, parent=context)
    return wrong


def named(context: click.Context, group: click.Group, name: str) -> click.Command | None:
    """Return the command of that name, or the one that reads it; none if the group refuses it."""
    try:
        return group.resolve_command(context, [name])[1]
    except UsageError:
        return None


def options(context: click.Context) -> set[str]:
    """Return the spellings of a command's options, and of those of the program itself."""
    spelled: set[str] = set()
    for parameter in context.command.get_params(context):
        spelled.update(parameter.opts)
    return spelled


def every_option() -> set[str]:
    """Return all options of all commands of ``opvalue``."""
    group = program("opvalue")
    context = click.Context(group, info_name="opvalue")
    commands = [command for name in group.list_commands(context) if (command := group.get_command(context, name))]
    return options(context).union(*(options(click.Context(command, parent=context)) for command in commands))


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_their_options_exist(page: str) -> None:
    lines = [words for words in typed((ROOT / page).read_text("utf-8")) if words[0] in _PROGRAMS]
    assert [" ".join(words) for words in lines if faults(words)] == []


@pytest.mark.parametrize("page", ["README.md", "docs/security.md"])
def test_options_that_stand_alone_exist(page: str) -> None:
    alone = [words[0] for words in typed((ROOT / page).read_text("utf-8")) if words[0].startswith("--")]
    assert [option for option in alone if option not in every_option()] == []


@pytest.mark.parametrize("page", PAGES)
def test_targets_of_make_exist(page: str) -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE)
    asked = [words[1] for words in typed((ROOT / page).read_text("utf-8")) if words[0] == "make" and len(words) > 1]
    assert [target for target in asked if target not in targets] == []


def test_the_readme_tells_of_the_commands() -> None:
    lines = [words for words in typed((ROOT / "README.md").read_text("utf-8")) if words[0] in _PROGRAMS]
    assert {"regrade", "doctor", "help"} <= {words[1] for words in lines if words[0] == "opvalue" and len(words) > 1}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("opvalue regrade 1 --evidence-at now --artifact x", []),
        ("opvalue regrade 1 --gone", ["--gone"]),
        ("opvalue gone --json", ["gone", "--json"]),
        ("opvalue help exit-codes|gone", ["gone"]),
        ("opvalue help regrade", []),
        ("opvalue help trust", []),
        ("opvalue rule missing-is-not-zero", []),
        ("opvalue --version", []),
        ("gh-aw graders operational-value RUN --evidence-at TIME", []),
        ("gh-aw graders compile", ["compile"]),
    ],
)
def test_what_is_wrong_is_seen(line: str, wrong: list[str]) -> None:
    assert faults(line.split()) == wrong


def test_what_is_typed() -> None:
    text = "Say `opvalue x` or `it's`.\n```sh\nopvalue y  # why\n\n```\n```text\nopvalue z\n```\n"
    assert list(typed(text)) == [["opvalue", "y"], ["opvalue", "x"]]


def sample(first: str) -> list[str]:
    """Return the lines of the README's block of output that begins with ``first``."""
    blocks = re.findall(r"^```text\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    (found,) = (block for block in blocks if block.startswith(first))
    return str(found).splitlines()


def test_the_demos_values_are_as_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("opvalue", ["demo"]) == 0
    shown = sample("What was it worth?")
    assert "\n".join(shown) in capfd.readouterr().out


def test_the_summary_of_a_regrade_is_as_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    demo = prepare(tmp_path, Runner())
    files = ["--artifact", str(demo.artifact), "--checkout", str(demo.checkout), "--replay", str(demo.bundle)]
    assert run("opvalue", ["regrade", "123456", "--evidence-at", "maturity", *files]) == 0
    printed = [line.replace("replayed", "gathered now") for line in capfd.readouterr().out.splitlines()]
    shown = sample("Operational Value:")
    until = shown.index(next(line for line in shown if line.startswith("verified")))
    # The sandbox is this machine's affair, and what was verified is that of a run that was looked up.
    machine = re.compile(r"(sandbox +)\S.*")
    assert [machine.sub(r"\1", line) for line in shown[:until]] == [
        machine.sub(r"\1", line) for line in printed[:until]
    ]
    assert shown[-1].startswith("not verified ")
    assert printed[-1].endswith(shown[-1].removeprefix("not verified"))


def test_the_library_example_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = prepare(tmp_path, Runner())
    found = re.search(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    places = {"agent.zip": demo.artifact, "~/src/widgets": demo.checkout, "evidence.bundle": demo.bundle}
    code = found[1]
    for written, real in places.items():
        assert f'"{written}"' in code
        code = code.replace(f'"{written}"', repr(str(real)))
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 - our own page, which is what is tested
    value, _, document = capsys.readouterr().out.partition(" ")
    assert value == "1"
    assert json.loads(document)["results"][0]["value"] == 1
