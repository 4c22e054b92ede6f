"""``opvalue help environment``: every environment variable that the tool reads, and what it does."""

from typing import Final

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console

VARIABLES: Final = {
    "CLICOLOR": "0 turns colour off.",
    "CLICOLOR_FORCE": "Anything but empty, 0, no, off or false turns colour on, also where the output is no terminal.",
    "COLUMNS": "How wide help texts are, up to 100 columns, instead of the terminal's own width.",
    "GH_REPO": "The repository, [HOST/]OWNER/REPO, where neither --repo nor the run's address names one.",
    "HOME": "Where git finds the user's settings, safe.directory among them. Hidden from evaluators.",
    "NO_COLOR": "Anything but empty turns colour off. It beats CLICOLOR_FORCE; --color beats both.",
    "OPVALUE_DEBUG": "Anything but empty shows the traceback of a failure on standard error.",
    "PATH": "Where bash, jq, git and bwrap are looked for, after the system's own folders.",
    "SUDO_UID": "Who called sudo: git lets root read that user's checkouts.",
    "TERM": "dumb turns colour and progress off.",
    "TMPDIR": "Where private scratch folders are made, and removed again.",
    "XDG_CONFIG_HOME": "Where git finds the user's settings, if not in HOME.",
    "_OPVALUE_COMPLETE": "Set by the completion scripts while a shell completes a line.",
}


@declare("environment", examples=("opvalue help environment", "opvalue help environment --json"))
@json_option
def command(console: Console) -> None:
    """List the environment variables that opvalue reads. An evaluator gets an environment of its own."""
    if console.json:
        console.data({"variables": [{"name": name, "meaning": meaning} for name, meaning in VARIABLES.items()]})
        return
    console.fields(VARIABLES.items())
