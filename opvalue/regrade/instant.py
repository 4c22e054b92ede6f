"""Which instant ``--evidence-at`` means for a run (DESIGN 4.1). Pure: the present is passed in."""

from typing import Final

from opvalue.identity import Instant, InstantRefused
from opvalue.regrade.errors import EvidenceBeforeRun, EvidenceInFuture
from opvalue.trust import ConsistentRun

NOW: Final = "now"
MATURITY: Final = "maturity"


def evidence_instant(text: str, run: ConsistentRun, *, now: Instant) -> Instant:
    """Return the instant of an RFC 3339 time, ``now``, or ``maturity`` (the archived ``maturesAt``).

    Raises ``InstantRefused``, ``EvidenceBeforeRun`` and ``EvidenceInFuture``. A run without a recorded creation time
    has no lower bound.
    """
    instant = {NOW: now, MATURITY: run.matures_at}.get(text) or Instant.parse(text)
    check_bounds(instant, run, now=now)
    return instant


def check_spelling(text: str) -> None:
    """Refuse what is neither a time nor one of the two words, before anything is read. Raises ``InstantRefused``."""
    if text in {NOW, MATURITY}:
        return
    try:
        Instant.parse(text)
    except InstantRefused as refused:
        raise InstantRefused(
            refused.message, expected=f"{refused.expected}, {NOW} or {MATURITY}", found=refused.found
        ) from None


def check_bounds(instant: Instant, run: ConsistentRun, *, now: Instant) -> None:
    """Refuse an evidence time before the run's creation or after ``now``."""
    if run.created_at is not None and instant < run.created_at:
        raise EvidenceBeforeRun(
            "the evidence time lies before the run", expected=f"at or after {run.created_at}", found=str(instant)
        )
    if instant > now:
        raise EvidenceInFuture("the evidence time has not come yet", expected=f"at most {now}", found=str(instant))
