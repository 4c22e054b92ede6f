"""``opvalue regrade``: grade an archived run again, as of a given time (DESIGN 4)."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.repository import repository
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.evaluator import Runner
    from opvalue.identity import CommitId, RunRef
    from opvalue.regrade import Regraded

_EXAMPLES: Final = (
    "opvalue regrade 123456 --evidence-at 2026-08-30T12:00:00Z --checkout ~/src/widgets",
    "opvalue regrade https://github.com/acme/widgets/actions/runs/123456 --evidence-at maturity --json",
    "opvalue regrade 123456 -R acme/widgets --evidence-at now --artifact agent.zip --output observation.json",
)


@declare("regrade", examples=_EXAMPLES)
@click.argument("run", metavar="RUN")
@click.option(
    "--evidence-at", required=True, metavar="TIME", help="RFC 3339 time with a zone, or: now, maturity (as archived)."
)
@click.option("-R", "--repo", metavar="[HOST/]OWNER/REPO", help="The run's repository. Default: GH_REPO, the checkout.")
@click.option("--attempt", type=click.IntRange(min=1), help="This attempt of the run. Default: the latest.")
@click.option(
    "--artifact",
    # Here and below: what cannot be read is refused by its reader, with a code and status of its own.
    type=click.Path(readable=False, path_type=Path),
    metavar="PATH",
    help="The run's `agent` artifact, zip or folder. With it, nothing is asked of GitHub.",
)
@click.option("--offline", is_flag=True, help="Refuse to use the network.")
@click.option("--refresh", is_flag=True, help="Download the artifact again, also when it is in the cache.")
@click.option(
    "--checkout",
    type=click.Path(readable=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Your clone of the repository, which is trusted. Default: the current folder.",
)
@click.option("--commit", metavar="SHA", help="Vouch for this commit, in full, when no branch or tag leads to it.")
@click.option(
    "--renamed-from", multiple=True, metavar="OWNER/REPO", help="A former name of the repository. May be repeated."
)
@click.option("--require-mature", is_flag=True, help="Fail (exit 8) unless the observation is mature.")
@click.option("--require-sandbox", is_flag=True, help="Refuse to run the evaluator without a sandbox.")
@click.option("--no-sandbox", is_flag=True, help="Run the evaluator without a sandbox.")
@click.option(
    "-o",
    "--output",
    type=click.Path(readable=False, path_type=Path),
    metavar="FILE",
    help="Write the JSON document here; never over another.",
)
@click.option(
    "--contract",
    type=click.Choice(["schema-4", "session"]),
    help="The evaluator's contract. Default: told from the script.",
)
@json_option
def command(
    console: Console,
    *,
    run: str,
    evidence_at: str,
    repo: str | None,
    attempt: int | None,
    artifact: Path | None,
    offline: bool,
    refresh: bool,
    checkout: Path,
    commit: str | None,
    contract: str | None,
    renamed_from: tuple[str, ...],
    require_mature: bool,
    require_sandbox: bool,
    no_sandbox: bool,
    output: Path | None,
) -> None:
    """Grade the archived run RUN (a number or a run's address) again, as of TIME.

    Looks the run up at GitHub and downloads its artifact, or takes the one given with --artifact. The evaluator that
    runs is the one at the recorded commit of your checkout, and only if it is byte for byte the one in the archive.
    The archive is never changed. A null value is an answer: exit 0.
    """
    if require_sandbox and no_sandbox:
        raise UsageError("--require-sandbox and --no-sandbox contradict each other")
    if output is not None and output == Path("-"):
        raise UsageError("--output takes a file's name", found="-", hint="For standard output, use --json.")
    from opvalue.identity import Instant  # noqa: PLC0415 - nothing of the chain is loaded for --help
    from opvalue.regrade import Contract, RegradeRequest, regrade_offline  # noqa: PLC0415

    request = RegradeRequest(
        run=_requested(run, attempt),
        evidence_at=evidence_at,
        checkout=checkout,
        repository=repository(run, repo, os.environ),
        commit=_commit(commit),
        renamed_from=renamed_from,
        contract=Contract(contract) if contract else None,
        require_mature=require_mature,
    )
    now = Instant.from_datetime(datetime.now(UTC))
    with console.progress("regrading") as tell:
        runner = _runner(require=require_sandbox, forbid=no_sandbox)
        if artifact is not None:
            regraded = regrade_offline(request, artifact, now=now, runner=runner, tell=tell)
        else:
            from opvalue.cli.server import regrade_at_server  # noqa: PLC0415 - nothing of the network is loaded offline

            regraded = regrade_at_server(
                request, os.environ, console, offline=offline, refresh=refresh, now=now, runner=runner, tell=tell
            )
    _deliver(console, regraded, output)


def _requested(run: str, attempt: int | None) -> "RunRef":
    from opvalue.identity import RunRef  # noqa: PLC0415

    named = RunRef.parse(run)
    if attempt is not None and named.attempt not in {None, attempt}:
        raise UsageError(
            "--attempt contradicts the run's address", expected=f"attempt {named.attempt}", found=str(attempt)
        )
    return named._replace(attempt=named.attempt or attempt)


def _commit(text: str | None) -> "CommitId | None":
    from opvalue.identity import CommitId  # noqa: PLC0415

    commit = CommitId.parse(text)
    if text is not None and commit is None:
        raise UsageError(
            "--commit is not a full commit id", expected="40 or 64 lower-case hexadecimal characters", found=text
        )
    return commit


def _runner(*, require: bool, forbid: bool) -> "Runner":
    from opvalue.evaluator import Runner  # noqa: PLC0415

    return Runner(require_sandbox=require, sandboxed=not forbid)


def _deliver(console: Console, regraded: "Regraded", output: Path | None) -> None:
    document = regraded.to_json().encode()
    if output is not None:
        from opvalue.atomic import write_new  # noqa: PLC0415

        written = write_new(output, document, same=regraded.is_in)
        if not console.json:
            console.note(f"wrote {output}" if written else f"{output} holds this observation already")
    if console.json:
        console.raw(document)
        return
    from opvalue.cli.regrade_text import summary  # noqa: PLC0415

    console.lines(summary(regraded))
