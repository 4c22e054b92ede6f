"""``opvalue help errors``: every error by its code, read from the classes that the rooms declare."""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from inspect import cleandoc
from pkgutil import iter_modules
from typing import Final

import click

import opvalue
from opvalue.cli.brought import GROUP
from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Style, Styled
from opvalue.cli.errors import UnknownCommand
from opvalue.cli.exit_codes import MEANING
from opvalue.errors import OpvalueError, every_error_class

_ELSEWHERE: Final = (
    *("errors", "strictjson", "atomic", "demo.repository"),
    *("identity.instant", "identity.objects", "identity.repository", "identity.run"),
)
"""Modules that declare errors and are not named for it."""
_SOURCE: Final = re.compile(
    r"\s*\((?=[^()]*(?:Graders Specification|DESIGN \d|reference \d|\bstep \d|\b[A-Z]{2}-\d{2}\b))[^()]*\)"
)
"""Where a sentence of ours comes from, which helps nobody else."""


def error_classes() -> list[type[OpvalueError]]:
    """Import every room's errors, and those of packages that bring commands; return the classes by code."""
    declaring = set(_modules())
    for name in declaring:
        import_module(name)
    return sorted((one for one in every_error_class() if one.__module__ in declaring), key=lambda one: one.code)


def _modules() -> Iterator[str]:
    yield from (f"opvalue.{name}" for name in _ELSEWHERE)
    brought = {found.module.partition(".")[0] for found in entry_points(group=GROUP)}
    for package in (*_rooms(opvalue.__path__, "opvalue"), *brought):
        if find_spec(f"{package}.errors") is not None:
            yield f"{package}.errors"


def _rooms(folders: Iterable[str], parent: str) -> Iterator[str]:
    for found in iter_modules(folders):
        if found.ispkg:
            room = f"{parent}.{found.name}"
            yield room
            yield from _rooms([f"{folder}/{found.name}" for folder in folders], room)


@declare(
    "errors",
    examples=("opvalue help errors", "opvalue help errors trust", "opvalue help errors trust.digest-mismatch --json"),
)
@json_option
@click.argument("code", required=False)
def command(console: Console, code: str | None) -> None:
    """Explain the error CODE, or list those whose code begins with CODE and a full stop, or every one.

    One error is explained in full: what it means, what causes it, what to do. The exit status is that of its kind.
    """
    classes = named(code)
    if not classes:
        raise _unknown(code or "")
    if console.json:
        console.data({"errors": [_entry(found) for found in classes]})
    elif code == classes[0].code:
        _explain(console, classes[0])
    else:
        _list(console, classes)


def named(code: str | None) -> list[type[OpvalueError]]:
    """Return the class of that code, or those of all codes that begin with it and a full stop; all for ``None``."""
    classes = error_classes()
    if code is None:
        return classes
    exact = [one for one in classes if one.code == code]
    return exact or [one for one in classes if one.code.startswith(f"{code.rstrip('.')}.")]


def first_sentence(found: type[OpvalueError]) -> str:
    """Return what the class says of itself, up to its first full stop, without its source."""
    text = _SOURCE.sub("", " ".join((found.__doc__ or "").split()))
    return text.split(". ", 1)[0].rstrip(".") + "."


def causes(found: type[OpvalueError]) -> list[str]:
    """Return all that the class says of itself, a paragraph each."""
    text = _SOURCE.sub("", cleandoc(found.__doc__ or "").replace("``", "`"))
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def _explain(console: Console, found: type[OpvalueError]) -> None:
    _heading(console, found)
    first, *rest = causes(found)
    console.fields(
        [
            ("meaning", MEANING[found.kind]),
            ("cause", first),
            *(("", paragraph) for paragraph in rest),
            ("do", found.advice),
        ],
        indent=2,
    )


def _list(console: Console, classes: list[type[OpvalueError]]) -> None:
    for found in classes:
        _heading(console, found)
        console.line("  ", first_sentence(found), hang=2)
        console.line("  ", Styled("do  ", Style.DIM), found.advice, hang=6)


def _heading(console: Console, found: type[OpvalueError]) -> None:
    console.line(
        Styled(found.code, Style.BOLD), f"  ({found.kind.value}, exit status {found.kind.exit_status})", hang=2
    )


def _unknown(code: str) -> UnknownCommand:
    from opvalue.cli.nearby import did_you_mean  # noqa: PLC0415 - only for whoever mistyped a code

    codes = [found.code for found in error_classes()]
    codes += sorted({code.partition(".")[0] for code in codes if "." in code})
    return UnknownCommand(
        f"there is no error {code!r}",
        expected="a code, as it stands in brackets, or its first part",
        found=code,
        hint=did_you_mean(code, codes, command="opvalue help errors", otherwise="See: opvalue help errors"),
    )


def _entry(found: type[OpvalueError]) -> dict[str, object]:
    return {
        "code": found.code,
        "kind": found.kind.value,
        "exitStatus": found.kind.exit_status,
        "raised": first_sentence(found),
        "advice": found.advice,
    }
