"""``opvalue help environment``: every environment variable that the tool reads, and what it does."""

from typing import Final

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console

VARIABLES: Final = {
    "CLICOLOR": "0 turns colour off.",
    "CLICOLOR_FORCE": "Anything but empty, 0, no, off or false turns colour on, also where the output is no terminal.",
    "NO_COLOR": "Anything but empty turns colour off. It beats CLICOLOR_FORCE; --color beats both.",
    "OPVALUE_DEBUG": "Anything but empty shows the traceback of a failure on standard error.",
    "PATH": "Where bash, jq, git and bwrap are looked for.",
    "TERM": "dumb turns colour and progress off.",
    "TMPDIR": "Where private scratch folders are made, and removed again.",
    "_OPVALUE_COMPLETE": "Set by the completion scripts while a shell completes a line.",
}


@declare("environment", examples=("opvalue help environment", "opvalue help environment --json"))
@json_option
def command(console: Console) -> None:
    """List the environment variables that opvalue reads. An evaluator sees none of them but PATH."""
    if console.json:
        console.data({"variables": [{"name": name, "meaning": meaning} for name, meaning in VARIABLES.items()]})
        return
    console.fields(VARIABLES.items())
