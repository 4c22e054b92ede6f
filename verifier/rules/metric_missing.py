"""``--metric`` gives null for the missing and the malformed example.

Evidence that is not there, or not of the expected form, says nothing about the outcome. A number for it, above all 0,
takes "we do not know" for "it did not happen".

What to do: test the form first: ``if (.events | type) != "array" then null else ... end``.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.contract import parse_score
from opvalue.errors import OpvalueError
from verifier import samples
from verifier.definition_places import place_of
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how, value


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for each of the two examples that does not give null."""
    for name in ("missing", "malformed"):
        evidence = samples.example(runs.document or {}, name)
        at = place_of(subject, runs.document, f"validationExamples.{name}")
        ended = None if evidence is None else runs.metric(evidence)
        if ended is None:
            continue
        try:
            if ended.failed is not None:
                raise ended.failed
            score = parse_score(ended.stdout or b"")
        except OpvalueError as problem:
            yield RULE.finds(subject, f"--metric fails for the example {name}: {how(problem)}", _ADVICE, at=at)
            continue
        if score is not None:
            yield RULE.finds(subject, f"--metric gives {value(score)} for the example {name}", _ADVICE, at=at)


_ADVICE: Final = "Look at the form of the evidence first, and print null where it is not what the metric needs."
RULE: Final = Rule(
    "metric-missing",
    "missing and malformed evidence is null",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
