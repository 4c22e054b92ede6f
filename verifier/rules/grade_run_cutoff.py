"""The evidence cutoff is the earlier of ``evidenceAt`` and ``maturesAt``.

What happens after the cutoff must not count, and what happened before it must. Asked is before, at and after maturity,
with milliseconds in ``evidenceAt``. Whole seconds will do: a cutoff that lies less than a second earlier is accepted.

A cutoff at the run's creation, at the time of the grading, or in 1970 is a frequent slip: often a pattern that misses
the time part or the fraction.

What to do: ``([$evidence, $matures] | min)``, in seconds, both read without fractions.
"""

from collections.abc import Iterator
from typing import Final

from verifier import plan
from verifier.causes import CUTOFF
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import asked_at, how

_NAMES: Final = (plan.EMPTY, plan.FIRST, plan.SECOND, plan.MATURE, plan.LATER)


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for the first wrong cutoff of each kind."""
    told = set()
    for grade in runs.grades(*_NAMES):
        broken = grade.broken
        if isinstance(broken, CUTOFF) and broken.code not in told:
            told.add(broken.code)
            yield RULE.finds(subject, f"in {asked_at(grade)}: {how(broken)}", broken.hint)


RULE: Final = Rule(
    "grade-run-cutoff",
    "the cutoff is the earlier of evidenceAt and maturesAt",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
