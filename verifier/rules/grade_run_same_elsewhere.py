"""The observation does not depend on the working folder, the time zone, the locale, the clock or chance.

The same regrade is asked for twice, the second time in a folder that holds a Git checkout, in another zone and another
locale. A workflow's run has a checkout around it and a regrade has none: a script that looks there grades differently.
In the thorough profile a first grading is asked for twice as well: only there a case and its key are made.

What to do: read what belongs to a commit through the API, with the commit's id; no files of the working folder, no
``git`` in it; dates in UTC, by jq.
"""

from collections.abc import Iterator
from typing import Final

from verifier import plan
from verifier.findings import Confidence, Finding, Severity
from verifier.graded import Grade
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import differences, how

_FIELDS: Final = ("value", "case", "opportunity_key", "evidence_cutoff", "matures_at", "provenance")
_ADVICE: Final = "Read everything through the request and gh api; keep dates in UTC; no clock, no chance."
_WHERE: Final = "in another folder, zone and locale"


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding where the second run differs; the first grading's only where regrades are the same."""
    findings = list(_regraded(subject, runs))
    yield from findings
    if not findings and runs.was_begun(plan.FIRST_ELSEWHERE):
        yield from _graded_first(subject, runs.grade(plan.FIRST), runs.grade(plan.FIRST_ELSEWHERE))


def _graded_first(subject: Subject, first: Grade | None, elsewhere: Grade | None) -> Iterator[Finding]:
    if first is None or elsewhere is None or first.observation is None:
        return
    problem = elsewhere.ended.failed or elsewhere.broken
    if problem is not None:
        yield RULE.finds(subject, f"a first grading fails {_WHERE}: {how(problem)}", _ADVICE)
    elif elsewhere.observation is not None:
        changed = differences(first.observation, elsewhere.observation, *_FIELDS)
        if changed:
            yield RULE.finds(subject, f"a first grading is another {_WHERE}: {'; '.join(changed)}", _ADVICE)


def _regraded(subject: Subject, runs: Runs) -> Iterator[Finding]:
    mature, elsewhere = runs.grade(plan.MATURE), runs.grade(plan.ELSEWHERE)
    if mature is None or elsewhere is None or mature.ended.failed is not None:
        return
    problem = elsewhere.ended.failed or (elsewhere.broken if mature.observation is not None else None)
    if problem is not None:
        yield RULE.finds(subject, f"a regrade fails {_WHERE}: {how(problem)}", _ADVICE)
        return
    if mature.observation is None or elsewhere.observation is None:
        return
    changed = differences(mature.observation, elsewhere.observation, *_FIELDS)
    if changed:
        yield RULE.finds(subject, f"a regrade is another {_where(runs)}: {'; '.join(changed)}", _ADVICE)
    elif mature.document != elsewhere.document:
        text = f"message, diagnostics or other fields of a regrade are others {_where(runs)}"
        yield RULE.finds(subject, text, _ADVICE, confidence=Confidence.LOW)


def _where(runs: Runs) -> str:
    """Return what made the difference, as far as the runs that were made tell."""
    if not runs.was_begun(plan.SAME):
        return _WHERE
    mature, same = runs.grade(plan.MATURE), runs.grade(plan.SAME)
    if mature is None or same is None:
        return _WHERE
    return _WHERE if mature.document == same.document else "each time, everything else the same"


RULE: Final = Rule(
    "grade-run-same-elsewhere",
    "an observation depends on request and evidence alone",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
