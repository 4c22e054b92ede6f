"""``--grade-run`` answers a plain request with one observation, also when there is nothing to observe.

Asked is a first grading an hour after the run: no event, no case, and GitHub has nothing to show yet. What belongs into
the answer: ``value`` (null, or a number from 0 to 1), ``case`` (an object, also then), ``opportunityKey``,
``evidenceCutoff``, ``maturesAt``, ``provenance`` (an array). One JSON document, status 0.

A script whose grading mode is missing or broken passes every check of its definition and its metric.

What to do: run it by hand with such a request. Discard the output of ``jq -e`` and other tests. Where there is no
opportunity, print null with a case such as ``{"issue": null}`` and the reason in ``message``.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.errors import OpvalueError
from verifier import plan
from verifier.causes import is_shape
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import asked_at, how

_BASH_SAYS: Final = re.compile(
    r": line \d+: .*(?:unbound variable|command not found|syntax error|bad substitution|No such file or directory)"
)


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding where the plainest request gives no observation."""
    for grade in runs.grades(plan.EMPTY):
        problem = grade.ended.failed
        if problem is not None:
            text = f"--grade-run fails in {asked_at(grade)}: {how(problem)}"
            yield RULE.finds(subject, text, _advice(problem))
        elif grade.broken is not None and is_shape(grade.broken):
            text = f"--grade-run gives no observation in {asked_at(grade)}: {how(grade.broken)}"
            yield RULE.finds(subject, text, grade.broken.hint)


def _advice(problem: OpvalueError) -> str:
    if _BASH_SAYS.search(problem.message):
        return (
            "Mend the line that Bash names: the script itself stumbles there, and evidence has nothing to do with it."
        )
    return "Print an observation with a null value and the reason, and end with status 0."


RULE: Final = Rule(
    "grade-run-shape",
    "--grade-run answers with one observation",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
