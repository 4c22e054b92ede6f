"""``opvalue evaluator``: what an author of an evaluator begins with."""

from typing import Final

from opvalue.cli.command import LazyCommand, LazyGroup

_SECTION: Final = "Commands"

command: Final = LazyGroup(
    "evaluator",
    lazy={
        "new": LazyCommand("opvalue.cli.evaluator_new", "Begin an evaluator of a workflow.", _SECTION),
        "history": LazyCommand("opvalue.cli.evaluator_history", "Say how a workflow came to be.", _SECTION),
    },
    help="Begin an evaluator: where its workflow comes from, and a skeleton to fill in.",
    examples=(
        "opvalue evaluator history acme/widgets issue-triage",
        "opvalue evaluator new acme/widgets issue-triage --checkout . -o evaluator.sh",
    ),
)
