"""``opvalue regrade``: grade an archived run again, as of a given time (DESIGN 4)."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.keys import passphrase_options
from opvalue.cli.paths import PATH, WrittenPath
from opvalue.cli.repository import repository, requested
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.cli.keys import Signer
    from opvalue.evaluator import Runner
    from opvalue.identity import CommitId
    from opvalue.regrade.evidence import Evidence

_DOCUMENT: Final = WrittenPath("For standard output, use --json.")
_EXAMPLES: Final = (
    "opvalue regrade 123456 --evidence-at 2025-08-30T12:00:00Z --checkout ~/src/widgets",
    "opvalue regrade https://github.com/acme/widgets/actions/runs/123456 --evidence-at maturity --json",
    "opvalue regrade 123456 --evidence-at maturity --record evidence.bundle -o observation.json",
    "opvalue regrade 123456 --evidence-at maturity --artifact agent.zip --replay evidence.bundle",
)


@declare("regrade", examples=_EXAMPLES)
@click.argument("run", metavar="RUN")
@click.option(
    "--evidence-at", required=True, metavar="TIME", help="RFC 3339 time with a zone, or: now, maturity (as archived)."
)
@click.option("-R", "--repo", metavar="[HOST/]OWNER/REPO", help="The run's repository. Default: GH_REPO, the checkout.")
@click.option(
    "--attempt", type=click.IntRange(min=1), metavar="N", help="This attempt of the run. Default: the latest."
)
@click.option(
    "--artifact",
    # Here and below: what cannot be read is refused by its reader, with a code and status of its own.
    type=PATH,
    metavar="PATH",
    help="The run's `agent` artifact, zip or folder. With it, nothing is asked of GitHub.",
)
@click.option("--offline", is_flag=True, help="Refuse to use the network.")
@click.option("--refresh", is_flag=True, help="Download the artifact again, also when it is in the cache.")
@click.option(
    "--checkout",
    type=PATH,
    default=Path(),
    metavar="DIR",
    help="Your clone of the repository, which is trusted. Default: the current folder.",
)
@click.option("--commit", metavar="SHA", help="Vouch for this commit, in full, when no branch or tag leads to it.")
@click.option(
    "--renamed-from", multiple=True, metavar="OWNER/REPO", help="A former name of the repository. May be repeated."
)
@click.option(
    "--record",
    type=_DOCUMENT,
    metavar="FILE",
    help="Keep the evidence that is gathered as a bundle; never over another file.",
)
@click.option(
    "--replay",
    type=PATH,
    metavar="FILE",
    help="Take the evidence from this bundle; the evaluator's requests reach nobody.",
)
@click.option(
    "--evidence-scope",
    type=click.Choice(["record", "enforce"]),
    default="record",
    help="Evidence beyond the repositories the evaluator declares: record it as such (default), or refuse it.",
)
@click.option("--require-mature", is_flag=True, help="Fail (exit 8) unless the observation is mature.")
@click.option("--require-sandbox", is_flag=True, help="Refuse to run the evaluator without a sandbox.")
@click.option("--no-sandbox", is_flag=True, help="Run the evaluator without a sandbox.")
@click.option(
    "-o",
    "--output",
    type=_DOCUMENT,
    metavar="FILE",
    help="Write the JSON document here; never over another.",
)
@click.option(
    "--sign",
    type=PATH,
    metavar="KEY",
    help="Sign the observation with this private key, into FILE.dsse.json beside --output FILE.",
)
@passphrase_options
@click.option(
    "--contract",
    type=click.Choice(["schema-4", "session"]),
    help="What the evaluator speaks: schema-4, with its modes, or session, with a session's file. Default: told from "
    "the script.",
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
    record: Path | None,
    replay: Path | None,
    evidence_scope: str,
    require_mature: bool,
    require_sandbox: bool,
    no_sandbox: bool,
    output: Path | None,
    sign: Path | None,
    passphrase_file: Path | None,
    passphrase_env: str | None,
) -> None:
    """Grade the archived run RUN (a number or a run's address) again, as of TIME.

    Looks the run up at GitHub and downloads its artifact, or takes the one given with --artifact. The evaluator that
    runs is the one at the recorded commit of your checkout, and only if it is byte for byte the one in the archive.
    Its requests for evidence are answered by GitHub, or from a bundle with --replay; offline without one, by nobody.
    The archive is never changed. A null value is an answer: exit 0. Evidence that could not be had is none: exit 9.
    """
    _check_options(require_sandbox and no_sandbox, output, sign, record, replay, offline=offline)
    from opvalue.cli.deliver import Delivery  # noqa: PLC0415 - nothing of the chain is loaded for --help
    from opvalue.identity import Instant  # noqa: PLC0415
    from opvalue.regrade import Contract, RegradeRequest, regrade_offline  # noqa: PLC0415

    request = RegradeRequest(
        run=requested(run, attempt),
        evidence_at=evidence_at,
        checkout=checkout,
        repository=repository(run, repo, os.environ),
        commit=_commit(commit),
        renamed_from=renamed_from,
        contract=Contract(contract) if contract else None,
        require_mature=require_mature,
    )
    enforce = evidence_scope == "enforce"
    delivery = Delivery(console, output, record, _signer(sign, passphrase_file, passphrase_env))
    delivery.check()
    now = Instant.from_datetime(datetime.now(UTC))
    with console.progress("regrading") as tell, delivery.keeping_what_failed():
        evidence = _evidence(replay, enforce=enforce)
        runner = _runner(require=require_sandbox, forbid=no_sandbox)
        if artifact is not None and record is None:
            regraded = regrade_offline(request, artifact, now=now, runner=runner, evidence=evidence, tell=tell)
        else:
            from opvalue.cli.server import AtServer  # noqa: PLC0415 - nothing of the network is loaded offline

            server = AtServer(request, os.environ, console, offline=offline, now=now, runner=runner, tell=tell)
            regraded = server.regrade(artifact, evidence, enforce=enforce, refresh=refresh)
    delivery.deliver(regraded)


def _check_options(
    sandbox_contradiction: bool,
    output: Path | None,
    sign: Path | None,
    record: Path | None,
    replay: Path | None,
    *,
    offline: bool,
) -> None:
    if sandbox_contradiction:
        raise UsageError("--require-sandbox and --no-sandbox contradict each other")
    if record is not None and replay is not None:
        raise UsageError("--record and --replay contradict each other", hint="What is replayed is recorded already.")
    if record is not None and offline:
        raise UsageError("--record gathers evidence from the network, and --offline forbids that")
    if sign is not None and output is None:
        raise UsageError("--sign needs --output FILE", hint="The signature is written to FILE.dsse.json.")


def _signer(key: Path | None, passphrase_file: Path | None, passphrase_env: str | None) -> "Signer | None":
    if key is None:
        return None
    from opvalue.cli.keys import signer  # noqa: PLC0415 - loads the cryptography

    return signer(key, passphrase_file, passphrase_env, os.environ)


def _evidence(replay: Path | None, *, enforce: bool) -> "Evidence | None":
    if replay is None:
        return None
    from opvalue.evidence.bundle import read_bundle  # noqa: PLC0415
    from opvalue.regrade.evidence import Evidence  # noqa: PLC0415

    return Evidence.replay(read_bundle(replay), enforce=enforce)


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
