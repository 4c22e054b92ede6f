"""``opvalue graders run``: grade a recorded session again, or that of a run (Graders Specification 6)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.paths import PATH
from opvalue.errors import Kind, UsageError

if TYPE_CHECKING:
    from opvalue.conclusion.recorded import Recorded
    from opvalue.conclusion.replay import Replayed
    from opvalue.graders.configuration import Configuration

_EXAMPLES: Final = (
    "opvalue graders run usage/aw_session.jsonl",
    "opvalue graders run usage/aw_session.jsonl --grader loops --grader recurrence-rate",
    "opvalue graders run 123456 -R acme/widgets --config .github/workflows/triage.md --json",
)


@declare("run", examples=_EXAMPLES)
@click.argument("session", metavar="SESSION|RUN")
@click.option("--grader", "graders", multiple=True, metavar="ID", help="Only this grader. May be repeated.")
@click.option(
    "--config",
    # What cannot be read is refused by its reader, with a code and status of its own.
    type=PATH,
    metavar="FILE",
    help="A workflow's Markdown, or YAML or JSON with a graders map. Default: the ten defaults.",
)
@click.option("-R", "--repo", metavar="[HOST/]OWNER/REPO", help="RUN's repository. Default: GH_REPO, the checkout.")
@click.option("--run-id", metavar="ID", help="The run SESSION is of, where it does not say so itself.")
@click.option(
    "--attempt", type=click.IntRange(min=1), metavar="N", help="This attempt. Default: what SESSION or GitHub says."
)
@click.option("--skip-malformed", is_flag=True, help="Count lines that are no events, and go on.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Read a large SESSION with N processes. Default: two, if the machine has them.",
)
@click.option("--fail-on-error", is_flag=True, help="Fail (exit 7) if any grader ended with an error.")
@click.option("--offline", is_flag=True, help="Refuse to use the network.")
@click.option("--refresh", is_flag=True, help="Download RUN's artifact again, also when it is in the cache.")
@json_option
def command(
    console: Console,
    *,
    session: str,
    graders: tuple[str, ...],
    config: Path | None,
    repo: str | None,
    run_id: str | None,
    attempt: int | None,
    skip_malformed: bool,
    jobs: int | None,
    fail_on_error: bool,
    offline: bool,
    refresh: bool,
) -> int:
    """Grade the recorded SESSION (JSONL, or a JSON array of events; - for standard input), or that of RUN.

    RUN is a number or a run's address; its session is in its usage artifact, which is downloaded. The code is the one
    that grades when a run concludes, so equal sessions give equal bytes. A value of null and a missed threshold are
    answers: exit 0. A custom grader has no runtime here: its row is an error, exit 7.
    """
    from opvalue.cli.session_file import check_run_id  # noqa: PLC0415
    from opvalue.conclusion.selection import select  # noqa: PLC0415 - nothing of the graders is loaded for --help

    if not session:
        raise UsageError("SESSION is empty", expected="a session's file, - for standard input, or a run")
    is_run = (session.isascii() and session.isdigit()) or "://" in session
    check_run_id(run_id)
    _check(is_run=is_run, repo=repo, run_id=run_id, refresh=refresh)
    configuration = select(_configuration(config), graders)
    if is_run:
        asked = _of_run(console, session, repo, attempt, offline=offline, refresh=refresh)
    else:
        asked = _of_file(console, Path(session), run_id, attempt, skip_malformed=skip_malformed)
    with asked as source:
        graded = _grade(console, source, configuration, skip_malformed=skip_malformed, jobs=jobs)
    return _deliver(console, graded, fail_on_error=fail_on_error)


class _Asked(NamedTuple):
    """A session, and which run it is said to be of."""

    recorded: "Recorded"
    run_id: str | None
    attempt: int | None
    is_fetched: bool


def _check(*, is_run: bool, repo: str | None, run_id: str | None, refresh: bool) -> None:
    if is_run and run_id is not None:
        raise UsageError("--run-id is for a session's file; RUN names the run itself", found=run_id)
    if not is_run and (repo is not None or refresh):
        raise UsageError(
            "--repo and --refresh are for a run", expected="a run's number or address", hint="Leave the option out."
        )


def _configuration(config: Path | None) -> "Configuration":
    from opvalue.graders.configuration import defaults  # noqa: PLC0415

    if config is None:
        return defaults()
    from opvalue.conclusion.configuration_file import read_configuration  # noqa: PLC0415 - loads YAML

    return read_configuration(config)


@contextmanager
def _of_file(
    console: Console, path: Path, run_id: str | None, attempt: int | None, *, skip_malformed: bool
) -> Iterator[_Asked]:
    from opvalue.cli.session_input import open_session  # noqa: PLC0415

    with console.progress(f"grading {path}"), open_session(path, skip_malformed=skip_malformed) as file:
        yield _Asked(file, run_id, attempt, is_fetched=False)


@contextmanager
def _of_run(
    console: Console, run: str, repo: str | None, attempt: int | None, *, offline: bool, refresh: bool
) -> Iterator[_Asked]:
    from opvalue.cli.graders_server import session_of_run  # noqa: PLC0415 - nothing of the network is loaded for a file

    with (
        console.progress("asking GitHub") as tell,
        session_of_run(run, repo, attempt, os.environ, console, offline=offline, refresh=refresh, tell=tell) as fetched,
    ):
        tell("grading the session")
        yield _Asked(fetched.session, fetched.run.id, fetched.run.attempt, is_fetched=True)


def _grade(
    console: Console, source: _Asked, configuration: "Configuration", *, skip_malformed: bool, jobs: int | None
) -> "Replayed":
    from opvalue.cli.session_file import tell  # noqa: PLC0415
    from opvalue.conclusion.recorded import know  # noqa: PLC0415
    from opvalue.conclusion.replay import replay  # noqa: PLC0415
    from opvalue.conclusion.selection import context_of  # noqa: PLC0415

    known = know(source.recorded, configuration, skip_malformed=skip_malformed, jobs=jobs)
    context = context_of(known.lookups, run_id=source.run_id, attempt=source.attempt)
    tell(console, known.losses)
    if not known.lookups.events:
        console.warn("the session holds no event, so there is nothing to grade")
    if known.settled is not None and known.settled.is_redacted:
        console.warn("the session holds secrets; they are taken out before it is graded, as where a run concludes")
    if source.is_fetched and known.lookups.attempt is None and context.attempt > 1:
        wrote = f"attempt {context.attempt} wrote it"
        console.warn(f"the session does not say that {wrote}, and GitHub's listing does not either")
    return replay(known.lookups, known.projection, configuration, context)


def _deliver(console: Console, replayed: "Replayed", *, fail_on_error: bool) -> int:
    if console.json:
        console.data(replayed.document)
    else:
        from opvalue.cli.graders_text import summary, table  # noqa: PLC0415

        console.line(summary(replayed.graded, replayed.context), hang=4)
        if replayed.graded:
            console.line()
            console.lines(table(replayed.graded, console.columns))
    failed = bool(replayed.without_runtime) or (fail_on_error and replayed.has_errors)
    return Kind.EVALUATOR.exit_status if failed else 0
