"""Is this the bundle for what is being graded, and is it fresh enough (DESIGN 5)? Pure."""

from collections.abc import Iterable
from typing import Final

from opvalue.evidence.bundle.errors import (
    BundleIncomplete,
    BundleRefused,
    EvidenceTooOld,
    ObservedLater,
    OtherAttempt,
    OtherClosure,
    OtherDeclared,
    OtherEvaluator,
    OtherHost,
    OtherRepository,
    OtherRun,
)
from opvalue.evidence.bundle.model import Bundle
from opvalue.evidence.exchange import Exchange
from opvalue.identity import Digest, Host, Instant
from opvalue.limits import Limits

_LIMITS: Final = Limits()
_MOST_SHOWN: Final = 3
_MOST_TEXT: Final = 300


def check_for(
    bundle: Bundle,
    *,
    host: Host,
    run_id: str,
    attempt: int,
    evaluator_digest: Digest,
    closure_digest: Digest,
    repository_id: int | None,
) -> None:
    """Raise unless ``bundle`` was recorded, whole, for this evaluator at this run; each difference has its class.

    ``repository_id`` is ``None`` where nobody could be asked for it. Not checked: the evidence time, for evidence
    answers any whose cutoff it is not older than; what is declared, which needs the definition (``check_declared``);
    freshness, which needs the cutoff that the evaluator will state (``check_fresh``); and who recorded it.
    """
    header = bundle.header
    _same("host", header.host, host, OtherHost)
    if repository_id is not None:
        _same("repository", header.repository_id, repository_id, OtherRepository)
    _same("run", header.run_id, run_id, OtherRun)
    _same("attempt", header.attempt, attempt, OtherAttempt)
    _same("evaluator", header.evaluator_digest, evaluator_digest, OtherEvaluator)
    _same("closure", header.closure_digest, closure_digest, OtherClosure)
    check_complete(bundle)


def check_declared(bundle: Bundle, declared: Iterable[str]) -> None:
    """Raise ``OtherDeclared`` unless the bundle declares just these repositories, ``owner/name`` in any case.

    Not checked: their ids, which are the recorder's word.
    """
    expected = sorted({name.lower() for name in declared})
    found = [one.repository for one in bundle.header.declared]
    if found != expected:
        raise OtherDeclared(
            "the bundle was recorded for other declared repositories",
            expected=", ".join(expected)[:_MOST_TEXT] or "none",
            found=", ".join(found)[:_MOST_TEXT] or "none",
        )


def check_complete(bundle: Bundle) -> None:
    """Raise ``BundleIncomplete`` unless everything that was asked for while recording was answered."""
    if bundle.header.complete and not bundle.header.failures:
        return
    shown = [f"{cause}: {request}" for cause, request in bundle.header.failures[:_MOST_SHOWN]]
    raise BundleIncomplete(
        "the recording is not complete", expected="every request answered", found="; ".join(shown) or "cut short"
    )


def check_fresh(exchanges: Iterable[Exchange], cutoff: Instant) -> None:
    """Raise ``EvidenceTooOld`` when an exchange was observed before the evidence cutoff.

    Not checked: that the times are true. They are the recorder's, and no digest of the evidence covers them.
    """
    early = [exchange for exchange in exchanges if exchange.observed_at < cutoff]
    if not early:
        return
    first = min(early, key=lambda exchange: (exchange.observed_at, exchange.request.key()))
    raise EvidenceTooOld(
        "evidence was observed before the cutoff",
        expected=f"at or after {cutoff}",
        found=f"{first.observed_at} {first.request.described()}"
        + (f", and {len(early) - 1} more" if len(early) > 1 else ""),
    )


def check_past(exchanges: Iterable[Exchange], now: Instant) -> None:
    """Raise ``ObservedLater`` when an exchange was observed later than ``now``, by more than clocks may differ."""
    latest = Instant(now.milliseconds + round(_LIMITS.clock_difference_seconds * 1000))
    late = [exchange for exchange in exchanges if exchange.observed_at > latest]
    if not late:
        return
    last = max(late, key=lambda exchange: (exchange.observed_at, exchange.request.key()))
    raise ObservedLater(
        "evidence says that it was observed later than now",
        expected=f"at or before {latest}",
        found=f"{last.observed_at} {last.request.described()}",
    )


def _same(what: str, found: object, expected: object, refused: type[BundleRefused]) -> None:
    if found != expected:
        raise refused(f"the bundle was recorded for another {what}", expected=str(expected), found=str(found))
