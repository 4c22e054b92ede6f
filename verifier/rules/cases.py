"""The author's own cases come out as they say.

A case is a folder below ``--cases``: ``request.json``, ``expected.json`` with ``{"value": ...}``, and, where evidence
is read, ``evidence.bundle`` as ``opvalue regrade --record`` writes it. What made-up answers cannot reach, a case can.

What to do: look at the request and ``opvalue bundle show evidence.bundle``; correct the script, or the case.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.strictjson import same
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Case, Subject
from verifier.telling import how, short, value

_ADVICE: Final = "Correct the script, or the case."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for each case that comes out otherwise."""
    for case in subject.asked.cases:
        problem = _problem(runs, case)
        if problem is not None:
            yield RULE.finds(subject, f"the case {short(case.name)} {problem}", _ADVICE)


def _problem(runs: Runs, case: Case) -> str | None:
    grade = runs.case(case)
    if grade is None:
        return None
    if grade.failures:
        return f"is not observed: {short(grade.failures[0].message)} ({short(grade.failures[0].request)})"
    problem = grade.ended.failed or grade.broken
    if problem is not None:
        return f"gives no observation: {how(problem)}"
    seen = None if grade.observation is None else grade.observation.value
    return None if same(seen, case.expected) else f"gives {value(seen)}, not {value(case.expected)}"


RULE: Final = Rule(
    "cases",
    "the author's cases come out as they say",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
