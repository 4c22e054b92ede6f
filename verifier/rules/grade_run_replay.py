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
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import differences, how

_ADVICE: Final = "Take the case of the request as it is where there is one, and return it unchanged."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding where a returned case is refused or altered."""
    first, mature = runs.grade(plan.FIRST), runs.grade(plan.MATURE)
    if first is None or mature is None or first.observation is None:
        return
    problem = mature.ended.failed or (mature.broken if is_shape(mature.broken) else None)
    if problem is not None:
        yield RULE.finds(subject, f"a regrade with the case that was returned fails: {how(problem)}", _ADVICE)
    elif mature.observation is not None:
        changed = differences(first.observation, mature.observation, "case", "opportunity_key")
        if changed:
            yield RULE.finds(
                subject, f"a regrade with the case that was returned alters it: {'; '.join(changed)}", _ADVICE
            )


RULE: Final = Rule(
    "grade-run-replay",
    "a returned case is accepted and stays as it is",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
