"""The last step, the same online and offline: the evidence time is settled, the evaluator run, maturity asked for."""

from collections.abc import Callable

from opvalue.evaluator import Runner
from opvalue.identity import Instant
from opvalue.limits import Limits
from opvalue.regrade.chain import Regraded, regrade
from opvalue.regrade.errors import MaturityMoved, NotMature
from opvalue.regrade.evidence import Evidence
from opvalue.regrade.instant import MATURITY, evidence_instant
from opvalue.regrade.request import RegradeRequest
from opvalue.trust import VerifiedRun


def regrade_as_asked(
    request: RegradeRequest,
    verified: VerifiedRun,
    *,
    now: Instant,
    runner: Runner | None = None,
    evidence: Evidence | None = None,
    same_repository: Callable[[str], str | None] = lambda _name: None,
    mode: str = "offline",
    limits: Limits | None = None,
) -> Regraded:
    """Regrade ``verified`` as ``request`` says. Raises ``MaturityMoved``, ``NotMature`` and what ``regrade`` raises."""
    instant = evidence_instant(request.evidence_at, verified.consistent, now=now)
    regraded = regrade(
        verified,
        instant,
        now=now,
        runner=runner,
        evidence=evidence,
        contract=request.contract,
        same_repository=same_repository,
        mode=mode,
        limits=limits,
    )
    archived = verified.consistent.matures_at
    if request.evidence_at == MATURITY and regraded.observation.matures_at != archived:
        raise MaturityMoved(
            "the run does not mature when its archive says",
            expected=f"{archived} (archived)",
            found=f"{regraded.observation.matures_at} (evaluator)",
        )
    if request.require_mature and not regraded.mature:
        raise NotMature(
            "the observation is not mature",
            expected=f"maturity at {regraded.observation.matures_at}",
            found=str(instant),
        )
    return regraded
