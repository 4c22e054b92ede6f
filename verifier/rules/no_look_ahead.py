"""What happened after the cutoff changes nothing.

One grading half-way to maturity is made twice: with everything that GitHub shows, and with everything dated after the
cutoff taken out, as GitHub would have shown it then. A script that reads today's state (``state``, ``merged``,
``closed_at``) or compares with the wrong time gives two values. The same with the evidence of the author's cases.

What to do: filter each list by its times first, ``select(.created_at <= $cutoff)``; take states from the event history
(timeline, issue events, reviews), not from the thing as it is today.
"""

from collections.abc import Iterator
from typing import Final

from verifier import plan
from verifier.findings import Finding, Severity
from verifier.graded import Grade
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import differences

_ADVICE: Final = "Compare the time of each piece of evidence with the cutoff, and take states from the event history."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for the first seed, and for each case, whose value changes."""
    pairs = [(plan.FIRST, plan.AS_OF)]
    pairs += [(f"{plan.FIRST}-{seed}", f"{plan.AS_OF}-{seed}") for seed in plan.MORE_SEEDS]
    for name, earlier in pairs:
        if runs.was_begun(earlier):
            changed = _changed(runs.grade(name), runs.grade(earlier))
            if changed is not None:
                yield RULE.finds(subject, changed, _ADVICE)
                break
    for case in subject.asked.cases:
        changed = None if case.bundle is None else _changed(runs.case(case), runs.case(case, as_of=True))
        if changed is not None:
            yield RULE.finds(subject, f"in the case {case.name}, {changed}", _ADVICE)


def _changed(whole: Grade | None, earlier: Grade | None) -> str | None:
    if whole is None or earlier is None or whole.observation is None or earlier.observation is None:
        return None
    changed = differences(whole.observation, earlier.observation, "value")
    if not changed:
        return None
    return f"what came after the cutoff ({whole.observation.evidence_cutoff}) counts: with it and without, {changed[0]}"


RULE: Final = Rule(
    "no-look-ahead",
    "what came after the cutoff does not count",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
