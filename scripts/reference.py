"""Write docs/reference.md from the program itself: every command's help, exit codes, variables and errors.

Run through ``make docs``. A test compares the file with what this would write.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from opvalue.cli.command import LazyGroup
from opvalue.cli.environment import VARIABLES
from opvalue.cli.error_index import error_classes, first_sentence
from opvalue.cli.exit_codes import statuses
from opvalue.cli.programs import program

TARGET = Path(__file__).parent.parent / "docs" / "reference.md"
_WIDTH = 100


def reference() -> str:
    """Return the whole text."""
    return "\n".join([*_commands(), *_exit_codes(), *_environment(), *_errors()]) + "\n"


def _commands() -> Iterator[str]:
    yield "# Reference\n"
    yield "Written by `make docs` from the program itself; change the program, not this page.\n"
    yield "## Commands\n"
    for name in ("opvalue", "gh-aw"):
        yield from _command(program(name), (name,), None)


def _command(command: click.Command, path: tuple[str, ...], parent: click.Context | None) -> Iterator[str]:
    context = command.context_class(command, info_name=path[-1], parent=parent, terminal_width=_WIDTH)
    yield f"### {' '.join(path)}\n"
    yield f"```text\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, LazyGroup):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None:
                yield from _command(found, (*path, name), context)


def _exit_codes() -> Iterator[str]:
    yield "## Exit codes\n"
    yield "| status | name | meaning |\n|---|---|---|"
    for status, name, meaning in statuses():
        yield f"| {status} | {name} | {meaning} |"


def _environment() -> Iterator[str]:
    yield "\n## Environment variables\n"
    yield "| variable | meaning |\n|---|---|"
    for name, meaning in VARIABLES.items():
        yield f"| `{name}` | {meaning} |"


def _errors() -> Iterator[str]:
    yield "\n## Errors\n"
    yield "| code | exit status | raised when | what to do |\n|---|---|---|---|"
    for found in error_classes():
        yield " | ".join(
            (f"| `{found.code}`", str(found.kind.exit_status), _cell(first_sentence(found)), f"{_cell(found.advice)} |")
        )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("``", "`")


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
