"""``opvalue completion``: the script that makes a shell complete commands and options; click's own."""

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from opvalue.cli.command import declare
from opvalue.cli.console import Console
from opvalue.cli.programs import program

COMPLETE_VARIABLE = "_OPVALUE_COMPLETE"
_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@declare(
    "completion",
    examples=(
        "opvalue completion bash > ~/.local/share/bash-completion/completions/opvalue",
        'opvalue completion zsh > "${fpath[1]}/_opvalue"',
        "opvalue completion fish > ~/.config/fish/completions/opvalue.fish",
    ),
)
@click.argument("shell", metavar="SHELL", type=click.Choice(tuple(_SHELLS)))
def command(console: Console, shell: str) -> None:
    """Print the script that makes SHELL (bash 4.4 or later, zsh, fish) complete opvalue's commands and options."""
    complete = _SHELLS[shell](program("opvalue"), {}, "opvalue", COMPLETE_VARIABLE)
    # Not complete.source(): for bash it starts the bash that PATH names, only to look at its version.
    script = complete.source_template % complete.source_vars()
    console.raw(script.encode())
