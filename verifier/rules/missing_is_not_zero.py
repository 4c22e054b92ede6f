"""Evidence that cannot be read gives null or a failing exit, never a number.

A failure to observe says nothing about the outcome. Scored as 0 or 1 it stays in the archive, and nobody can tell it
from a real grade. A regrade takes any such failure for "not observed", whatever the script printed; the workflow's own
run does not, so the script must tell them apart itself.

Tried are, in regrades of one case: GitHub refusing every request; no connection; lists, queries and searches of another
form, or a search that says it is not whole. The thorough profile adds denials, rate limits, answers that are cut, and
failures after a first answer.

What to do: look at the status of every ``gh``, at the type of every answer, at ``incomplete_results`` of every search,
at ``errors`` and ``data`` of every query; then ``fail``, or print null with the reason.
"""

from collections.abc import Iterator
from typing import Final

from verifier import plan
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import value

_ADVICE: Final = "Look at the status of every gh and at the form of its answer; then fail, or print null."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for each kind of failure that gives a number."""
    for name, kind in plan.FAILING.items():
        grade = runs.grade(name) if runs.was_begun(name) else None
        if grade is not None and grade.hit and grade.number is not None:
            yield RULE.finds(subject, f"the value is {value(grade.number)} when {kind.value}", _ADVICE)


RULE: Final = Rule(
    "missing-is-not-zero",
    "evidence that cannot be read is no number",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
