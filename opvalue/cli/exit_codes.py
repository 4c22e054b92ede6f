"""``opvalue help exit-codes``: those of the kinds of failure, and the ones that are no failure of ours."""

from typing import Final

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.errors import ReaderGone
from opvalue.errors import Kind

MEANING: Final = {
    Kind.INTERNAL: "A fault of this tool. OPVALUE_DEBUG=1 shows the traceback.",
    Kind.USAGE: "The command line does not make sense, or this machine is not set up: see opvalue doctor.",
    Kind.NOTHING: "There is nothing to grade: the run has no operational-value grader, or one of another kind.",
    Kind.CREDENTIALS: "Credentials are missing or were refused.",
    Kind.REFUSED: "Verification refused: what the archive says does not hold. Nothing was graded.",
    Kind.ARTIFACT: "The artifact is missing, expired or unreadable.",
    Kind.EVALUATOR: "An evaluator or a grader failed: it ended with an error, ran too long, or gave no valid result.",
    Kind.NOT_MATURE: "The run is not mature yet, and --require-mature was given.",
    Kind.NOT_OBSERVED: "The evidence could not be observed. This is not a score.",
    Kind.INTERRUPTED: "Interrupted by Ctrl-C, or told to end.",
}

_FINDINGS: Final = "There is something to look at: verify or session validate found faults, or two bundles differ."


def statuses() -> list[tuple[int, str, str]]:
    """Return status, name and meaning of each, in order of the status."""
    rows = [(kind.exit_status, kind.value, MEANING[kind]) for kind in Kind]
    rows.append((0, "done", "Done. A value of null and a missed threshold are answers, so they end here too."))
    rows.append((10, "findings", _FINDINGS))
    rows.append((ReaderGone.exit_status, "reader-gone", "The program reading the output, such as head, ended first."))
    return sorted(rows)


@declare("exit-codes", examples=("opvalue help exit-codes", "opvalue help exit-codes --json"))
@json_option
def command(console: Console) -> None:
    """List the exit statuses and what each means."""
    if console.json:
        rows = [{"status": status, "kind": kind, "meaning": meaning} for status, kind, meaning in statuses()]
        console.data({"exitCodes": rows})
        return
    console.fields((f"{status:>3}  {kind}", meaning) for status, kind, meaning in statuses())
