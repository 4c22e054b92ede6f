"""``opvalue help``: the topics that are no command's own; and any command's help, any error, by its name alone."""

from typing import Final

import click

from opvalue.cli.command import LazyCommand, LazyGroup, color_option, declare, no_such_command, show_help
from opvalue.cli.console import Console
from opvalue.cli.errors import UnknownCommand
from opvalue.errors import UsageError

_TOPICS: Final = {
    "exit-codes": LazyCommand("opvalue.cli.exit_codes", "The exit statuses and what each means.", "Topics"),
    "environment": LazyCommand("opvalue.cli.environment", "The environment variables that are read.", "Topics"),
    "errors": LazyCommand("opvalue.cli.error_index", "Every error by its code, and what to do.", "Topics"),
}


@declare("COMMAND", examples=("opvalue help regrade", "opvalue help bundle diff"))
@click.argument("names", nargs=-1)
@click.pass_context
def _help_of_a_command(ctx: click.Context, _console: Console, names: tuple[str, ...]) -> None:
    """Show the help of the command that NAMES are."""
    shown = ctx.find_root()
    for name in names:
        group = shown.command
        if not isinstance(group, click.Group):
            raise UsageError(f"{shown.command_path} has no commands", found=name, hint=f"See: {shown.command_path} -h")
        found = group.get_command(shown, name)
        if found is None:
            raise no_such_command(shown, name, group.list_commands(shown), before="help")
        shown = found.make_context(name, [], parent=shown, resilient_parsing=True)
    show_help(shown)


def _named(ctx: click.Context, name: str) -> click.Command | None:
    root = ctx.find_root().command
    if isinstance(root, LazyGroup) and name in root.lazy:
        return _help_of_a_command
    from opvalue.cli import error_index  # noqa: PLC0415 - loads every room's errors

    return error_index.command if error_index.named(name) else None


def _unknown(ctx: click.Context, name: str) -> UnknownCommand:
    from opvalue.cli.error_index import error_classes  # noqa: PLC0415 - loads every room's errors
    from opvalue.cli.nearby import did_you_mean  # noqa: PLC0415 - only for whoever mistyped a name

    root = ctx.find_root().command
    commands = root.lazy if isinstance(root, LazyGroup) else ()
    names = (*_TOPICS, *commands, *(found.code for found in error_classes()))
    return UnknownCommand(
        f"there is no help topic {name!r}",
        expected=f"{' | '.join(_TOPICS)} | a command | an error's code",
        found=name,
        hint=did_you_mean(name, names, command="opvalue help", otherwise="See: opvalue --help, opvalue help errors"),
    )


command: Final = color_option(
    LazyGroup(
        "help",
        lazy=_TOPICS,
        unknown=_unknown,
        otherwise=_named,
        help="Explain a topic, a command (opvalue help regrade) or an error (opvalue help trust.digest-mismatch).",
        examples=("opvalue help exit-codes", "opvalue help regrade", "opvalue help errors --json"),
    )
)
