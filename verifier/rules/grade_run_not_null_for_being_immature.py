"""Before maturity there is a value as well: null means missing evidence, never "too early".

The value grows or falls as evidence arrives, and a report shows it on the way. Whether a run is mature, gh-aw computes
itself from ``maturesAt``. Null for an immature run looks like evidence that could not be read.

Found where the message or a text in the diagnostics beside a null value says so ("pending", "not mature"), unless the
diagnostics of a regrade after maturity hold the same text: a check may be pending, too. Where a regrade of one run
gives null before and a number after maturity, it is a note: the evidence may only have come in between.

What to do: apply the metric to the evidence up to the cutoff, whenever that is.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.strictjson import JsonValue
from verifier import plan
from verifier.findings import Confidence, Finding, Severity
from verifier.graded import Grade
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import asked_at, value

_IMMATURE: Final = re.compile(
    r"\b(?:pending|immature|premature|not (?:yet )?(?:mature|matured|ripe)|too early"
    r"|(?:before|until|awaiting|wait(?:ing)? for) (?:the )?(?:maturity|maturation)"
    r"|matur\w+ (?:window|period) (?:has not|is not|not|open))",
    re.IGNORECASE,
)
_ADVICE: Final = "Grade what is known at the cutoff; maturesAt tells that the value may still change."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield at most one finding."""
    first, mature = runs.grade(plan.FIRST), runs.grade(plan.MATURE)
    if not _is_null(first):
        return
    for grade in (first, runs.grade(plan.EMPTY)):
        said = _said(grade, mature)
        if grade is not None and said is not None:
            text = f"the value is null for being immature in {asked_at(grade)}: {value(said)}"
            yield RULE.finds(subject, text, _ADVICE)
            return
    if mature is not None and mature.observation is not None and mature.observation.value is not None:
        text = f"the value is null half-way to maturity, and {value(mature.observation.value)} after it"
        yield RULE.finds(subject, text, _ADVICE, confidence=Confidence.LOW)


def _is_null(grade: Grade | None) -> bool:
    return grade is not None and grade.observation is not None and grade.observation.value is None


def _said(grade: Grade | None, mature: Grade | None) -> str | None:
    """Return the text beside a null value that speaks of immaturity, if there is one."""
    if grade is None or grade.observation is None or not _is_null(grade):
        return None
    later = set() if mature is None or mature.observation is None else set(_texts(mature.observation.diagnostics))
    diagnosed = (text for text in _texts(grade.observation.diagnostics) if text not in later)
    return next((text for text in (grade.observation.message or "", *diagnosed) if _IMMATURE.search(text)), None)


def _texts(found: JsonValue) -> Iterator[str]:
    """Yield every string in a document, keys aside."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from _texts(inner)


RULE: Final = Rule(
    "grade-run-not-null-for-being-immature",
    "null means missing evidence, never too early",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
