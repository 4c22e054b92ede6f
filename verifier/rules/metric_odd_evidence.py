"""``--metric`` survives evidence that is nobody's: null or a number from 0 to 1, one document, status 0.

Given are an empty object, other types, zero, false, huge numbers, odd texts, deep nesting, and the attained example
with its leaves exchanged. Whatever a source may answer one day reaches the metric in a form nobody thought of.

A number outside 0 to 1, or a second document, is an error: it would be archived as a grade, or break the grading. A
failure is a warning. What junk behind the evidence leads to is a note at most, and to fail at it is right.

What to do: look at every type before using a value: ``type == "object"``, ``type == "array"``, ``type == "number"``.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.contract import parse_score
from opvalue.errors import OpvalueError
from verifier import samples
from verifier.ended import Ended
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how

_TYPES: Final = "Look at the types before using values, and print null where they are others."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield at most one finding for output that breaks the contract, one for failures, one for junk."""
    document = runs.document or {}
    broken: list[str] = []
    failed: list[str] = []
    examples = {samples.example(document, name) for name in samples.EXAMPLES}
    for called, evidence in (*samples.ODD, *samples.twisted(document)):
        ended = None if evidence in examples else runs.metric(evidence)
        problem = None if ended is None else _problem(ended)
        if ended is not None and problem is not None:
            (failed if ended.failed is not None else broken).append(f"for {called}: {how(problem)}")
    if broken:
        yield RULE.finds(subject, f"--metric breaks its contract {_listed(broken)}", _TYPES)
    if failed:
        text = f"--metric fails {_listed(failed)}"
        yield RULE.finds(subject, text, _TYPES, severity=Severity.WARNING)
    yield from _junk(subject, runs)


def _junk(subject: Subject, runs: Runs) -> Iterator[Finding]:
    evidence = samples.trailing(runs.document or {})
    ended = None if evidence is None else runs.metric(evidence)
    if ended is None or ended.failed is not None:
        return
    problem = _problem(ended)
    if problem is not None:
        text = f"--metric breaks its contract where junk follows the evidence: {how(problem)}"
        yield RULE.finds(subject, text, "Read the input as a whole: jq -s, or a variable.", confidence=Confidence.LOW)


def _problem(ended: Ended) -> OpvalueError | None:
    if ended.failed is not None:
        return ended.failed
    try:
        parse_score(ended.stdout or b"")
    except OpvalueError as problem:
        return problem
    return None


def _listed(found: list[str]) -> str:
    return found[0] + (f" (and for {len(found) - 1} other kinds of evidence)" if len(found) > 1 else "")


RULE: Final = Rule(
    "metric-odd-evidence",
    "odd evidence gives null or a number from 0 to 1",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
