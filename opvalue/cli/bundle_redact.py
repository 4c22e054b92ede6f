"""``opvalue bundle redact``: a bundle without further secrets, which is another bundle."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.bundle_text import as_request, broken, broken_fields
from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.paths import OUTPUT, PATH
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.evidence.exchange import Request

_SHORTEST: Final = 8
_NEW: Final = (
    "The redacted bundle is a new bundle: a statement or signature that names the old digest is not of it, and an "
    "evaluator that reads what was taken out may say something else."
)


@declare(
    "redact",
    examples=(
        "opvalue bundle redact evidence.bundle -o public.bundle",
        "opvalue bundle redact evidence.bundle -o public.bundle --secret-file names.txt",
    ),
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option(
    "-o",
    "--output",
    required=True,
    type=OUTPUT,
    metavar="OUT",
    help="Where to write it. A file with other evidence is refused.",
)
@click.option(
    "--secret-file",
    "secret_files",
    multiple=True,
    type=PATH,
    metavar="F",
    help=f"A file with a secret on each line, of at least {_SHORTEST} bytes. May be repeated.",
)
@json_option
def command(console: Console, file: Path, output: Path, secret_files: tuple[Path, ...]) -> None:
    """Write the bundle FILE to OUT without the secrets that are given, and without what has the shape of one.

    What an evaluator asked for is never rewritten: a secret in a request is refused.
    """
    from opvalue.evidence.bundle import read_bundle, save  # noqa: PLC0415 - help is shown without it
    from opvalue.evidence.bundle.redacting import without_secrets  # noqa: PLC0415

    secrets = [secret for path in secret_files for secret in _secrets(path)]
    with console.progress(f"redacting {file}"):
        bundle = read_bundle(file)
        redacted = without_secrets(bundle, secrets)
        save(output, redacted.bundle)
    digests = (bundle.digest.hex, redacted.bundle.digest.hex)
    numbered = {exchange.request: number for number, exchange in enumerate(bundle.exchanges, 1)}
    changed = [(numbered[request], request) for request in redacted.changed]
    if console.json:
        console.data(
            {
                "file": str(file),
                "digest": digests[0],
                "output": str(output),
                "outputDigest": digests[1],
                "changed": [{"number": number, "id": one.id, "request": one.described()} for number, one in changed],
            }
        )
        return
    _print(console, [("read", str(file)), ("", digests[0]), ("written", str(output)), ("", digests[1])], changed)


def _print(console: Console, rows: list[tuple[str, str]], changed: list[tuple[int, "Request"]]) -> None:
    columns = console.columns
    console.lines(broken_fields(rows, columns))
    console.line()
    if not changed:
        console.lines(broken("No answer held anything to take out: the evidence is the same.", columns))
        return
    console.line("1 answer was changed:" if len(changed) == 1 else f"{len(changed)} answers were changed:")
    console.lines(broken_fields([(f"  {number}", as_request(request)) for number, request in changed], columns))
    console.line()
    console.lines(broken(_NEW, columns))


def _secrets(path: Path) -> list[bytes]:
    from opvalue.cli.keys import read_file  # noqa: PLC0415
    from opvalue.limits import Limits  # noqa: PLC0415

    most = Limits().secret_bytes
    # Of a pipe as well: what a shell's <(...) gives.
    data = read_file(path, most, what="the file of secrets", pipe=True)
    if len(data) > most:
        raise UsageError(f"{path} is too large", expected=f"at most {most} bytes")
    found = [line for line in data.splitlines() if line]
    if not found or min(map(len, found)) < _SHORTEST:
        raise UsageError(
            f"{path} holds no secret, or one that is too short",
            expected=f"lines of at least {_SHORTEST} bytes",
            hint="Shorter ones would take ordinary text out.",
        )
    return found
