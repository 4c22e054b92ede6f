"""Tell the demo: one run of a made-up workflow, archived as gh-aw archived runs, then regraded at several times.

The repository, the archive, the bundle of evidence, the signature and every refusal are real. Invented are the names,
the dates and the issue: the bundle holds what GitHub would have answered about it.
"""

import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.contract import Observation
from opvalue.demo.evidence import recorded
from opvalue.demo.repository import Commit, make_repository
from opvalue.evaluator import Runner, interpreter
from opvalue.evidence.bundle import Bundle, read_bundle, save
from opvalue.evidence.gh import stand_in
from opvalue.identity import Digest, Instant, RepoPath, Repository, RunRef
from opvalue.limits import Limits
from opvalue.records import HIGHER_IS_BETTER, outcome
from opvalue.regrade import Regraded, RegradeRequest, regrade_offline
from opvalue.regrade.evidence import Evidence, Grading, observe
from opvalue.strictjson import JsonObject, dumps, dumps_compact

RUN: Final = RunRef("123456", Repository.parse("acme/widgets"))
TIMES: Final = (
    ("before maturity", "2025-08-21T00:00:00Z"),
    ("later", "2025-08-25T00:00:00Z"),
    ("at maturity", "maturity"),
    ("long after", "2025-09-20T00:00:00Z"),
)
"""When the demo looks, in words and as ``--evidence-at``."""

_EVALUATOR: Final = ".github/graders/issue-triage-operational-value.sh"
_WORKFLOW: Final = ".github/workflows/issue-triage.md"
# The workflow's first commit, whose id and time the evaluator's definition names.
ADOPTED: Final = "2025-08-01T09:00:00Z"
_GRADED_SINCE: Final = "2025-08-19T09:00:00Z"
_CREATED: Final = "2025-08-20T10:00:00Z"
_FIRST_GRADED: Final = Instant.parse("2025-08-20T10:10:00Z")
# The story plays in 2025 on every machine, whatever its clock says.
NOW: Final = Instant.parse("2025-10-01T00:00:00Z")
_THRESHOLD: Final = 0.6
_CONFIG: Final[JsonObject] = {"issue": 42}


class Demo(NamedTuple):
    """What the demo made: a clone, a true archive, and one that was tampered with."""

    checkout: Path
    commit: str
    artifact: Path
    tampered: Path
    bundle: Path
    """The evidence, as it was recorded."""

    def regrade(self, evidence_at: str, *, runner: Runner) -> Regraded:
        """Regrade the true archive."""
        return self._regrade(evidence_at, self.artifact, runner)

    def regrade_tampered(self, *, runner: Runner) -> Regraded:
        """Try to regrade the other one. Raises ``EvaluatorDiffers``: it agrees with itself, not with the commit."""
        return self._regrade("maturity", self.tampered, runner)

    def _regrade(self, evidence_at: str, artifact: Path, runner: Runner) -> Regraded:
        request = RegradeRequest(RUN, evidence_at, self.checkout, RUN.repository)
        evidence = Evidence.replay(read_bundle(self.bundle))
        return regrade_offline(request, artifact, now=NOW, runner=runner, evidence=evidence)


def prepare(folder: Path, runner: Runner) -> Demo:
    """Make the repository, the evidence and both archives below ``folder``, which must be empty."""
    evaluator = _material("issue-triage-operational-value.sh")
    checkout = folder / "widgets"
    adoption = Commit(ADOPTED, "Adopt issue triage", {_WORKFLOW: _material("issue-triage.md")})
    grading = Commit(_GRADED_SINCE, "Grade issue triage", {_EVALUATOR: evaluator})
    commit = make_repository(checkout, (adoption, grading))
    bundle = recorded(RepoPath.parse(_EVALUATOR), evaluator, NOW)
    save(folder / "evidence.bundle", bundle)
    observation = _grade_first(evaluator, commit, bundle, runner)
    artifact = _archive(folder / "agent.zip", evaluator, observation)
    generous = evaluator.replace(b"length / 3", b"length / 1")
    tampered = _archive(folder / "agent-tampered.zip", generous, observation)
    return Demo(checkout, commit, artifact, tampered, folder / "evidence.bundle")


