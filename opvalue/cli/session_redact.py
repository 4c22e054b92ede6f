"""``opvalue session redact``: a recorded session without its secrets."""

import os
from pathlib import Path

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.named_secrets import named_secrets
from opvalue.cli.paths import OUTPUT, PATH


@declare(
    "redact",
    examples=(
        "opvalue session redact session.jsonl -o redacted.jsonl",
        "SECRET_KEY=hunter2 opvalue session redact session.jsonl -o redacted.jsonl",
    ),
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option(
    "-o",
    "--output",
    required=True,
    type=OUTPUT,
    metavar="OUT",
    help="Where to write it. A file with other content is refused.",
)
@click.option("--skip-malformed", is_flag=True, help="Leave lines out that are no events, and go on.")
@json_option
def command(console: Console, file: Path, output: Path, *, skip_malformed: bool) -> None:
    """Write the recorded session FILE without its secrets to OUT.

    Taken out are the values of SECRET_* variables and of those that GH_AW_SECRET_NAMES lists, what the session itself
    masks with ::add-mask::, and what has the shape of a secret: in values, keys and ids. Twice is the same as once.
    """
    from opvalue.atomic import write_new  # noqa: PLC0415 - help is shown without it
    from opvalue.cli.session_file import read, tell  # noqa: PLC0415
    from opvalue.session.order import canonical  # noqa: PLC0415
    from opvalue.session.redaction import redact  # noqa: PLC0415
    from opvalue.session.secrets import Secrets  # noqa: PLC0415
    from opvalue.strictjson import dumps_compact  # noqa: PLC0415

    reading = read(file, skip_malformed=skip_malformed)
    with console.progress(f"redacting {file}"):
        events = list(reading.events)
        redacted = redact(events, Secrets(named_secrets(os.environ)))
        changed = sum(1 for before, after in zip(events, redacted, strict=True) if before is not after)
        # An event that lost its time has another place.
        write_new(output, "".join(f"{dumps_compact(event)}\n" for event in canonical(redacted)).encode())
    if console.json:
        counts = {"session": str(output), "events": len(redacted), "changed": changed}
        console.data({**counts, "losses": reading.losses_document()})
        return
    console.fields([("session", str(output)), ("events", f"{len(redacted)}, {changed} of them changed")])
    tell(console, reading.losses)
