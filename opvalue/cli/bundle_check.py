"""``opvalue bundle check``: whether a bundle is whole, and the evidence of what one thinks it is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from opvalue.cli.bundle_text import broken, clock
from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Line, Style, Styled, single_line
from opvalue.cli.paths import PATH
from opvalue.errors import OpvalueError, UsageError

if TYPE_CHECKING:
    from opvalue.evidence.bundle import Bundle
    from opvalue.evidence.bundle.errors import BundleRefused
    from opvalue.identity import Digest, Instant, RunRef

_DONE: Final = "done"
_SKIPPED: Final = "skipped"
_REFUSED: Final = "refused"
_STYLES: Final = {_DONE: Style.GOOD, _SKIPPED: Style.DIM, _REFUSED: Style.BAD}


class _Wanted(NamedTuple):
    """What the bundle must be of; ``None`` for what nobody said."""

    digest: "Digest | None"
    run: "RunRef | None"
    attempt: int | None
    repository_id: int | None
    evaluator: "Digest | None"
    closure: "Digest | None"
    cutoff: "Instant | None"


class _Check(NamedTuple):
    name: str
    what: str
    """What holds when it is done, or what to give that it can be."""
    run: Callable[[], None] | None
    """Raises the refusal; ``None`` when there is nothing to compare with."""


class _Outcome(NamedTuple):
    name: str
    state: str
    detail: str
    error: OpvalueError | None = None


@declare(
    "check",
    examples=(
        "opvalue bundle check evidence.bundle",
        "opvalue bundle check evidence.bundle --run https://github.com/acme/widgets/actions/runs/123456 --attempt 1",
        "opvalue bundle check evidence.bundle --cutoff 2025-08-30T12:00:00Z",
    ),
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--digest", metavar="SHA256", help="The digest that the evidence must have, as a statement names it.")
@click.option("--run", metavar="RUN", help="The run it must be of: its number, or its address, which names the host.")
@click.option("--attempt", type=click.IntRange(1), metavar="N", help="The attempt it must be of.")
@click.option("--repository-id", type=click.IntRange(1), metavar="N", help="The numeric id of the run's repository.")
@click.option("--evaluator", metavar="SHA256", help="The digest of the evaluator it must be of.")
@click.option("--closure", metavar="SHA256", help="The digest of the evaluator with the files it sources.")
@click.option("--cutoff", metavar="TIME", help="The evidence cutoff, before which nothing may have been observed.")
@json_option
def command(
    console: Console,
    file: Path,
    *,
    digest: str | None,
    run: str | None,
    attempt: int | None,
    repository_id: int | None,
    evaluator: str | None,
    closure: str | None,
    cutoff: str | None,
) -> None:
    """Check that the bundle FILE is the bytes it was sealed with, and the evidence of what the options say.

    Each check is listed as done, skipped or refused. The digest shows that nothing was changed since it was recorded,
    not who recorded it: for that, verify a signed observation that names it.
    """
    from opvalue.evidence.bundle import read_bundle  # noqa: PLC0415 - help is shown without it
    from opvalue.identity import Instant, RunRef  # noqa: PLC0415

    wanted = _Wanted(
        _digest(digest, "--digest"),
        RunRef.parse(run) if run is not None else None,
        attempt,
        repository_id,
        _digest(evaluator, "--evaluator"),
        _digest(closure, "--closure"),
        Instant.parse(cutoff) if cutoff is not None else None,
    )
    with console.progress(f"reading {file}"):
        bundle = read_bundle(file)
        outcomes = [_outcome(check) for check in _checks(bundle, wanted)]
    first = next((outcome.error for outcome in outcomes if outcome.error), None)
    if not console.json:
        console.lines(_lines(outcomes, console.columns))
    if first is not None:
        raise first
    if console.json:
        checks = [{"check": one.name, "state": one.state, "detail": one.detail} for one in outcomes]
        console.data({"file": str(file), "digest": bundle.digest.hex, "checks": checks})


def _digest(text: str | None, option: str) -> "Digest | None":
    from opvalue.identity import Digest  # noqa: PLC0415

    found = Digest.parse(text)
    if text is not None and found is None:
        raise UsageError(
            f"{option} is no SHA-256", expected="64 lower-case hexadecimal characters", found=repr(text[:80])
        )
    return found


def _checks(bundle: "Bundle", wanted: _Wanted) -> Iterator[_Check]:
    from opvalue.evidence.bundle import check_clean, check_complete, check_fresh, check_past, errors  # noqa: PLC0415

    header, now = bundle.header, clock()

    def equal(name: str, found: object, expected: object, refused: "type[BundleRefused]", option: str) -> _Check:
        def compare() -> None:
            if found != expected:
                raise refused(f"the bundle has another {name}", expected=str(expected), found=str(found))

        given = expected is not None
        return _Check(name, str(found) if given else f"give {option}", compare if given else None)

    run = wanted.run
    host = run.repository.host if run and run.repository else None
    attempt = wanted.attempt if wanted.attempt is not None else run.attempt if run else None
    yield _Check("seal", "every byte is as it was sealed", _holds)
    yield _Check("format", "each body has its digest, and nothing else is in it", _holds)
    yield _Check("secrets", "nothing has the shape of a secret", lambda: check_clean(bundle))
    yield equal("digest", bundle.digest, wanted.digest, errors.WrongDigest, "--digest")
    yield equal("host", header.host, host, errors.OtherHost, "--run with an address")
    yield equal("repository", header.repository_id, wanted.repository_id, errors.OtherRepository, "--repository-id")
    yield equal("run", header.run_id, run.run_id if run else None, errors.OtherRun, "--run")
    yield equal("attempt", header.attempt, attempt, errors.OtherAttempt, "--attempt")
    yield equal("evaluator", header.evaluator_digest, wanted.evaluator, errors.OtherEvaluator, "--evaluator")
    yield equal("closure", header.closure_digest, wanted.closure, errors.OtherClosure, "--closure")
    cutoff = wanted.cutoff
    yield _Check("complete", "every request was answered", lambda: check_complete(bundle))
    yield _Check("past", "nothing says that it was observed later than now", lambda: check_past(bundle.exchanges, now))
    yield _Check(
        "fresh",
        f"nothing was observed before {cutoff}" if cutoff else "give --cutoff",
        (lambda: check_fresh(bundle.exchanges, cutoff)) if cutoff else None,
    )


def _holds() -> None:
    """Do nothing: reading the bundle has checked it."""


def _outcome(check: _Check) -> _Outcome:
    if check.run is None:
        return _Outcome(check.name, _SKIPPED, check.what)
    try:
        check.run()
    except OpvalueError as error:
        found = f", found {error.found}" if error.found else ""
        return _Outcome(check.name, _REFUSED, f"{error.message}{found}", error)
    return _Outcome(check.name, _DONE, check.what)


def _lines(outcomes: list[_Outcome], columns: int | None) -> Iterator[Line]:
    state_room = max(len(outcome.state) for outcome in outcomes)
    name_room = max(len(outcome.name) for outcome in outcomes)
    indent = state_room + name_room + 4
    for outcome in outcomes:
        first, *rest = broken(single_line(outcome.detail), columns - indent if columns else None)
        state = Styled(outcome.state.ljust(state_room), _STYLES[outcome.state])
        yield (state, f"  {outcome.name.ljust(name_room)}  {first}")
        yield from (" " * indent + line for line in rest)
