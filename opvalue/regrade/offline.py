"""Regrade from an artifact at hand and a trusted checkout, without network (DESIGN 4, offline)."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from opvalue.archive import read_artifact
from opvalue.checkout import GitCheckout
from opvalue.evaluator import Runner
from opvalue.identity import Instant
from opvalue.limits import Limits
from opvalue.regrade.asked import regrade_as_asked
from opvalue.regrade.chain import Regraded, verify_run
from opvalue.regrade.evidence import Evidence
from opvalue.regrade.instant import check_spelling
from opvalue.regrade.request import RegradeRequest
from opvalue.trust import TrustPolicy
from opvalue.trust.states import skipped

_NOT_ASKED: Final = (
    skipped(
        "run.facts",
        "offline: the API was not asked for the run's status, event, attempt, creation time and head repository",
    ),
    skipped("artifact.transport-digest", "offline: nobody offered a digest of the artifact as a whole"),
)


def regrade_offline(
    request: RegradeRequest,
    artifact: Path,
    *,
    now: Instant,
    runner: Runner | None = None,
    evidence: Evidence | None = None,
    limits: Limits | None = None,
    tell: Callable[[str], object] = lambda _text: None,
) -> Regraded:
    """Read, verify and regrade. ``tell`` hears what is going on.

    ``artifact`` is the run's ``agent`` artifact, a zip file or the folder it was unpacked to; it is opened read-only,
    once. ``evidence`` says who answers the evaluator; by default nobody does. Raises the first refusal of any room on
    the way, as the coded error it is.
    """
    limits = limits or Limits()
    check_spelling(request.evidence_at)
    runner = runner or Runner()
    runner.prepare()
    tell("reading the artifact")
    archived = read_artifact(artifact, limits)
    tell("verifying it against the checkout")
    with GitCheckout.open(request.checkout, repository=request.repository, limits=limits) as checkout:
        policy = TrustPolicy(request.former_names(checkout.repository.host))
        anchors = request.anchors(checkout)
        verified = verify_run(archived, request.run, checkout, anchors, policy, limits, known=_NOT_ASKED)
    tell("running the evaluator")
    return regrade_as_asked(request, verified, now=now, runner=runner, evidence=evidence, limits=limits)
