"""An archived run as the archive room would give it, and the states after it."""

from typing import Any, Final

from opvalue.archive import ArchivedRun, Generation
from opvalue.contract import Subject
from opvalue.identity import CommitId, Digest, RunRef
from opvalue.records import ArchivedObservation, GraderEntry, Manifest, ResultEntry, Results
from opvalue.trust import ConsistentRun, ReachableAnchor, TrustPolicy, VerifiedEvaluator, anchor, consistent, match, pin
from tests.trust.memory import REPOSITORY, Memory

PATH: Final = ".github/graders/x.sh"
WORKFLOW: Final = ".github/workflows/x.md"
SCRIPT: Final = b'#!/usr/bin/env bash\ncase "$1" in --definition) : ;; esac\n'
CONFIG: Final[dict[str, Any]] = {"days": 7}
DECLARED: Final = b"""---
name: Daily
graders:
  operational-value:
    run: .github/graders/x.sh
    threshold: 0.5
    config: {days: 7}
---
# Daily
"""

_SUBJECT: Final = Subject(
    run_id="123",
    attempt=2,
    repository="acme/widgets",
    workflow="Daily",
    ref="refs/heads/main",
    sha=f"{1:040x}",
    event_name="schedule",
    created_at="2026-08-28T12:00:00Z",
)
_OBSERVATION: Final = ArchivedObservation(
    subject_type="workflow-run",
    subject=_SUBJECT,
    opportunity_key="issue:42",
    evidence_at="2026-08-28T12:30:00.000Z",
    evidence_cutoff="2026-08-28T12:30:00Z",
    matures_at="2026-08-30T12:00:00Z",
    mature=False,
    case={"issue": 42},
    value=0.25,
)
_GRADER: Final = GraderEntry(
    id="operational-value",
    name="Operational Value",
    source="operational-value",
    enabled=True,
    unit="ratio",
    direction="higher_is_better",
    threshold=0.5,
    digest=Digest.of(SCRIPT).hex,
    run=PATH,
    inline=False,
    config=CONFIG,
)


def archived(
    *,
    generation: Generation = Generation.OPERATIONAL_VALUE,
    evaluator: bytes = SCRIPT,
    subject: dict[str, Any] | None = None,
    observation: dict[str, Any] | None = None,
    grader: dict[str, Any] | None = None,
    implementation_digest: str | None = Digest.of(SCRIPT).hex,
    run_id: str = "123",
    attempt: int = 2,
) -> ArchivedRun:
    """Return the run with these fields changed."""
    seen = _OBSERVATION._replace(subject=_SUBJECT._replace(**(subject or {})))._replace(**(observation or {}))
    entry = _GRADER._replace(**(grader or {}))
    result = ResultEntry(
        "operational-value", "", 0.25, "pass", "", implementation_digest, has_metrics=False, observation=seen
    )
    results = Results(1, run_id, attempt, (result,))
    return ArchivedRun(generation, "agent/graders", Manifest(1, (entry,)), results, entry, result, seen, evaluator)


def consistent_run(policy: TrustPolicy | None = None, **changes: Any) -> ConsistentRun:
    """Return it as consistent."""
    return consistent(archived(**changes), RunRef("123"), REPOSITORY, policy)


def matched(memory: Memory, commit: CommitId, **changes: Any) -> VerifiedEvaluator:
    """Return it with its evaluator matched at ``commit``, which a branch holds."""
    memory.held[commit] = "refs/heads/main"
    subject = {"sha": commit.hex, **changes.pop("subject", {})}
    run = consistent_run(subject=subject, **changes)
    return match(pin(anchor(run, [ReachableAnchor(memory)], memory), memory))
