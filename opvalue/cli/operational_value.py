"""``gh-aw graders operational-value``: ``opvalue regrade`` under the name that gh-aw gave it, with the same options."""

from typing import Final

from opvalue.cli.command import Command
from opvalue.cli.regrade import command as regrade

command: Final = Command(
    "operational-value",
    params=regrade.params,
    callback=regrade.callback,
    help="Regrade a run's operational value as of a given time. The same command as opvalue regrade.",
    examples=("gh-aw graders operational-value 123456 --evidence-at 2025-08-30T12:00:00Z --repo acme/widgets --json",),
)
