"""``opvalue graders conclude``: grade a run's session at its end, and write what was found (Specification 5)."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.named_secrets import named_secrets
from opvalue.cli.paths import PATH
from opvalue.records import Status

if TYPE_CHECKING:
    from opvalue.conclusion.conclude import Concluded
    from opvalue.graders.configuration import Configuration


@declare(
    "conclude",
    examples=(
        "opvalue graders conclude run-123/ --manifest build/graders/grader_manifest.json",
        "opvalue graders conclude usage/aw_session.jsonl --fail-on-error",
    ),
)
@click.argument("path", metavar="DIR|SESSION", type=PATH)
@click.option(
    "--manifest",
    type=PATH,
    metavar="FILE",
    help="The data-only manifest that graders compile wrote. Default: the ten defaults.",
)
@click.option("--run-id", metavar="ID", help="The run the session is of, where it does not say so itself.")
@click.option(
    "--attempt", type=click.IntRange(min=1), metavar="N", help="The attempt, where the session does not say so itself."
)
@click.option("--fail-on-error", is_flag=True, help="Fail (exit 7) if any grader ended with an error.")
@json_option
def command(
    console: Console,
    *,
    path: Path,
    manifest: Path | None,
    run_id: str | None,
    attempt: int | None,
    fail_on_error: bool,
) -> None:
    """Grade the session of a run: usage/aw_session.jsonl in DIR, or the file SESSION, which is written anew.

    The session is redacted, the enabled built-ins are graded, graders/grader_manifest.json and grader_results.json are
    written beside it, and what they hold is appended to it. Concluding again gives the same bytes. No code is run: a
    manifest that carries any is refused, and custom graders are only registered.
    """
    from opvalue.cli.session_file import check_run_id, read, tell  # noqa: PLC0415 - help is shown without it
    from opvalue.conclusion.conclude import conclude  # noqa: PLC0415
    from opvalue.conclusion.errors import GradersFailed  # noqa: PLC0415
    from opvalue.conclusion.writing import session_of, write  # noqa: PLC0415

    check_run_id(run_id)
    configuration = _configuration(manifest)
    session = session_of(path)
    with console.progress(f"concluding {session}"):
        reading = read(session)
        secrets = named_secrets(os.environ)
        concluded = conclude(reading.events, configuration, secrets=secrets, run_id=run_id, attempt=attempt)
        folder = write(session, concluded)
    tell(console, reading.losses)
    if not concluded.recorded:
        console.warn("the session holds no event, so there was nothing to grade")
    failed = [one for one in concluded.graded if one.status is Status.ERROR]
    for one in failed:
        console.warn(f"the grader {one.entry.id} ended with an error: {one.error}")
    if fail_on_error and failed:
        raise GradersFailed(f"{len(failed)} of {len(concluded.graded)} graders ended with an error")
    if console.json:
        console.data(concluded.results)
    else:
        _print(console, session, folder, concluded)


def _configuration(manifest: Path | None) -> "Configuration":
    from opvalue.conclusion.errors import FileAbsent, FileRefused, FileUnreadable  # noqa: PLC0415
    from opvalue.conclusion.manifest import read_manifest  # noqa: PLC0415
    from opvalue.conclusion.repository import located  # noqa: PLC0415
    from opvalue.graders.configuration import defaults  # noqa: PLC0415
    from opvalue.limits import Limits  # noqa: PLC0415

    if manifest is None:
        return defaults()
    try:
        tree, path = located(manifest)
        data = tree.read(path, Limits().record_bytes)
    except (FileAbsent, FileRefused, FileUnreadable) as refused:
        raise type(refused)(
            f"the manifest {str(manifest)!r} cannot be read",
            expected="the grader_manifest.json that opvalue graders compile wrote",
            found=refused.found or refused.message,
            hint="Correct --manifest, or leave it out to grade the ten defaults.",
        ) from None
    return read_manifest(data)


def _print(console: Console, session: Path, folder: Path, concluded: "Concluded") -> None:
    counts = {status: sum(1 for one in concluded.graded if one.status is status) for status in Status}
    said = ", ".join(f"{count} {status.value}" for status, count in counts.items() if count)
    rows = [("session", str(session)), ("results", str(folder)), ("graders", said or "none")]
    if concluded.registered:
        rows.append(("elsewhere", f"{', '.join(concluded.registered)}: run in the separate graders job"))
    console.fields(rows)
