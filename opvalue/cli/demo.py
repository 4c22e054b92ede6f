"""``opvalue demo``: the main job from end to end, offline, on a made-up run."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare
from opvalue.cli.console import Console, Style, Styled, labelled
from opvalue.cli.help_text import example
from opvalue.cli.paths import FOLDER
from opvalue.errors import OpvalueError, UsageError

if TYPE_CHECKING:
    from opvalue.demo import Demo
    from opvalue.evaluator import Runner
    from opvalue.regrade import Regraded

_BAR: Final = 12


@declare("demo", examples=("opvalue demo", "opvalue demo --keep /tmp/opvalue-demo"))
@click.option("--keep", type=FOLDER, metavar="DIR", help="Make everything in DIR, a new folder, and keep it.")
def command(console: Console, keep: Path | None) -> None:
    """See an archived run regraded at several evidence times, a tampered archive refused, the observation signed.

    Makes a real git repository with a workflow and its evaluator, the artifact a run archived and a bundle of recorded
    evidence; then verifies and regrades it offline. Takes seconds and leaves nothing behind.
    """
    from opvalue.demo import prepare  # noqa: PLC0415 - nothing of the chain is loaded for --help
    from opvalue.evaluator import Runner  # noqa: PLC0415
    from opvalue.process import private_folder  # noqa: PLC0415

    runner = Runner()
    with private_folder() if keep is None else _new_folder(keep) as folder:
        with console.progress("making a repository and a run"):
            demo = prepare(folder, runner)
        _tell_run(console, demo)
        regraded = _tell_values(console, demo, runner)
        _tell_tampered(console, demo, runner)
        _tell_signed(console, demo, regraded, folder)
    _tell_end(console, keep, demo.commit)


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Make a folder that is kept if all goes well, and removed with all that is in it otherwise."""
    from opvalue.process.interrupts import uninterrupted  # noqa: PLC0415 - nothing of the chain is loaded for --help
    from opvalue.process.private import remove_tree  # noqa: PLC0415

    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{folder} exists", expected="a new folder", hint="Choose another name for --keep.") from None
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror}", hint="Choose another place for --keep.") from None
    try:
        yield folder.absolute()
    except BaseException:
        with uninterrupted():
            remove_tree(folder.absolute())
        raise


def _tell_run(console: Console, demo: "Demo") -> None:
    console.line(
        Styled('A run of the workflow "Issue Triage" was opened for issue 42 and archived.', Style.BOLD), hang=0
    )
    console.fields(
        (
            ("repository", f"acme/widgets, commit {demo.commit[:12]}"),
            ("archive", f"{demo.artifact.name}: manifest, results and the evaluator's bytes"),
            ("evidence", f"{demo.bundle.name}: what GitHub answered when it was asked for the issue's events"),
            ("question", "how far along labelled, assigned, closed was the issue, within two weeks?"),
        ),
        indent=2,
    )
    console.line()


def _tell_values(console: Console, demo: "Demo", runner: "Runner") -> "Regraded":
    """Tell the value at each time, and return the observation at the last."""
    from opvalue.demo import TIMES  # noqa: PLC0415

    seen = []

    console.line(Styled("What was it worth? Verified against the commit and regraded, as of", Style.BOLD), hang=0)
    for words, evidence_at in TIMES:
        with console.progress(f"regrading {words}"):
            regraded = demo.regrade(evidence_at, runner=runner)
        seen.append(regraded)
        value = regraded.observation.value
        filled = round((value or 0) * _BAR)
        console.line(
            f"  {regraded.evidence_at}  {words:<16}",
            Styled("#" * filled, Style.GOOD),
            Styled("." * (_BAR - filled), Style.DIM),
            f"  {'null' if value is None else format(value, '.2f')}  ",
            Styled("mature" if regraded.mature else "may still rise", Style.DIM),
            hang=4,
        )
    console.line("  The issue was reopened on 2025-09-12, after maturity: the value stays.", hang=2)
    console.line()
    return seen[-1]


def _tell_tampered(console: Console, demo: "Demo", runner: "Runner") -> None:
    console.line(Styled("An archive whose evaluator was made more generous, digests and all:", Style.BOLD), hang=0)
    try:
        with console.progress("regrading a tampered archive"):
            demo.regrade_tampered(runner=runner)
    except OpvalueError as refusal:
        first, *rest = refusal.diagnostics().split("\n")
        console.line(Styled("  refused  ", Style.BAD), first, hang=11)
        for text in rest:
            console.line(" " * 9, *labelled(text), hang=21)
        console.line()
        return
    raise OpvalueError("the tampered archive was not refused")


def _tell_signed(console: Console, demo: "Demo", regraded: "Regraded", folder: Path) -> None:
    from opvalue.demo.signing import sign  # noqa: PLC0415 - loads the cryptography

    with console.progress("signing and verifying"):
        signed = sign(regraded, folder)
        verified = signed.verify(demo)
    console.line(Styled("The last observation, signed and verified:", Style.BOLD), hang=2)
    facts = verified.facts
    console.fields(
        (
            ("signer", f"{signed.public_key.name}, {verified.signers[0].id[:16]}..., a key made for this demo"),
            ("statement", f"run 123456, attempt 1, as of {regraded.evidence_at}: value {facts.value}"),
            ("evidence", f"bundle {str(verified.bundle_digest)[:16]}..., one exchange"),
        ),
        indent=2,
    )
    console.line(
        "  ", Styled("verified", Style.GOOD), "  the signature, the statement, and the bundle it names", hang=12
    )
    console.line()


def _tell_end(console: Console, keep: Path | None, commit: str) -> None:
    if keep is None:
        console.line("Nothing was left behind. To look at the files: opvalue demo --keep DIR", hang=0)
        return
    console.line(
        f"Kept in {keep}. What grades is the evaluator of commit {commit[:12]}, whatever is changed there since.",
        hang=0,
    )
    console.line("Regrade it yourself:")
    where = {"--artifact": "agent.zip", "--checkout": "widgets", "--replay": "evidence.bundle"}
    options = [word for option, name in where.items() for word in (option, str(keep / name))]
    again = shlex.join(("opvalue", "regrade", "123456", "--evidence-at", "2025-08-25T00:00:00Z", *options))
    console.lines([f"  {again}"] if console.columns is None else example(again, console.columns))
