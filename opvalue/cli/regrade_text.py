"""A regraded run as text for people: the value first, then what it rests on, then what was not verified. Pure."""

from collections.abc import Iterator
from typing import Final

from opvalue.cli.console import Line, Style, Styled
from opvalue.records import Status, outcome
from opvalue.regrade import Regraded
from opvalue.strictjson import dumps_compact
from opvalue.trust import CheckState

_STYLES: Final = {Status.PASS: Style.GOOD, Status.FAIL: Style.BAD}
WIDTH: Final = 13
"""Columns of the names that stand first on each line."""
_MAX_SHOWN: Final = 100
_MOST_NAMES: Final = 5


def summary(regraded: Regraded) -> Iterator[Line]:
    """Yield the lines of the summary."""
    yield _headline(regraded)
    yield ""
    yield from _rows(_observation_rows(regraded))
    yield ""
    yield from _rows(_ground_rows(regraded))
    yield ""
    yield from _checks(regraded, CheckState.DONE, "verified", Style.GOOD)
    yield from _checks(regraded, CheckState.SKIPPED, "not verified", Style.WARN)


def number(value: float | None) -> str:
    """Return a value as a reader expects it: the shortest decimal form, or ``null``."""
    return dumps_compact(value)


def _headline(regraded: Regraded) -> Line:
    archived, repository = regraded.verified.archived, regraded.verified.consistent.repository
    grader = archived.grader
    verdict = outcome(regraded.observation.value, threshold=grader.threshold, direction=grader.direction)
    word = "no value" if verdict.status is Status.UNAVAILABLE else verdict.status.value
    if grader.threshold is not None and verdict.passed is not None:
        word += f", threshold {number(grader.threshold)}"
    return (
        Styled(f"{grader.name}: {number(regraded.observation.value)}", Style.BOLD),
        "  ",
        Styled(f"({word})", _STYLES.get(verdict.status, Style.WARN)),
        f"  run {archived.results.run_id}, attempt {archived.results.attempt}, {repository}",
    )


def _observation_rows(regraded: Regraded) -> Iterator[tuple[str, str]]:
    observed, archived = regraded.observation, regraded.verified.archived.observation
    yield "opportunity", observed.opportunity_key
    yield "evidence at", str(regraded.evidence_at)
    yield "cutoff", str(observed.evidence_cutoff)
    yield "matures at", f"{observed.matures_at}  ({'mature' if regraded.mature else 'not yet mature'})"
    yield "baseline", _baseline(regraded)
    yield "originally", f"{number(archived.value)} at {archived.evidence_at}"
    if observed.message:
        yield "message", observed.message


def _baseline(regraded: Regraded) -> str:
    baseline = regraded.definition.baseline.value
    if baseline is None:
        return "none (attainment only)"
    return f"{number(baseline)}, delta {number(regraded.delta_from_baseline)}"


def _ground_rows(regraded: Regraded) -> Iterator[tuple[str, str]]:
    run = regraded.verified.consistent
    yield "evaluator", f"{run.evaluator_path} at {run.commit_id.short}"
    yield "digest", f"sha256:{run.evaluator_digest}"
    moved = regraded.drift
    yield "drift", "none" if not moved else f"{moved[0].field}: {_change(moved[0].archived, moved[0].observed)}"
    for more in moved[1:]:
        yield "", f"{more.field}: {_change(more.archived, more.observed)}"
    yield from _evidence_rows(regraded)
    yield "sandbox", _sandbox(regraded)


def _evidence_rows(regraded: Regraded) -> Iterator[tuple[str, str]]:
    used = regraded.used
    replayed = regraded.evidence_mode == "replay"
    if not used.exchanges:
        yield "evidence", "none of the bundle's was asked for" if replayed else "the evaluator asked for none"
        return
    left = f", {regraded.asked} of them asked for" if regraded.asked < used.exchanges else ""
    how = "replayed" if replayed else "gathered now"
    yield "evidence", f"{used.exchanges} exchange{'' if used.exchanges == 1 else 's'}, {how}{left}"
    yield "bundle", str(used.digest)
    if used.undeclared:
        shown = ", ".join(used.undeclared[:_MOST_NAMES]) + (", ..." if len(used.undeclared) > _MOST_NAMES else "")
        yield "undeclared", f"{shown}  (asked for without a token)"


def _sandbox(regraded: Regraded) -> str:
    program, *layers = regraded.sandbox_layers or ("none",)
    return f"{program}, {len(layers)} layers" if layers else f"none ({regraded.no_sandbox_reason})"


def _change(archived: object, observed: object) -> str:
    return f"{dumps_compact(archived)[:_MAX_SHOWN]} -> {dumps_compact(observed)[:_MAX_SHOWN]}"


def _checks(regraded: Regraded, state: CheckState, title: str, style: Style) -> Iterator[Line]:
    for check in regraded.checks:
        if check.state is state:
            yield (Styled(title.ljust(WIDTH), style), check.detail)
            title = ""


def _rows(rows: Iterator[tuple[str, str]]) -> Iterator[Line]:
    for name, value in rows:
        yield (Styled(name.ljust(WIDTH), Style.DIM), value)
