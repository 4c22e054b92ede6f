"""``opvalue help``: the topics that are no command's own."""

from typing import Final

import click

from opvalue.cli.command import LazyCommand, LazyGroup
from opvalue.cli.errors import UnknownCommand

_TOPICS: Final = {
    "exit-codes": LazyCommand("opvalue.cli.exit_codes", "The exit statuses and what each means.", "Topics"),
    "environment": LazyCommand("opvalue.cli.environment", "The environment variables that are read.", "Topics"),
    "errors": LazyCommand("opvalue.cli.error_index", "Every error by its code, and what to do.", "Topics"),
}


def _unknown(_ctx: click.Context, name: str) -> UnknownCommand:
    return UnknownCommand(
        f"there is no help topic {name!r}",
        expected=" | ".join(_TOPICS),
        found=name,
        hint="Use one of those. For a command's own help: opvalue COMMAND --help",
    )


command: Final = LazyGroup(
    "help",
    lazy=_TOPICS,
    unknown=_unknown,
    help="Explain what is no single command's business. For a command's own help: opvalue COMMAND --help",
    examples=("opvalue help exit-codes", "opvalue help errors --json"),
)
