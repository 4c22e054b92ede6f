"""A run matures at a time that follows from its creation alone, and after that its value stands.

A maturity taken from fetched evidence, or from the time of the grading, moves: then no two gradings agree on what
counts. After maturity the cutoff stays at ``maturesAt``, so a grading a day later and one a month later see the same.

What to do: ``(.run.createdAt | seconds) + DAYS * 86400``; drop evidence after the cutoff before anything else.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.contract import Observation
from verifier import plan
from verifier.causes import MATURITY
from verifier.findings import Finding, Severity
from verifier.graded import Grade
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import asked_at, differences, how, steady

_COUNT: Final = "Count maturity from the request's run.createdAt, and from nothing else."
_SECOND: Final = 1_000


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield findings about a maturity that moves or is none, and about values that change after it."""
    names = (plan.EMPTY, plan.FIRST, plan.SECOND, plan.MATURE, plan.BEFORE_MATURITY, plan.AT_MATURITY)
    asked = [name for name in names if name in {*plan.DEFAULT, plan.EMPTY} or runs.was_begun(name)]
    grades = [grade for name in asked if (grade := runs.grade(name)) is not None]
    wrong = next((grade for grade in grades if isinstance(grade.broken, MATURITY)), None)
    if wrong is not None and wrong.broken is not None:
        yield RULE.finds(subject, f"in {asked_at(wrong)}: {how(wrong.broken)}", wrong.broken.hint)
        return
    moved = _moved([grade for grade in grades if grade.name != plan.EMPTY])
    if moved is not None:
        yield RULE.finds(subject, moved, _COUNT)
        return
    yield from _unstable(subject, runs)


def _moved(grades: list[Grade]) -> str | None:
    seen = [(grade, grade.observation) for grade in grades if grade.observation is not None]
    for grade, observation in seen[1:]:
        if observation.matures_at != seen[0][1].matures_at:
            first = f"maturesAt is {seen[0][1].matures_at} in {asked_at(seen[0][0])}"
            return f"{first}, and {observation.matures_at} in {asked_at(grade)}, of one run"
    return None


def _unstable(subject: Subject, runs: Runs) -> Iterator[Finding]:
    mature, later = runs.grade(plan.MATURE), runs.grade(plan.LATER)
    if mature is None or later is None or mature.observation is None or later.observation is None:
        return
    if not _same_time(mature.observation, later.observation):
        return  # milliseconds in createdAt: grade-run-created-at
    fields = steady(mature, runs.grade(plan.ELSEWHERE), "value", "case", "opportunity_key")
    changed = differences(mature.observation, later.observation, *fields)
    if changed:
        text = f"what is graded a day after maturity changes within a month: {'; '.join(changed)}"
        advice = "Drop every piece of evidence after the cutoff, which is maturesAt then."
        yield RULE.finds(subject, text, advice)


def _same_time(one: Observation, other: Observation) -> bool:
    return abs(one.matures_at.milliseconds - other.matures_at.milliseconds) <= _SECOND


RULE: Final = Rule(
    "grade-run-maturity",
    "maturity follows from the run's creation, and the value stands after it",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
