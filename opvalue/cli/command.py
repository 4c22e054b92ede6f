"""Commands and groups of commands: help with examples, sections, and modules loaded only when their command runs.

A command's file defines ``command`` with the decorator ``declare``; it takes the ``Console`` as its first argument
and returns nothing, or an exit status. Failures are raised, never printed here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

import click

from opvalue.cli.console import COLOR_CHOICES, Console, Style, Styled
from opvalue.cli.errors import UnknownCommand
from opvalue.cli.help_text import WIDEST, HelpContext, example

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any] | click.Command)


class LazyCommand(NamedTuple):
    """Where a command is defined, and what the group's help says of it without loading it."""

    module: str
    """Its module; empty for a command that another package brings by the entry point ``opvalue.commands``."""
    summary: str
    section: str
    attribute: str = "command"


class _Helpful(click.Command):
    """A command whose ``--help`` goes through the console and ends with examples."""

    context_class = HelpContext

    def __init__(self, name: str, *, examples: Sequence[str], **kwargs: Any) -> None:
        super().__init__(name, context_settings={"max_content_width": WIDEST}, **kwargs)
        self.examples = tuple(examples)
        self._help = _help_option()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; whatever is wrong with it is wrong with this command's."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def get_help_option(self, ctx: click.Context) -> click.Option:  # noqa: ARG002 - click's signature
        """Return the one ``--help`` option of this command."""
        return self._help

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples; a long one goes on after a backslash, for they are there to be copied."""
        super().format_epilog(ctx, formatter)
        if self.examples:
            formatter.write_paragraph()
            formatter.write("Examples:\n")
            rows = (row for one in self.examples for row in example(one, formatter.width))
            formatter.write("".join(f"{row}\n" for row in rows))


class Command(_Helpful):
    """A command that does something. Ctrl-C and an order to end reach it as ``KeyboardInterrupt``, so it cleans up."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command's function."""
        from opvalue.process.interrupts import interruptible  # noqa: PLC0415 - help is shown without it

        with interruptible():
            return super().invoke(ctx)


class LazyGroup(_Helpful, click.Group):
    """A group that knows its commands by name and loads each one's module when it is run."""

    def __init__(
        self,
        name: str,
        *,
        lazy: Mapping[str, LazyCommand],
        unknown: Callable[[click.Context, str], Exception] | None = None,
        otherwise: Callable[[click.Context, str], click.Command | None] | None = None,
        **kwargs: Any,
    ) -> None:
        """``otherwise`` may give the command for a word that is none's name; the word is that command's to read."""
        super().__init__(name, invoke_without_command=True, callback=_help_if_alone, **kwargs)
        self.lazy = lazy
        self._unknown = unknown or self._no_such_command
        self._otherwise = otherwise

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the help."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Return the command of that name, loading its module."""
        entry = self.lazy.get(cmd_name)
        if entry is None:
            return None
        found = getattr(import_module(entry.module), entry.attribute) if entry.module else _brought(cmd_name)
        if not isinstance(found, click.Command):
            raise TypeError(f"{entry.module}.{entry.attribute} is not a command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that ``args`` name. Raises ``UnknownCommand`` with those that exist."""
        name = args[0]
        if name not in self.lazy and not ctx.resilient_parsing and not name.startswith("-"):
            found = self._otherwise(ctx, name) if self._otherwise is not None else None
            if found is None:
                raise self._unknown(ctx, name)
            return found.name, found, args
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the commands under their sections, from the table alone."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, entry in self.lazy.items():
            sections.setdefault(entry.section, []).append((name, entry.summary))
        widest = max(map(len, self.lazy))
        for section, rows in sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(widest), summary) for name, summary in rows])

    def _no_such_command(self, ctx: click.Context, name: str) -> Exception:
        return no_such_command(ctx, name, self.lazy)


def no_such_command(ctx: click.Context, name: str, known: Iterable[str], *, before: str = "") -> UnknownCommand:
    """Return the refusal of a command that the group of ``ctx`` does not have, with the one that may be meant.

    ``before`` is what a person types before the path of the command, such as ``help``.
    """
    from opvalue.cli.nearby import did_you_mean  # noqa: PLC0415 - only for whoever mistyped a name

    names = list(known)
    program, *path = ctx.command_path.split()
    typed = " ".join(word for word in (program, before, *path) if word)
    return UnknownCommand(
        f"{ctx.command_path} has no command {name!r}",
        expected=" | ".join(names),
        found=name,
        hint=did_you_mean(name, names, command=typed, otherwise=f"See: {ctx.command_path} --help"),
    )


def _brought(name: str) -> object:
    from opvalue.cli.brought import brought  # noqa: PLC0415 - most commands are our own

    return brought(name)


def declare(name: str, *, examples: Sequence[str]) -> Callable[[Callable[..., Any]], Command]:
    """Return the decorator that makes a function a command: it gets ``--color``, and the console as first argument."""

    def decorate(function: Callable[..., Any]) -> Command:
        return click.command(name, cls=Command, examples=examples)(color_option(click.pass_obj(function)))

    return decorate


def color_option(function: _Decorated) -> _Decorated:
    """Add ``--color``."""
    return click.option(
        "--color",
        type=click.Choice(COLOR_CHOICES),
        default=None,
        expose_value=False,
        is_eager=True,
        callback=_choose_color,
        help="Colour the text: auto (on a terminal), always or never.",
    )(function)


def json_option(function: _Decorated) -> _Decorated:
    """Add ``--json``; the console carries the answer."""
    return click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_choose_json,
        help="Print one JSON document on standard output, also for a failure.",
    )(function)


def version_option(program: str, version: str) -> click.Option:
    """Return the ``--version`` option of ``program``."""

    def show(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
        if given and not ctx.resilient_parsing:
            _console(ctx).line(f"{program} {version}")
            ctx.exit()

    return click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=show, help="Show the version and exit."
    )


def show_help(ctx: click.Context) -> None:
    """Print the help of the command of ``ctx``, headings in bold."""
    for line in ctx.get_help().split("\n"):
        heading = line.endswith(":") and not line.startswith(" ")
        _console(ctx).line(Styled(line, Style.BOLD) if heading else line.rstrip())


@click.pass_context
def _help_if_alone(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        show_help(ctx)


def _help_option() -> click.Option:
    def show(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
        if given and not ctx.resilient_parsing:
            show_help(ctx)
            ctx.exit()

    return click.Option(
        ["-h", "--help"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=show,
        help="Show this message and exit.",
    )


def _choose_color(ctx: click.Context, _option: click.Parameter, choice: str | None) -> None:
    if choice is not None and not ctx.resilient_parsing:
        _console(ctx).choose_color(choice)


def _choose_json(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
    if given and not ctx.resilient_parsing:
        _console(ctx).json = True


def _console(ctx: click.Context) -> Console:
    console = ctx.find_object(Console)
    if console is None:
        raise TypeError("the context holds no console")
    return console
