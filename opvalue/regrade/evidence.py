"""The evidence of one regrade: who answers the evaluator, and what came of it (DESIGN 5).

1. the evaluator runs, and whatever it asks of GitHub is answered by the broker;
2. any exchange that failed makes the whole result not observed, whatever the evaluator printed and however it ended;
3. the observation is read;
4. no evidence may be older than its cutoff.

Not decided here: what a request may ask for, and what counts as a failure; see ``opvalue.evidence``.
"""

from typing import Final, NamedTuple, Self

from opvalue.contract import Observation, parse_observation
from opvalue.errors import OpvalueError
from opvalue.evaluator import Staged
from opvalue.evidence.broker import Broker, Nothing, Recorded, Source
from opvalue.evidence.broker.errors import EvidenceNotOffered as NothingOffered
from opvalue.evidence.bundle import Bundle, Declared, Header, Profile, check_fresh, scope_of
from opvalue.evidence.gh import PROFILE
from opvalue.evidence.scope import Scope
from opvalue.identity import Digest, Host, Instant
from opvalue.limits import Limits
from opvalue.regrade import errors
from opvalue.regrade.statement import EvidenceUsed

SOCKET: Final = "socket"


class Evidence(NamedTuple):
    """Who answers the evaluator. By default nobody: then one that asks is not observed."""

    source: Source = Nothing()
    mode: str = "none"
    """``none``, ``live`` or ``replay``; recorded in ``execution``."""
    repository_id: int | None = None
    """GitHub's number of the run's repository, which live evidence is recorded for."""
    enforce: bool = False
    """Refuse what lies outside the repositories that the evaluator declares."""
    replayed: Bundle | None = None
    """The bundle behind ``source``, in a replay."""

    @classmethod
    def live(cls, source: Source, *, enforce: bool = False) -> Self:
        """Return evidence that is gathered now. ``source`` may serve many regrades: it is one snapshot."""
        return cls(source, "live", enforce=enforce)

    @classmethod
    def replay(cls, bundle: Bundle, *, enforce: bool = False) -> Self:
        """Return evidence that was recorded earlier. Whether it is this run's is checked when it is used."""
        return cls(Recorded(bundle), "replay", bundle.header.repository_id, enforce, bundle)

    def known_as(self, repository_id: int) -> Self:
        """Return this evidence for the repository that the API knows by this number.

        A bundle recorded for another repository is refused when it is used.
        """
        return self._replace(repository_id=repository_id)


class Grading(NamedTuple):
    """One grading of one run, as a bundle records what its evidence was for."""

    host: Host
    run_id: str
    attempt: int
    evaluator_digest: Digest
    closure_digest: Digest
    evidence_at: Instant
    created_at: Instant | None
    jq: str
    """The version in use."""
    declared: tuple[Declared, ...] = ()
    """What counts as declared evidence."""

    @property
    def scope(self) -> Scope:
        """What the broker takes for declared."""
        return scope_of(self.declared)


class Observed(NamedTuple):
    """An observation, and the evidence it rests on."""

    observation: Observation
    used: EvidenceUsed
    bundle: Bundle | None
    """The exchanges made for it, to be kept; the replayed one in a replay; ``None`` where nothing was offered."""
    exchanges: int
    """How many of them were made now."""


def observe(staged: Staged, request: bytes, grading: Grading, evidence: Evidence, limits: Limits) -> Observed:
    """Run ``--grade-run`` on ``request`` with this evidence. Raises ``NotObserved`` and ``EvidenceNotOffered``.

    And what ``Staged.grade_run``, ``parse_observation`` and ``check_fresh`` raise; ``ValueError`` for live evidence of
    a repository whose number is not known, because the observation could not name what it rests on.
    """
    if evidence.mode == "live" and evidence.repository_id is None:
        raise ValueError("live evidence is recorded for a repository by its number: Evidence.known_as")
    broker = Broker(evidence.source, grading.scope, host=grading.host, enforce=evidence.enforce, limits=limits)
    ended: OpvalueError | None = None
    stdout = b""
    with broker.listen(staged.broker_folder / SOCKET):
        try:
            stdout = staged.grade_run(request, grace=broker.waited)
        except OpvalueError as failed:
            ended = failed
    if broker.failures:
        raise _not_observed(broker, grading, evidence)
    if ended is not None:
        raise ended
    observation = parse_observation(stdout, evidence_at=grading.evidence_at, created_at=grading.created_at)
    check_fresh(broker.exchanges, observation.evidence_cutoff)
    bundle = evidence.replayed or _recorded(broker, grading, evidence)
    return Observed(observation, _used(bundle, broker), bundle, len(broker.exchanges))


def _not_observed(broker: Broker, grading: Grading, evidence: Evidence) -> OpvalueError:
    first = broker.failures[0]
    if first.code == NothingOffered.code:
        return errors.EvidenceNotOffered(
            "the evaluator asked for evidence and none was offered",
            expected="an evaluator that reads its request alone",
            found=first.request,
        )
    return errors.NotObserved(broker.failures, None if evidence.replayed else _recorded(broker, grading, evidence))


def _used(bundle: Bundle | None, broker: Broker) -> EvidenceUsed:
    # Where nothing was asked for there is no evidence to name, whether or not some was offered.
    if bundle is None or not broker.exchanges:
        return EvidenceUsed()
    return EvidenceUsed(bundle.digest.hex, len(bundle.exchanges), broker.undeclared)


def _recorded(broker: Broker, grading: Grading, evidence: Evidence) -> Bundle | None:
    if evidence.repository_id is None:
        return None
    header = Header(
        host=grading.host,
        repository_id=evidence.repository_id,
        run_id=grading.run_id,
        attempt=grading.attempt,
        evaluator_digest=grading.evaluator_digest,
        closure_digest=grading.closure_digest,
        requests=(grading.evidence_at,),
        complete=not broker.failures,
        failures=tuple((failure.code, failure.request) for failure in broker.failures),
        profile=Profile(gh=PROFILE, jq=grading.jq),
        declared=grading.declared,
    )
    return Bundle.of(header, broker.exchanges)
