"""``opvalue demo``: the main job from end to end, offline, on a made-up run."""

import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare
from opvalue.cli.console import Console, Style, Styled
from opvalue.errors import OpvalueError, UsageError

if TYPE_CHECKING:
    from opvalue.demo import Demo
    from opvalue.evaluator import Runner

_BAR: Final = 12


@declare("demo", examples=("opvalue demo", "opvalue demo --keep /tmp/opvalue-demo"))
@click.option(
    "--keep", type=click.Path(path_type=Path), metavar="DIR", help="Make everything in DIR, a new folder, and keep it."
)
def command(console: Console, keep: Path | None) -> None:
    """See an archived run regraded at several evidence times, and a tampered archive refused.

    Makes a real git repository with a workflow and its evaluator, and the artifact a run archived; then verifies and
    regrades it offline. Takes seconds and leaves nothing behind.
    """
    from opvalue.demo import prepare  # noqa: PLC0415 - nothing of the chain is loaded for --help
    from opvalue.evaluator import Runner  # noqa: PLC0415
    from opvalue.process import private_folder  # noqa: PLC0415

    runner = Runner()
    with ExitStack() as stack:
        folder = stack.enter_context(private_folder()) if keep is None else _new_folder(keep)
        with console.progress("making a repository and a run"):
            demo = prepare(folder, runner)
        _tell_run(console, demo)
        _tell_values(console, demo, runner)
        _tell_tampered(console, demo, runner)
    _tell_end(console, keep)


def _new_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{folder} exists", expected="a new folder", hint="Choose another name for --keep.") from None
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror}", hint="Choose another place for --keep.") from None
    return folder.absolute()


def _tell_run(console: Console, demo: "Demo") -> None:
    console.line(Styled('A run of the workflow "Issue Triage" was opened for issue 42 and archived.', Style.BOLD))
    console.fields(
        (
            ("repository", f"acme/widgets, commit {demo.commit[:12]}"),
            ("archive", f"{demo.artifact.name}: manifest, results and the evaluator's bytes"),
            ("question", "how far along labelled, assigned, closed was the issue, within two weeks?"),
        ),
        indent=2,
    )
    console.line()


def _tell_values(console: Console, demo: "Demo", runner: "Runner") -> None:
    from opvalue.demo import TIMES  # noqa: PLC0415

    console.line(Styled("What was it worth? Verified against the commit and regraded, as of", Style.BOLD))
    for words, evidence_at in TIMES:
        with console.progress(f"regrading {words}"):
            regraded = demo.regrade(evidence_at, runner=runner)
        value = regraded.observation.value
        filled = round((value or 0) * _BAR)
        console.line(
            f"  {regraded.evidence_at}  {words:<16}",
            Styled("#" * filled, Style.GOOD),
            Styled("." * (_BAR - filled), Style.DIM),
            f"  {'null' if value is None else format(value, '.2f')}  ",
            Styled("mature" if regraded.mature else "may still rise", Style.DIM),
        )
    console.line("  The issue was reopened on 2026-09-12, after maturity: the value stays.")
    console.line()


def _tell_tampered(console: Console, demo: "Demo", runner: "Runner") -> None:
    console.line(Styled("An archive whose evaluator was made more generous, digests and all:", Style.BOLD))
    try:
        demo.regrade_tampered(runner=runner)
    except OpvalueError as refusal:
        for index, text in enumerate(refusal.diagnostics().split("\n")):
            console.line(Styled("  refused  ", Style.BAD) if index == 0 else "           ", text.strip())
        console.line()
        return
    raise OpvalueError("the tampered archive was not refused")


def _tell_end(console: Console, keep: Path | None) -> None:
    if keep is None:
        console.line("Nothing was left behind. To look at the files: opvalue demo --keep DIR")
        return
    console.line(f"Kept in {keep}. Regrade it yourself:")
    where = ("--artifact", str(keep / "agent.zip"), "--checkout", str(keep / "widgets"))
    console.line("  ", shlex.join(("opvalue", "regrade", "123456", "--evidence-at", "2026-08-25T00:00:00Z", *where)))
