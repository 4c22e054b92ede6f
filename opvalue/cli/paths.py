"""The types of every argument and option that is a path.

What cannot be read is refused by whoever reads it, with a code and status of its own. An empty word is refused here:
it would stand for the current folder, and is what a variable that is not set leaves of a path. So is ``-`` where
something is written: it would be a file of that name, which is never what is meant.
"""

from pathlib import Path
from typing import Any, Final

import click

from opvalue.errors import UsageError

_STANDARD_OUTPUT: Final = "-"
_FOLDER: Final = "DIR"
"""The metavar of a folder."""


class GivenPath(click.Path):
    """A path of at least one character."""

    def __init__(self) -> None:
        super().__init__(readable=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Raises ``UsageError`` for an empty one."""
        if value == "" and param is not None:
            name = _name(param)
            hint = "Give it." if param.required else f"Give it, or leave {name} out."
            raise UsageError(f"{name} is empty", expected="a path", hint=hint)
        return super().convert(value, param, ctx)


class WrittenPath(GivenPath):
    """A path at which something is written. ``hint`` says what whoever wants it on standard output is to do."""

    def __init__(self, hint: str = "Give the name of a file to write.") -> None:
        super().__init__()
        self._hint = hint

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Raises ``UsageError`` for an empty one and for ``-``."""
        if value == _STANDARD_OUTPUT and param is not None:
            kind = "folder" if param.metavar == _FOLDER else "file"
            raise UsageError(f"{_name(param)} takes a {kind}'s name", found=value, hint=self._hint)
        return super().convert(value, param, ctx)


def _name(param: click.Parameter) -> str:
    return param.opts[-1] if isinstance(param, click.Option) else param.human_readable_name.removesuffix("...")


PATH: Final = GivenPath()
OUTPUT: Final = WrittenPath()
FOLDER: Final = WrittenPath("Give the name of a folder.")
