"""``opvalue regrade``: grade an archived run again, as of a given time (DESIGN 4)."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.evaluator import Runner
    from opvalue.identity import Repository, RunRef
    from opvalue.regrade import Regraded, RegradeRequest

_EXAMPLES: Final = (
    "opvalue regrade 123456 --evidence-at 2026-08-30T12:00:00Z --artifact agent.zip --checkout ~/src/widgets",
    "opvalue regrade https://github.com/acme/widgets/actions/runs/123456 --evidence-at maturity --artifact agent/",
    "opvalue regrade 123456 -R acme/widgets --evidence-at now --artifact agent.zip --json --output observation.json",
)


@declare("regrade", examples=_EXAMPLES)
@click.argument("run", metavar="RUN")
@click.option(
    "--evidence-at", required=True, metavar="TIME", help="RFC 3339 time with a zone, or: now, maturity (as archived)."
)
@click.option("-R", "--repo", metavar="[HOST/]OWNER/REPO", help="The run's repository. Default: GH_REPO, the checkout.")
@click.option("--attempt", type=click.IntRange(min=1), help="Refuse an archive of any other attempt.")
@click.option(
    "--artifact", type=click.Path(path_type=Path), metavar="PATH", help="The run's `agent` artifact: zip or folder."
)
@click.option(
    "--checkout",
    type=click.Path(path_type=Path),
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
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the JSON document here; never over another."
)
@json_option
def command(
    console: Console,
    run: str,
    evidence_at: str,
    repo: str | None,
    attempt: int | None,
    artifact: Path | None,
    checkout: Path,
    commit: str | None,
    renamed_from: tuple[str, ...],
    require_mature: bool,
    require_sandbox: bool,
    no_sandbox: bool,
    output: Path | None,
) -> None:
    """Grade the archived run RUN (a number or a run's address) again, as of TIME.

    The evaluator that runs is the one at the recorded commit of your checkout, and only if it is byte for byte the
    one in the archive. The archive is never changed. A null value is an answer: exit 0.
    """
    if artifact is None:
        raise UsageError(
            "there is no artifact to regrade from",
            expected="--artifact PATH",
            hint=f"Download it first: gh run download {click.format_filename(run)} -n agent -D agent; then --artifact agent",
        )
    if require_sandbox and no_sandbox:
        raise UsageError("--require-sandbox and --no-sandbox contradict each other")
    from opvalue.identity import CommitId  # noqa: PLC0415 - nothing of the chain is loaded for --help
    from opvalue.regrade import RegradeRequest  # noqa: PLC0415

    anchored = CommitId.parse(commit)
    if commit is not None and anchored is None:
        raise UsageError("--commit is not a full commit id", expected="40 or 64 lower-case hexadecimal characters", found=commit)
    request = RegradeRequest(
        run=_requested(run, attempt),
        repository=_repository(run, repo, os.environ.get("GH_REPO")),
        renamed_from=renamed_from,
        artifact=artifact,
        checkout=checkout,
        commit=anchored,
        evidence_at=evidence_at,
        require_mature=require_mature,
    )
    regraded = _regrade(console, request, require=require_sandbox, forbid=no_sandbox)
    _show(console, regraded, output)
