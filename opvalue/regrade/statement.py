"""Build the values of a regrade document from what was verified and observed. Pure; no pydantic here."""

from typing import Final, NamedTuple

from opvalue.archive import Generation
from opvalue.contract import Baseline, Observation, Subject
from opvalue.identity import Instant
from opvalue.records import outcome
from opvalue.regrade.drift import Drift
from opvalue.strictjson import JsonObject
from opvalue.trust import VerifiedRun

_IMPLEMENTATION: Final = {
    Generation.VALUE: "gh-aw-graders-value-regrade",
    Generation.OPERATIONAL_VALUE: "gh-aw-graders-operational-value-regrade",
}


class EvidenceUsed(NamedTuple):
    """The evidence an evaluator was given, as the statement records it."""

    digest: str | None = None
    exchanges: int = 0
    undeclared: tuple[str, ...] = ()


def statement(
    verified: VerifiedRun,
    baseline: Baseline,
    observed: Observation,
    evidence_at: Instant,
    moved: tuple[Drift, ...],
    evidence: EvidenceUsed,
) -> dict[str, object]:
    """Return the document without ``execution``, in gh-aw's order of keys (reference 2.6)."""
    archived = verified.archived
    return {
        "version": 1,
        "run": {"id": archived.results.run_id, "attempt": archived.results.attempt},
        "regrade": {
            "identity": _identity(verified, evidence_at),
            "originalEvidenceAt": archived.observation.evidence_at,
            "host": verified.consistent.repository.host.name,
            "closureDigest": verified.evaluator.closure_digest.hex,
            "evidence": {
                "digest": evidence.digest,
                "exchanges": evidence.exchanges,
                "undeclared": list(evidence.undeclared),
            },
            "drift": [field._asdict() for field in moved],
        },
        "results": [_result(verified, baseline, observed, evidence_at)],
    }


def _identity(verified: VerifiedRun, evidence_at: Instant) -> JsonObject:
    key = "functionDigest" if verified.archived.generation is Generation.VALUE else "evaluatorDigest"
    return {
        "runId": verified.archived.results.run_id,
        key: verified.consistent.evaluator_digest.hex,
        "evidenceAt": str(evidence_at),
    }


def _result(
    verified: VerifiedRun, baseline: Baseline, observed: Observation, evidence_at: Instant
) -> dict[str, object]:
    grader = verified.archived.grader
    verdict = outcome(observed.value, threshold=grader.threshold, direction=grader.direction)
    result: dict[str, object] = {
        "id": grader.id,
        "name": grader.name,
        "value": observed.value,
        "unit": grader.unit,
        "passed": verdict.passed,
        "status": verdict.status.value,
        "source": grader.source,
    }
    if observed.message:
        result["message"] = observed.message
    result["observation"] = _observation(verified.archived.observation.subject, observed, evidence_at)
    if observed.diagnostics:
        result["diagnostics"] = observed.diagnostics
    result["baselineValue"] = baseline.value
    result["deltaFromBaseline"] = delta(observed.value, baseline.value)
    result["implementation"] = {
        "id": _IMPLEMENTATION[verified.archived.generation],
        "version": 1,
        "digest": verified.consistent.evaluator_digest.hex,
    }
    return result


def delta(value: float | None, baseline: float | None) -> float | None:
    """Return value minus baseline, or ``None`` unless both are numbers."""
    return None if value is None or baseline is None else value - baseline


def _observation(subject: Subject, observed: Observation, evidence_at: Instant) -> dict[str, object]:
    return {
        "subject": {
            "type": "workflow-run",
            "runId": subject.run_id,
            "attempt": subject.attempt,
            "repository": subject.repository,
            "workflow": subject.workflow,
            "ref": subject.ref,
            "sha": subject.sha,
            "eventName": subject.event_name,
            "createdAt": subject.created_at,
        },
        "opportunityKey": observed.opportunity_key,
        "evidenceAt": str(evidence_at),
        "evidenceCutoff": str(observed.evidence_cutoff),
        "maturesAt": str(observed.matures_at),
        "mature": evidence_at >= observed.matures_at,
        "case": observed.case,
        "provenance": list(observed.provenance),
    }
