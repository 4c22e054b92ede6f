"""``--metric`` tells the attained example from the missed one.

The definition's ``validationExamples`` hold evidence of an outcome that was attained and of one that was missed. Both
are numbers from 0 to 1, and the attained one is greater: else the metric measures something else than it says.

What to do: run ``./evaluator.sh --metric <<<'EVIDENCE'`` with both by hand.
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
    """Yield a finding for each of the two examples without a number, or one where their order is wrong."""
    scores: list[int | float] = []
    for name in samples.REPEATED:
        evidence = samples.example(runs.document or {}, name)
        at = place_of(subject, runs.document, f"validationExamples.{name}")
        ended = None if evidence is None else runs.metric(evidence)
        if ended is None:
            return
        try:
            score = _score(ended.failed, ended.stdout)
        except OpvalueError as problem:
            yield RULE.finds(subject, f"--metric gives no number for the example {name}: {how(problem)}", _RUN, at=at)
            continue
        if score is None:
            yield RULE.finds(subject, f"--metric gives null for the example {name}", _RUN, at=at)
        else:
            scores.append(score)
    if len(scores) == len(samples.REPEATED) and not scores[0] > scores[1]:
        text = f"--metric gives {value(scores[0])} for targetAttained and {value(scores[1])} for targetMissed"
        at = place_of(subject, runs.document, "validationExamples")
        yield RULE.finds(subject, text, "The attained example must have the greater number.", at=at)


def _score(failed: OpvalueError | None, stdout: bytes | None) -> int | float | None:
    if failed is not None:
        raise failed
    return parse_score(stdout or b"")


_RUN: Final = "Run --metric with this example by hand; it must print one number from 0 to 1 and end with status 0."
RULE: Final = Rule(
    "metric-examples",
    "the metric tells attained from missed",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
