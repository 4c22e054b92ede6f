"""One made-up run: a repository with a workflow and its evaluator, and the artifact the run archived.

A test changes one thing and looks at what happens. ``evaluators_run`` tells which modes were started, by wrapping
nothing: the evaluators written here leave a mark outside their sandbox-free scratch when a test asks for it.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from opvalue.evaluator import Runner
from opvalue.identity import CommitId, Instant, Repository, RunRef
from opvalue.regrade import OfflineRegrade, Regraded, regrade_offline
from tests.support.repository import GitRepository

EVALUATOR_PATH: Final = ".github/graders/issue-triage-operational-value.sh"
WORKFLOW_PATH: Final = ".github/workflows/issue-triage.md"
NOW: Final = Instant.parse("2026-10-01T00:00:00Z")
CONFIG: Final[dict[str, Any]] = {
    "issue": 42,
    "events": [
        {"kind": "labeled", "at": "2026-08-20T10:05:00Z"},
        {"kind": "assigned", "at": "2026-08-24T08:30:00Z"},
        {"kind": "closed", "at": "2026-08-31T16:00:00Z"},
        {"kind": "reopened", "at": "2026-09-12T07:15:00Z"},
    ],
}


def demo_file(name: str) -> bytes:
    """Return a file of the demo's material."""
    return files("opvalue.demo").joinpath("files", name).read_bytes()


def sha256(data: bytes) -> str:
    """Return the digest as records write it."""
    return hashlib.sha256(data).hexdigest()


class World:
    """A repository below ``root`` and the records of one run; ``artifact`` writes the zip."""

    def __init__(self, root: Path, *, evaluator: bytes | None = None, more: Mapping[str, bytes] | None = None) -> None:
        self.root = root
        self.evaluator = demo_file("issue-triage-operational-value.sh") if evaluator is None else evaluator
        self.workflow = demo_file("issue-triage.md")
        self.repository = GitRepository(root / "widgets")
        self.commit = self.repository.commit(
            {EVALUATOR_PATH: self.evaluator, WORKFLOW_PATH: self.workflow, **(more or {})}, "Adopt issue triage"
        )
        self.repository.publish()
        self.manifest = _manifest(self.evaluator)
        self.results = _results(self.evaluator, self.commit)
        self.members: dict[str, bytes] = {}

    @property
    def grader(self) -> dict[str, Any]:
        """The manifest's entry."""
        entry: dict[str, Any] = self.manifest["graders"][0]
        return entry

    @property
    def result(self) -> dict[str, Any]:
        """The results' entry."""
        entry: dict[str, Any] = self.results["results"][0]
        return entry

    @property
    def subject(self) -> dict[str, Any]:
        """The archived subject."""
        subject: dict[str, Any] = self.result["observation"]["subject"]
        return subject

    def record(self, evaluator: bytes) -> None:
        """Archive ``evaluator`` under its right digests."""
        self.evaluator = evaluator
        self.grader["digest"] = self.result["implementation"]["digest"] = sha256(evaluator)

    def artifact(self, folder: str = "agent/graders/") -> Path:
        """Write the artifact and return its path. ``members`` replace or add files."""
        path = self.root / "agent.zip"
        contents = {
            "grader_manifest.json": json.dumps(self.manifest, indent=2).encode(),
            "grader_results.json": json.dumps(self.results, indent=2).encode(),
            "operational_value_evaluator.sh": self.evaluator,
        } | self.members
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in contents.items():
                archive.writestr(zipfile.ZipInfo(folder + name, (2026, 8, 20, 12, 0, 0)), content)
        return path

    def request(self, evidence_at: str = "2026-08-25T00:00:00Z", **changes: Any) -> OfflineRegrade:
        """Return the regrade of this run, from a freshly written artifact."""
        request = OfflineRegrade(
            run=RunRef("123456"),
            evidence_at=evidence_at,
            artifact=changes.pop("artifact", None) or self.artifact(),
            checkout=self.repository.path,
            repository=Repository.parse("acme/widgets"),
        )
        return request._replace(**changes)

    def regrade(
        self, evidence_at: str = "2026-08-25T00:00:00Z", *, runner: Runner | None = None, **changes: Any
    ) -> Regraded:
        """Regrade this run."""
        return regrade_offline(self.request(evidence_at, **changes), now=NOW, runner=runner)

    def anchored(self) -> CommitId:
        """Return the recorded commit as an id."""
        commit = CommitId.parse(self.commit)
        assert commit is not None
        return commit


def _manifest(evaluator: bytes) -> dict[str, Any]:
    return {
        "version": 1,
        "graders": [
            {
                "id": "operational-value",
                "name": "Operational Value",
                "source": "operational-value",
                "enabled": True,
                "unit": "ratio",
                "direction": "higher_is_better",
                "threshold": 0.6,
                "max": 1,
                "min": 0,
                "digest": sha256(evaluator),
                "run": EVALUATOR_PATH,
                "config": deepcopy(CONFIG),
            }
        ],
    }


def _results(evaluator: bytes, commit: str) -> dict[str, Any]:
    observation = {
        "subject": {
            "type": "workflow-run",
            "runId": "123456",
            "attempt": 1,
            "repository": "acme/widgets",
            "workflow": "Issue Triage",
            "ref": "refs/heads/main",
            "sha": commit,
            "eventName": "issues",
            "createdAt": "2026-08-20T10:00:00Z",
        },
        "opportunityKey": "issue:42",
        "evidenceAt": "2026-08-20T10:10:00.000Z",
        "evidenceCutoff": "2026-08-20T10:10:00Z",
        "maturesAt": "2026-09-03T10:00:00Z",
        "mature": False,
        "case": {"issue": 42},
        "provenance": [{"repository": "acme/widgets", "kind": "issue", "ref": "42"}],
    }
    result = {
        "id": "operational-value",
        "name": "Operational Value",
        "value": 1 / 3,
        "unit": "ratio",
        "passed": False,
        "status": "fail",
        "source": "operational-value",
        "observation": observation,
        "baselineValue": 0.25,
        "deltaFromBaseline": 1 / 3 - 0.25,
        "implementation": {"id": "gh-aw/graders", "version": 1, "digest": sha256(evaluator)},
    }
    return {
        "version": 1,
        "run": {"id": "123456", "attempt": 1, "graderCount": 1, "passed": 0, "failed": 1, "errors": 0},
        "context": {},
        "results": [result],
    }
