"""The type of every argument and option that is a path.

What cannot be read is refused by whoever reads it, with a code and status of its own. An empty word is refused here:
it would stand for the current folder, and is what a variable that is not set leaves of a path.
"""

from pathlib import Path
from typing import Any, Final

import click

from opvalue.errors import UsageError


class _GivenPath(click.Path):
    """A path of at least one character."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Raises ``UsageError`` for an empty one."""
        if value == "" and param is not None:
            name = param.opts[-1] if isinstance(param, click.Option) else param.human_readable_name.removesuffix("...")
            hint = "Give it." if param.required else f"Give it, or leave {name} out."
            raise UsageError(f"{name} is empty", expected="a path", hint=hint)
        return super().convert(value, param, ctx)


PATH: Final = _GivenPath(readable=False, path_type=Path)
