"""Regrade from an artifact at hand and a trusted checkout, without network (DESIGN 4, offline)."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from opvalue.archive import read_artifact
from opvalue.checkout import GitCheckout
from opvalue.evaluator import Runner
from opvalue.identity import CommitId, Instant, Repository, RunRef
from opvalue.limits import Limits
from opvalue.regrade.chain import Contract, Regraded, regrade, verify_run
from opvalue.regrade.errors import NotMature
from opvalue.regrade.instant import check_spelling, evidence_instant
from opvalue.trust import Anchor, CommitAnchor, ReachableAnchor, TrustPolicy


class OfflineRegrade(NamedTuple):
    """What is to be regraded, from what, and what the caller vouches for."""

    run: RunRef
    evidence_at: str
    """An RFC 3339 time with a zone, ``now`` or ``maturity``."""
    artifact: Path
    """The run's ``agent`` artifact: a zip file, or the folder it was unpacked to."""
    checkout: Path
    """A clone of the run's repository; trusted."""
    repository: Repository | None = None
    """The run's repository; when absent, the only one the checkout's remotes name."""
    commit: CommitId | None = None
    """A commit the caller vouches for."""
    renamed_from: tuple[str, ...] = ()
    """Former names of the repository, ``OWNER/REPO`` each."""
    contract: Contract | None = None
    """The evaluator's contract, when it is not to be told from the script."""
    require_mature: bool = False
    """Refuse an observation that is not mature."""


def regrade_offline(
    request: OfflineRegrade,
    *,
    now: Instant,
    runner: Runner | None = None,
    limits: Limits | None = None,
    tell: Callable[[str], object] = lambda _text: None,
) -> Regraded:
    """Read, verify and regrade. ``tell`` hears what is going on. The artifact is opened read-only, once.

    Raises the first refusal of any room on the way, as the coded error it is.
    """
    limits = limits or Limits()
    check_spelling(request.evidence_at)
    tell("reading the artifact")
    archived = read_artifact(request.artifact, limits)
    tell("verifying it against the checkout")
    with GitCheckout.open(request.checkout, repository=request.repository, limits=limits) as checkout:
        former = tuple(Repository.parse(name, default_host=checkout.repository.host) for name in request.renamed_from)
        anchors: list[Anchor] = [ReachableAnchor(checkout)]
        if request.commit is not None:
            anchors.insert(0, CommitAnchor(request.commit))
        verified = verify_run(archived, request.run, checkout, anchors, TrustPolicy(former), limits)
    instant = evidence_instant(request.evidence_at, verified.consistent, now=now)
    tell("running the evaluator")
    regraded = regrade(verified, instant, now=now, runner=runner, contract=request.contract)
    if request.require_mature and not regraded.mature:
        raise NotMature(
            "the observation is not mature",
            expected=f"maturity at {regraded.observation.matures_at}",
            found=str(instant),
        )
    return regraded
