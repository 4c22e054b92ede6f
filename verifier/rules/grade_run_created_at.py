"""``run.createdAt`` may have milliseconds, and may be null.

Archives hold null there when the lookup at run time failed. A script that does not expect it reads null as 1970, or
fails, and the run cannot be graded again. jq's own reader of dates refuses fractions of a second.

A failure at null is a warning, an answer that breaks the contract or speaks of 1970 an error.

What to do: take fractions away before parsing; where ``createdAt`` is null, count from ``evidenceAt``, or give null
with the reason and both times at ``evidenceAt``.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.identity import Instant
from verifier import plan
from verifier.findings import Finding, Severity
from verifier.graded import Grade
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how

_SECOND: Final = 1_000
_LONG_AGO: Final = Instant.parse("2000-01-01T00:00:00Z")
_NULL: Final = "Where createdAt is null, count from evidenceAt, or give null with the reason."
_FRACTION: Final = 'Take the fraction away before parsing: sub("[.][0-9]+Z$"; "Z").'


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield at most one finding for null and one for milliseconds."""
    mature = runs.grade(plan.MATURE)
    if mature is None or mature.ended.failed is not None:
        return
    without = runs.grade(plan.NO_CREATED)
    if without is not None:
        yield from _without(subject, mature, without)
    later = runs.grade(plan.LATER)
    if later is not None and mature.observation is not None:
        yield from _with_milliseconds(subject, mature, later, runs.grade(plan.FIRST))


def _without(subject: Subject, mature: Grade, without: Grade) -> Iterator[Finding]:
    failed = without.ended.failed
    if failed is not None:
        text = f"a regrade with a null createdAt fails: {how(failed)}"
        yield RULE.finds(subject, text, _NULL, severity=Severity.WARNING)
    elif without.broken is not None and mature.broken is None:
        yield RULE.finds(subject, f"with a null createdAt, {how(without.broken)}", _NULL)
    elif without.observation is not None and without.observation.matures_at < _LONG_AGO:
        text = f"with a null createdAt the run matured at {without.observation.matures_at}"
        yield RULE.finds(subject, text, _NULL)


def _with_milliseconds(subject: Subject, mature: Grade, later: Grade, first: Grade | None) -> Iterator[Finding]:
    """Yield a finding where milliseconds are refused or move maturity; one that moves anyway is another rule's."""
    problem = later.ended.failed or later.broken
    if problem is not None:
        text = f"a regrade with milliseconds in createdAt fails: {how(problem)}"
        yield RULE.finds(subject, text, _FRACTION)
    elif later.observation is not None and _apart(mature, later) > _SECOND >= _apart(mature, first):
        text = f"milliseconds in createdAt move maturesAt to {later.observation.matures_at}"
        yield RULE.finds(subject, text, _FRACTION)


def _apart(one: Grade, other: Grade | None) -> int:
    """Return how far apart the maturities are, in milliseconds; 0 where there is none."""
    if one.observation is None or other is None or other.observation is None:
        return 0
    return abs(one.observation.matures_at.milliseconds - other.observation.matures_at.milliseconds)


RULE: Final = Rule(
    "grade-run-created-at",
    "createdAt may be null, and may have milliseconds",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
