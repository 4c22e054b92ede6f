"""``opvalue bundle``: recorded evidence, looked at, checked, compared and redacted."""

from typing import Final

from opvalue.cli.command import LazyCommand, LazyGroup

_SECTION: Final = "Commands"

command: Final = LazyGroup(
    "bundle",
    lazy={
        "show": LazyCommand("opvalue.cli.bundle_show", "Show what a bundle is the evidence of.", _SECTION),
        "check": LazyCommand("opvalue.cli.bundle_check", "Check that a bundle is whole, and of what.", _SECTION),
        "diff": LazyCommand("opvalue.cli.bundle_diff", "Say how two bundles differ.", _SECTION),
        "redact": LazyCommand("opvalue.cli.bundle_redact", "Write a bundle without further secrets.", _SECTION),
    },
    help="Look at bundles of evidence, which regrade --record writes and --replay reads.",
    examples=("opvalue bundle show evidence.bundle", "opvalue bundle diff monday.bundle tuesday.bundle"),
)
