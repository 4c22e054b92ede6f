"""One run of a program: arguments in, exit status out. The only place where a failure becomes text and a status.

1. Standard streams are made sound.
2. The command runs; click's own exceptions become ours.
3. What is still buffered is written out, so that a full disk is noticed here and not after the last statement.
4. The failure, if any, is reported once, and its kind gives the status.
"""

import os
import re
from typing import Final

import click

from opvalue.cli.console import Console, abandon_output, flush_output, open_standard_streams
from opvalue.cli.errors import OutputClosed, ReaderGone
from opvalue.cli.programs import program as build
from opvalue.errors import Interrupted, OpvalueError, UsageError, machine_fault

_SUMMARY_CHARACTERS: Final = 300
_NOT_A_NUMBER: Final = re.compile(r"(invalid value for .*): (.*) is not (?:a valid integer range|in the range .*)")
"""How click refuses what is no number of an option's range."""


def run_program(program: str, argv: list[str]) -> int:
    """Run ``program`` with ``argv``; print what there is to print; return the exit status."""
    console = Console(os.environ, json=_wants_json(argv))
    try:
        open_standard_streams()
        status = _invoke(program, argv, console)
        flush_output()
    except BaseException as error:
        return _report(error, program, console)
    return status


def _invoke(program: str, argv: list[str], console: Console) -> int:
    group = build(program)
    instruction = os.environ.get("_OPVALUE_COMPLETE")
    if instruction and program == "opvalue":
        from click.shell_completion import shell_complete  # noqa: PLC0415 - only while a shell completes

        return shell_complete(group, {}, program, "_OPVALUE_COMPLETE", instruction)
    try:
        with group.make_context(program, list(argv), obj=console) as context:
            status = group.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        raise _usage(error, program) from None
    return status if isinstance(status, int) else 0


def _usage(error: click.ClickException, program: str) -> UsageError:
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context is not None else program
    usage = " ".join(context.get_usage().split()).removeprefix("Usage: ") if context is not None else None
    see = f"See: {path} --help"
    if isinstance(error, click.NoSuchOption):
        meant = " or ".join(sorted(error.possibilities or ()))
        hint = f"Did you mean {meant}? {see}" if meant else see
        return UsageError(f"{path} has no option {error.option_name}", expected=usage, hint=hint)
    message = " ".join(error.format_message().split()).rstrip(".")
    message = message[:1].lower() + message[1:]
    option = error.param if isinstance(error, click.BadParameter) else None
    number = _NOT_A_NUMBER.fullmatch(message)
    if number and option is not None and isinstance(option.type, click.IntRange):
        return UsageError(number[1], expected=_numbers(option.type), found=number[2], hint=see)
    return UsageError(message, expected=usage, hint=see)


def _numbers(numbers: click.IntRange) -> str:
    """Return in words which numbers an option takes."""
    said = [f"{word} {bound}" for word, bound in (("from", numbers.min), ("to", numbers.max)) if bound is not None]
    return " ".join(["a whole number", *said])


def _report(error: BaseException, program: str, console: Console) -> int:
    if isinstance(error, ReaderGone | OutputClosed):
        abandon_output()
    if isinstance(error, ReaderGone):
        return error.exit_status
    failure = _as_ours(error)
    if os.environ.get("OPVALUE_DEBUG"):
        import traceback  # noqa: PLC0415 - for those who ask

        console.debug("".join(traceback.format_exception(error)))
    try:
        console.fail(failure, program=program)
        flush_output()
    except ReaderGone:
        abandon_output()
    except OutputClosed as closed:
        abandon_output()
        console.json = False
        console.fail(failure, program=program)
        console.fail(closed, program=program)
    return failure.kind.exit_status


def _as_ours(error: BaseException) -> OpvalueError:
    if isinstance(error, OpvalueError):
        return error
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return Interrupted("interrupted")
    fault = machine_fault(error)
    if fault is not None:
        return fault
    summary = " ".join(str(error).split())[:_SUMMARY_CHARACTERS]
    return OpvalueError(
        f"unexpected {type(error).__name__}: {summary}",
        hint="Run it again with OPVALUE_DEBUG=1 to see the traceback, and report that with the command that was run.",
    )


def _wants_json(argv: list[str]) -> bool:
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options
