"""``opvalue help errors``: every error by its code, read from the classes that the rooms declare."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Final

import click

import opvalue
from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Style, Styled
from opvalue.cli.errors import UnknownCommand
from opvalue.errors import OpvalueError, every_error_class

_GROUND_FLOOR: Final = ("errors", "strictjson", "atomic", "identity")


def error_classes() -> list[type[OpvalueError]]:
    """Import every room's errors and return the classes by code."""
    for name in _GROUND_FLOOR:
        import_module(f"opvalue.{name}")
    for room in iter_modules(opvalue.__path__):
        if room.ispkg and find_spec(f"opvalue.{room.name}.errors") is not None:
            import_module(f"opvalue.{room.name}.errors")
    ours = (found for found in every_error_class() if found.__module__.startswith("opvalue."))
    return sorted(ours, key=lambda found: found.code)


@declare(
    "errors",
    examples=("opvalue help errors", "opvalue help errors trust", "opvalue help errors trust.digest-mismatch --json"),
)
@json_option
@click.argument("code", required=False)
def command(console: Console, code: str | None) -> None:
    """Explain the error CODE, or those whose code begins so, or every error: when it is raised, and what to do."""
    classes = named(code)
    if not classes:
        raise UnknownCommand(
            f"there is no error {code!r}",
            expected="a code, as it stands in brackets, or its first part",
            hint="See: opvalue help errors",
        )
    if console.json:
        console.data({"errors": [_entry(found) for found in classes]})
        return
    for found in classes:
        console.line(Styled(found.code, Style.BOLD), f"  ({found.kind.value}, exit status {found.kind.exit_status})")
        console.line("  ", first_sentence(found), hang=2)
        console.line("  ", Styled("do  ", Style.DIM), found.advice, hang=6)


def named(code: str | None) -> list[type[OpvalueError]]:
    """Return the classes of that code, or of all codes that begin with it and a full stop; all for ``None``."""
    classes = error_classes()
    if code is None:
        return classes
    return [one for one in classes if one.code == code or one.code.startswith(f"{code.rstrip('.')}.")]


def first_sentence(found: type[OpvalueError]) -> str:
    """Return what the class says of itself, up to its first full stop."""
    text = " ".join((found.__doc__ or "").split())
    return text.split(". ", 1)[0].rstrip(".") + "."


def _entry(found: type[OpvalueError]) -> dict[str, object]:
    return {
        "code": found.code,
        "kind": found.kind.value,
        "exitStatus": found.kind.exit_status,
        "raised": first_sentence(found),
        "advice": found.advice,
    }
