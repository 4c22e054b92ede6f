"""Every command, walked through as the help shows it."""

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from opvalue.cli.command import Command, LazyCommand, LazyGroup, declare
from opvalue.cli.console import Console
from opvalue.cli.programs import program


def walk(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, LazyGroup):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from walk(found, (*path, name))


def commands() -> list[tuple[tuple[str, ...], click.Command]]:
    return [found for name in ("opvalue", "gh-aw") for found in walk(program(name), (name,))]


def test_every_help_has_a_purpose_and_an_example_of_its_own() -> None:
    for path, command in commands():
        text = command.get_help(click.Context(command, info_name=" ".join(path)))
        assert f"Usage: {' '.join(path)}" in text
        assert command.help, path
        _, _, examples = text.partition("\nExamples:\n")
        assert examples.strip().startswith(path[0]), path
        for option in command.params:
            assert not isinstance(option, click.Option) or option.help, (path, option.name)


def test_the_table_and_the_command_say_the_same_purpose() -> None:
    for path, command in commands():
        if isinstance(command, LazyGroup):
            for name, entry in command.lazy.items():
                assert entry.summary.endswith("."), (path, name)
                assert len(entry.summary) <= 65, (path, name)


def test_every_command_with_data_has_json_and_every_command_has_color() -> None:
    for path, command in commands():
        names = {name for option in command.params for name in option.opts}
        group = isinstance(command, LazyGroup)
        assert "--json" in names or group or path[-1] in {"completion", "demo", "help"}, path
        assert "--color" in names or group or path[-1] == "help", path


def test_an_entry_that_is_no_command_is_a_fault() -> None:
    group = LazyGroup("g", lazy={"x": LazyCommand("json", "X.", "S", "dumps")}, help="G.", examples=())
    with pytest.raises(TypeError, match=r"json\.dumps is not a command"):
        group.get_command(click.Context(group), "x")


def test_a_command_without_a_console_is_a_fault() -> None:
    @declare("x", examples=("opvalue x",))
    def command(console: Console) -> None:
        """Do nothing."""

    assert isinstance(command, Command)
    with pytest.raises(TypeError, match="no console"):
        command.make_context("x", ["--help"])


def test_completing_never_prints_or_ends(capsys: pytest.CaptureFixture[str]) -> None:
    group = program("opvalue")
    context = group.make_context("opvalue", ["--version", "--color", "always"], resilient_parsing=True)
    doctor = group.get_command(context, "doctor")
    assert doctor is not None
    doctor.make_context("doctor", ["--json", "--help"], resilient_parsing=True)
    assert capsys.readouterr() == ("", "")


def test_help_loads_no_command_and_nothing_heavy() -> None:
    code = (
        "import sys\nfrom opvalue.cli import run\nrun('opvalue', ['--help'])\n"
        "print(sorted(name for name in sys.modules if name.startswith('opvalue.')), file=sys.stderr)\n"
        "heavy = {'pydantic', 'yaml', 'tree_sitter', 'httpx', 'subprocess', 'json'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, cwd="/")
    loaded, heavy = done.stderr.splitlines()
    assert heavy == "[]"
    assert "opvalue.process" not in loaded
    assert "opvalue.cli.doctor" not in loaded
