"""``opvalue graders``: the graders of recorded sessions (Graders Specification 3 to 6)."""

from typing import Final

from opvalue.cli.command import LazyCommand, LazyGroup

_LOOK: Final = "Look up"

command: Final = LazyGroup(
    "graders",
    lazy={
        "list": LazyCommand("opvalue.cli.graders_list", "List the built-in graders.", _LOOK),
    },
    help="Grade recorded sessions: without a model, and with the same bytes each time.",
    examples=("opvalue graders list",),
)
