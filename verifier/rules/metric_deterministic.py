"""``--metric`` gives the same for the same evidence, wherever and whenever it runs.

Asked twice for the attained and the missed example, the second time in a folder that holds a checkout, in another time
zone and another locale. What depends on them, on the clock or on chance cannot be repeated by a regrade.

What to do: compute from standard input alone; no ``now``, ``date``, ``$RANDOM``, no files.
"""

from collections.abc import Iterator
from typing import Final

from verifier import samples
from verifier.ended import Ended
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how, short


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for the first example that is scored in two ways."""
    for name in samples.REPEATED:
        evidence = samples.example(runs.document or {}, name)
        if evidence is None:
            continue
        first, again = runs.metric(evidence), runs.metric(evidence, again=True)
        if first is None or again is None or first.failed is not None:
            continue
        if first.stdout != again.stdout:
            text = f"--metric gives {_told(first)} for the example {name}, and then {_told(again)}"
            advice = "Compute from standard input alone: no clock, chance, folder, zone or locale."
            yield RULE.finds(subject, text, advice)
            return


def _told(ended: Ended) -> str:
    if ended.failed is not None:
        return how(ended.failed)
    return short((ended.stdout or b"").decode("utf-8", "replace")) or "nothing"


RULE: Final = Rule(
    "metric-deterministic",
    "the metric depends on its evidence alone",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
