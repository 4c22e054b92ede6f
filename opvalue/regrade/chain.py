"""The chain end to end: a verified run, an explicit instant, a new observation (DESIGN 4).

``verify_run`` takes an archive through every state of trust. ``regrade`` takes nothing less than its result:

1. the evidence time is neither before the run nor in the future;
2. the evaluator speaks the schema-4 contract; a bundle to be replayed is this grading's, and none of it from later
   than now;
3. ``bash -n``, then ``--definition`` under the full contract;
4. the definition is for the run's repository, and a bundle to be replayed declares the same repositories;
5. ``--grade-run``, its requests for evidence answered by a broker; a failed one makes the whole result not observed;
6. the evaluator's exit status before its output;
7. the observation under the rules of reference 2.5, the cutoff at the earlier of evidence time and maturity;
8. no evidence from before the cutoff.

The archive is only read. Not shown by an observation: that the workflow caused the outcome.
"""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from opvalue import __version__
from opvalue.archive import ArchivedRun, Generation
from opvalue.checkout import GitCheckout
from opvalue.contract import Definition, Observation, build_request, encode, parse_definition
from opvalue.evaluator import Runner, Staged, interpreter, parse_with_shfmt
from opvalue.evidence.bundle import Bundle, Declared, check_declared, check_for, check_past
from opvalue.evidence.gh import stand_in
from opvalue.identity import Instant, RepoPath, RunRef
from opvalue.limits import Limits
from opvalue.regrade import errors
from opvalue.regrade.drift import Drift, drift
from opvalue.regrade.evidence import Evidence, Grading, Observed, observe
from opvalue.regrade.instant import check_bounds
from opvalue.regrade.request import Contract
from opvalue.regrade.statement import EvidenceUsed, delta, statement
from opvalue.strictjson import JsonRefused, dumps, loads_object
from opvalue.trust import Anchor, Check, TrustPolicy, VerifiedRun, anchor, bind, consistent, match, pin
from opvalue.trust.states import done

_GRADER_NAME: Final = {Generation.VALUE: "value", Generation.OPERATIONAL_VALUE: "operational-value"}


class Defined(NamedTuple):
    """A verified run whose evaluator answered with a full schema-4 definition for its repository."""

    verified: VerifiedRun
    definition: Definition
    staged: Staged
    checks: tuple[Check, ...]


class Regraded(NamedTuple):
    """A new observation. ``statement`` is canonical; ``execution`` may vary."""

    statement: dict[str, object]
    execution: dict[str, object]
    verified: VerifiedRun
    definition: Definition
    observation: Observation
    evidence_at: Instant
    drift: tuple[Drift, ...]
    checks: tuple[Check, ...]
    sandbox_layers: tuple[str, ...]
    no_sandbox_reason: str | None
    used: EvidenceUsed
    """The evidence it rests on, as the statement names it."""
    evidence_mode: str
    """``none``, ``live`` or ``replay``."""
    bundle: Bundle | None
    """That evidence, recorded now or replayed; ``None`` where none was offered."""
    asked: int
    """How many of its exchanges were asked for now: in a replay it may be fewer than there are."""

    @property
    def mature(self) -> bool:
        """Whether the value no longer moves."""
        return self.evidence_at >= self.observation.matures_at

    @property
    def delta_from_baseline(self) -> float | None:
        """Value minus baseline; ``None`` unless both are numbers."""
        return delta(self.observation.value, self.definition.baseline.value)

    def to_json(self) -> str:
        """Return the whole document's canonical text."""
        return dumps({**self.statement, "execution": self.execution})

    def is_in(self, document: bytes) -> bool:
        """Tell whether ``document`` is a regrade document with this very statement, whatever its ``execution``."""
        try:
            other = loads_object(document)
        except JsonRefused:
            return False
        other.pop("execution", None)
        return dumps(other) == dumps(self.statement)


def verify_run(
    archived: ArchivedRun,
    requested: RunRef,
    checkout: GitCheckout,
    anchors: Sequence[Anchor],
    policy: TrustPolicy | None = None,
    limits: Limits | None = None,
    *,
    known: tuple[Check, ...] = (),
    created_at: Instant | None = None,
    workflow: RepoPath | None = None,
) -> VerifiedRun:
    """Return the run as verified, or raise the first refusal on the way. Runs nothing of the archive or the commit.

    ``checkout`` is the trusted one; its remote is the run's repository. ``known``, ``created_at`` and
    ``workflow`` are what the caller learned of the run elsewhere: see ``trust.consistent`` and ``trust.bind``.
    """
    limits = limits or Limits()
    run = consistent(archived, requested, checkout.repository, policy, known=known, created_at=created_at)
    pinned = pin(anchor(run, anchors, checkout), checkout, limits)
    return bind(match(pinned, parse_with_shfmt, limits), limits, workflow=workflow)


