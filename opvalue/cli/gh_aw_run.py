"""``gh-aw graders run``: ``opvalue graders run`` under gh-aw's name: the same code, options and bytes."""

from typing import Final

from opvalue.cli.command import Command
from opvalue.cli.graders_run import command as run

command: Final = Command(
    "run",
    params=run.params,
    callback=run.callback,
    help="Grade a recorded SESSION, or that of RUN (a number or an address). The same command as opvalue graders run.",
    examples=("gh-aw graders run usage/aw_session.jsonl", "gh-aw graders run 123456 --repo acme/widgets --json"),
)
