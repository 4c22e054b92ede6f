"""``opvalue session``: recorded sessions, looked at, checked, redacted and made from a run's logs."""

from typing import Final

from opvalue.cli.command import LazyCommand, LazyGroup

_LOOK: Final = "Look at one"
_MAKE: Final = "Make one"

command: Final = LazyGroup(
    "session",
    lazy={
        "show": LazyCommand("opvalue.cli.session_show", "Show a session's events as a table.", _LOOK),
        "stats": LazyCommand("opvalue.cli.session_stats", "Count a session's events.", _LOOK),
        "validate": LazyCommand("opvalue.cli.session_validate", "List everything that is wrong with one.", _LOOK),
        "collect": LazyCommand("opvalue.cli.session_collect", "Make a session from a run's raw logs.", _MAKE),
        "redact": LazyCommand("opvalue.cli.session_redact", "Write a session without its secrets.", _MAKE),
    },
    help="Look at recorded sessions, and make them. A session is what every grader reads.",
    examples=("opvalue session collect run-123/", "opvalue session show run-123/usage/aw_session.jsonl"),
)
