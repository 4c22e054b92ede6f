"""``opvalue graders``: the graders of recorded sessions (Graders Specification 3 to 6)."""

from typing import Final

from opvalue.cli.command import LazyCommand, LazyGroup

_GRADE: Final = "Grade"
_AUTHOR: Final = "Write workflows"
_LOOK: Final = "Look up"

command: Final = LazyGroup(
    "graders",
    lazy={
        "run": LazyCommand("opvalue.cli.graders_run", "Grade a recorded session, or a run's.", _GRADE),
        "conclude": LazyCommand("opvalue.cli.graders_conclude", "Grade a run's session at its end.", _GRADE),
        "compile": LazyCommand("opvalue.cli.graders_compile", "Check a workflow's graders, make manifests.", _AUTHOR),
        "explain": LazyCommand("opvalue.cli.graders_explain", "Show the events behind a grader's number.", _LOOK),
        "list": LazyCommand("opvalue.cli.graders_list", "List the built-in graders.", _LOOK),
    },
    help="Grade recorded sessions: without a model, and with the same bytes each time.",
    examples=(
        "opvalue graders run usage/aw_session.jsonl",
        "opvalue graders run 123456 -R acme/widgets --json",
        "opvalue graders explain usage/aw_session.jsonl loops",
    ),
)
