"""A regrade with the case that a grading returned accepts it, and returns it unchanged, with the same key.

A regrade has no event: the archived ``case`` is all that tells what the run was about. It goes back in as it came out.
If it is refused, the run can never be graded again; if it is altered, two gradings are about two things.

What to do: ``if (.case | type) == "object" then .case else ... end``, before looking at the event; no change of letter
case, no added marks; an ``opportunityKey`` made of the case alone.
"""

from collections.abc import Iterator
from typing import Final

from verifier import plan
from verifier.causes import is_shape
from verifier.findings import Finding, Severity
from verifier.graded import Grade
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import differences, how, steady

_ADVICE: Final = "Take the case of the request as it is where there is one, and return it unchanged."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding where a returned case is refused or altered; in the thorough profile an empty one as well."""
    pairs = [
        (plan.FIRST, plan.MATURE),
        *([(plan.EMPTY, plan.NOTHING_AGAIN)] if runs.was_begun(plan.NOTHING_AGAIN) else []),
    ]
    for name, again in pairs:
        fields = steady(runs.grade(plan.MATURE), runs.grade(plan.ELSEWHERE), "case", "opportunity_key")
        text = _replayed(runs.grade(name), runs.grade(again), fields)
        if text is not None:
            yield RULE.finds(subject, f"a regrade with the case that was returned {text}", _ADVICE)


def _replayed(first: Grade | None, again: Grade | None, fields: list[str]) -> str | None:
    if first is None or again is None or first.observation is None:
        return None
    problem = again.ended.failed or (again.broken if is_shape(again.broken) else None)
    if problem is not None:
        return f"fails: {how(problem)}"
    if again.observation is None:
        return None
    changed = differences(first.observation, again.observation, *fields)
    return f"alters it: {'; '.join(changed)}" if changed else None


RULE: Final = Rule(
    "grade-run-replay",
    "a returned case is accepted and stays as it is",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