def _material(name: str) -> bytes:
    return files("opvalue.demo").joinpath("files", name).read_bytes()


def _grade_first(evaluator: bytes, commit: str, bundle: Bundle, runner: Runner) -> JsonObject:
    """Grade as the run itself did, minutes after it began, and return the observation it archived."""
    subject: JsonObject = {
        "attempt": 1,
        "repository": "acme/widgets",
        "workflow": "Issue Triage",
        "ref": "refs/heads/main",
        "sha": commit,
        "eventName": "issues",
        "createdAt": _CREATED,
    }
    request = {
        "schemaVersion": 1,
        "run": {"id": RUN.run_id, **subject},
        "evidenceAt": str(_FIRST_GRADED),
        "case": None,
        "event": {"action": "opened"},
        "config": _CONFIG,
    }
    seen = _observe(evaluator, dumps_compact(request).encode(), bundle, runner)
    return {
        "value": seen.value,
        "observation": {
            "subject": {"type": "workflow-run", "runId": RUN.run_id, **subject},
            "opportunityKey": seen.opportunity_key,
            "evidenceAt": str(_FIRST_GRADED),
            "evidenceCutoff": str(seen.evidence_cutoff),
            "maturesAt": str(seen.matures_at),
            "mature": False,
            "case": seen.case,
            "provenance": list(seen.provenance),
        },
    }


def _observe(evaluator: bytes, request: bytes, bundle: Bundle, runner: Runner) -> Observation:
    path, repository, header = RepoPath.parse(_EVALUATOR), Repository.parse("acme/widgets"), bundle.header
    gh = stand_in(host=repository.host, repository=repository, python=interpreter().program, jq=runner.tools.jq)
    grading = Grading(
        host=header.host,
        run_id=header.run_id,
        attempt=header.attempt,
        evaluator_digest=header.evaluator_digest,
        closure_digest=header.closure_digest,
        evidence_at=_FIRST_GRADED,
        created_at=Instant.parse(_CREATED),
        jq="",
        declared=header.declared,
    )
    with runner.stage(path, [(path, evaluator)], repository.host, gh) as staged:
        return observe(staged, request, grading, Evidence.replay(bundle), Limits()).observation


def _archive(path: Path, evaluator: bytes, graded: JsonObject) -> Path:
    """Write an artifact whose records agree with ``evaluator``, whatever it is."""
    digest = Digest.of(evaluator).hex
    verdict = outcome(graded["value"], threshold=_THRESHOLD, direction=HIGHER_IS_BETTER)  # type: ignore[arg-type]  # a number or null
    common: JsonObject = {
        "id": "operational-value",
        "name": "Operational Value",
        "unit": "ratio",
        "source": "operational-value",
    }
    implementation: JsonObject = {"id": "gh-aw/graders", "version": 1, "digest": digest}
    manifest = {
        "version": 1,
        "graders": [
            {
                **common,
                "enabled": True,
                "direction": "higher_is_better",
                "threshold": _THRESHOLD,
                "max": 1,
                "min": 0,
                "digest": digest,
                "run": _EVALUATOR,
                "config": _CONFIG,
            }
        ],
    }
    result = {
        **common,
        **graded,
        "passed": verdict.passed,
        "status": verdict.status.value,
        "implementation": implementation,
    }
    results = {"version": 1, "run": {"id": RUN.run_id, "attempt": 1}, "results": [result]}
    members = {
        "grader_manifest.json": dumps(manifest).encode(),
        "grader_results.json": dumps(results).encode(),
        "operational_value_evaluator.sh": evaluator,
    }
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(f"agent/graders/{name}", (2025, 8, 20, 10, 10, 0)), content)
    return path
