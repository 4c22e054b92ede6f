"""``config.verification`` changes nothing.

An older check script sent ``config: {"verification": true}``, and some evaluators answer it with a canned 1. What is
checked then is not what grades.

What to do: take the branch out.
"""

from collections.abc import Iterator
from typing import Final

from verifier import plan
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import differences, how, steady

_FIELDS: Final = ("value", "case", "opportunity_key", "evidence_cutoff", "matures_at", "message")
_ADVICE: Final = "Grade in the same way whatever config.verification says."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding where the flag makes a difference."""
    plain, flagged = runs.grade(plan.EMPTY), runs.grade(plan.VERIFICATION)
    if plain is None or flagged is None:
        return
    failed = [grade.ended.failed for grade in (plain, flagged)]
    problem = flagged.ended.failed or flagged.broken
    if plain.observation is not None and flagged.observation is not None:
        fields = steady(runs.grade(plan.MATURE), runs.grade(plan.ELSEWHERE), *_FIELDS)
        changed = differences(plain.observation, flagged.observation, *fields)
        if changed:
            yield RULE.finds(subject, f"config.verification changes the grading: {'; '.join(changed)}", _ADVICE)
    elif plain.observation is not None and problem is not None:
        yield RULE.finds(subject, f"with config.verification the grading fails: {how(problem)}", _ADVICE)
    elif flagged.observation is not None or (failed[0] is not None and failed[1] is None):
        yield RULE.finds(subject, "the grading succeeds with config.verification only", _ADVICE)


RULE: Final = Rule(
    "grade-run-verification-flag",
    "config.verification changes nothing",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