def regrade(
    verified: VerifiedRun,
    evidence_at: Instant,
    *,
    now: Instant,
    runner: Runner | None = None,
    evidence: Evidence | None = None,
    contract: Contract | None = None,
    same_repository: Callable[[str], str | None] = lambda _name: None,
    mode: str = "offline",
    limits: Limits | None = None,
) -> Regraded:
    """Run the verified evaluator as of ``evidence_at`` and return the observation.

    ``now`` bounds the evidence time and is recorded as the time of the regrade. ``evidence`` says who answers the
    evaluator; by default nobody does, and one that asks is not observed. ``contract`` overrides what the
    script's syntax tree says. ``same_repository`` is asked about a name in the definition that is not known as the
    run's repository, and returns how it is that one after all. ``mode`` is recorded.
    """
    check_bounds(evidence_at, verified.consistent, now=now)  # 1
    _check_contract(verified, contract)  # 2
    evidence = evidence or Evidence()
    _check_bundle(verified, evidence, now)
    runner = runner or Runner()
    started = time.monotonic()
    closure, repository = verified.evaluator.closure, verified.consistent.repository
    gh = stand_in(host=repository.host, repository=repository, python=interpreter().program, jq=runner.tools.jq)
    with runner.stage(closure.path, closure.files, repository.host, gh) as staged:
        defined = define(verified, staged, same_repository)
        seen = grade(defined, evidence_at, evidence, jq=runner.tool_versions()["jq"], limits=limits or Limits())
        left_behind = list(staged.left_behind())
    observed = seen.observation
    moved = drift(verified.archived.observation, observed)
    made = statement(verified, defined.definition.baseline, observed, evidence_at, moved, seen.used)
    execution = {
        "mode": mode,
        "checks": [{"name": c.name, "state": c.state.value, "detail": c.detail} for c in defined.checks],
        "evidence": {"mode": evidence.mode, "exchanges": seen.exchanges, "enforced": evidence.enforce},
        "leftBehind": left_behind,
        "sandbox": {"layers": list(runner.layers), "reason": runner.no_sandbox_reason},
        "tools": {"opvalue": __version__, "python": ".".join(map(str, sys.version_info[:3])), **runner.tool_versions()},
        "gradedAt": str(now),
        "durationMs": round((time.monotonic() - started) * 1000),
    }
    return Regraded(
        made,
        execution,
        verified,
        defined.definition,
        observed,
        evidence_at,
        moved,
        defined.checks,
        runner.layers,
        runner.no_sandbox_reason,
        seen.used,
        evidence.mode,
        seen.bundle,
        seen.exchanges,
    )


def define(
    verified: VerifiedRun, staged: Staged, same_repository: Callable[[str], str | None] = lambda _name: None
) -> Defined:
    """Check the evaluator's syntax and definition (steps 3 and 4). ``--grade-run`` is not reached on a refusal."""
    staged.check_syntax()
    definition = parse_definition(staged.definition(), grader=_GRADER_NAME[verified.archived.generation])
    run = verified.consistent
    how = run.policy.same_repository(definition.repository, run.repository) or same_repository(definition.repository)
    if how is None:
        raise errors.DefinitionRepositoryDiffers(
            "the evaluator is defined for another repository", expected=run.repository.slug, found=definition.repository
        )
    checks = (
        *verified.checks,
        done("evaluator.syntax", "valid Bash, by bash -n"),
        done("evaluator.definition", f"definition fulfils the schema-4 contract, for {how}"),
    )
    return Defined(verified, definition, staged, checks)


def grade(defined: Defined, evidence_at: Instant, evidence: Evidence, *, jq: str, limits: Limits) -> Observed:
    """Run ``--grade-run`` and read its observation (steps 5 to 8). ``config.verification`` is never added.

    ``jq`` is the version in use, for the record.
    """
    run = defined.verified.consistent
    archived = run.archived
    declared = _declared(defined, evidence)
    if evidence.replayed is not None:
        check_declared(evidence.replayed, (one.repository for one in declared))
    request = build_request(archived.observation.subject, evidence_at, case=run.case, config=archived.grader.config)
    grading = Grading(
        host=run.repository.host,
        run_id=archived.results.run_id,
        attempt=archived.results.attempt,
        evaluator_digest=run.evaluator_digest,
        closure_digest=defined.verified.evaluator.closure_digest,
        evidence_at=evidence_at,
        created_at=run.created_at,
        jq=jq,
        declared=declared,
    )
    return observe(defined.staged, encode(request), grading, evidence, limits)


def _declared(defined: Defined, evidence: Evidence) -> tuple[Declared, ...]:
    """Return what counts as declared: what the definition names, and the run's repository under its present name."""
    own = defined.verified.consistent.repository.slug.lower()
    others = {name.lower() for name in defined.definition.evidence.repositories} - {own}
    return (Declared(own, evidence.repository_id), *(Declared(name) for name in sorted(others)))


def _check_bundle(verified: VerifiedRun, evidence: Evidence, now: Instant) -> None:
    if evidence.replayed is None:
        return
    run = verified.consistent
    check_for(
        evidence.replayed,
        host=run.repository.host,
        run_id=verified.archived.results.run_id,
        attempt=verified.archived.results.attempt,
        evaluator_digest=run.evaluator_digest,
        closure_digest=verified.evaluator.closure_digest,
        repository_id=evidence.repository_id,
    )
    check_past(evidence.replayed.exchanges, now)


def _check_contract(verified: VerifiedRun, contract: Contract | None) -> None:
    handles = verified.evaluator.closure.handles_definition
    spoken = contract or (Contract.SCHEMA_4 if handles else Contract.SESSION)
    if spoken is Contract.SESSION:
        raise errors.WrongContract(
            f"{verified.consistent.evaluator_path} is not regraded: "
            + (
                "--contract says that it speaks the session contract" if contract else "it does not handle --definition"
            ),
            expected="an evaluator of the schema-4 contract",
            found="the session contract" if contract else "a script without the schema-4 modes",
        )
