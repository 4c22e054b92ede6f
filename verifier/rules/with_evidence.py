"""With evidence there, the grading goes through: one document, no crash, nothing that a regrade would refuse.

Many a script was only ever run where there was nothing to find, and fails when there is. Here a made-up GitHub answers
with realistic things: names and numbers out of the request, times around creation, maturity and after, several seeds.
The answers are of no real repository; that a value is 0 or null with them is no fault.

What a regrade would not observe is told as well: a command that the broker's ``gh`` does not do, a request that is no
read, pages that are not taken. And a request for ``issues/null``: what it should name comes from the grader's
configuration or the event, and is not there. Then nothing that was run says anything about the evaluator.

What to do: give the configuration (``--config WORKFLOW.md``, or ``--checkout``), and let a script without it fail. Look
at the message, and at the answer it is about, in GitHub's documentation of the endpoint.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.evidence.broker.errors import AnswerNotTaken
from verifier import plan
from verifier.causes import is_shape
from verifier.findings import Finding, Severity
from verifier.graded import Grade
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import asked_at, how, short

_ADVICE: Final = "Run it where there is evidence, and look at each answer's form before using it."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield findings about gradings with evidence; each fault once."""
    empty = runs.grade(plan.EMPTY)
    usual = None if empty is None else empty.ended.failed or empty.broken
    told = {None if usual is None else usual.message}
    grades = list(runs.grades(*_names(runs)))
    for grade in grades:
        problem = grade.ended.failed or (grade.broken if is_shape(grade.broken) else None)
        if problem is None or problem.message in told:
            continue
        told.add(problem.message)
        failed = "fails" if grade.ended.failed is not None else "gives no observation"
        yield RULE.finds(subject, f"--grade-run {failed} in {asked_at(grade)}: {how(problem)}", _ADVICE)
    yield from _not_observed(subject, grades)
    yield from _unnamed(subject, grades)


def _names(runs: Runs) -> list[str]:
    others = [plan.AS_OF, *(f"{name}-{seed}" for name in (plan.FIRST, plan.AS_OF) for seed in plan.MORE_SEEDS)]
    return [plan.FIRST, plan.SECOND, *(name for name in others if runs.was_begun(name))]


def _not_observed(subject: Subject, grades: list[Grade]) -> Iterator[Finding]:
    told = set()
    for grade in grades:
        for failure in grade.failures[:1]:
            if failure.code not in told:
                told.add(failure.code)
                early = failure.code == AnswerNotTaken.code
                yield RULE.finds(
                    subject,
                    f"a regrade would not be observed: {short(failure.message)} [{failure.code}]",
                    "Ask by gh api, read answers to their end, and wait for every gh.",
                    severity=Severity.WARNING if early else Severity.ERROR,
                )


def _unnamed(subject: Subject, grades: list[Grade]) -> Iterator[Finding]:
    for grade in grades:
        if grade.unnamed is not None:
            yield RULE.finds(
                subject,
                f"asks for {short(grade.unnamed)} in {asked_at(grade)}: a name or number is missing",
                "Give the config of a run: --config WORKFLOW.md, or --checkout. Let a script without it fail.",
                severity=Severity.WARNING,
            )
            return


RULE: Final = Rule(
    "with-evidence",
    "with evidence the grading goes through",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
