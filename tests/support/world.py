"""One made-up run: a repository with a workflow and its evaluator, and the artifact the run archived.

A test changes one thing and looks at what happens. ``modes`` tells which of the evaluator's modes were started: every
evaluator of a world notes its first argument in a file beside the repository, which only works without the sandbox.
"""

import copy
import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from opvalue.archive import read_artifact
from opvalue.checkout import GitCheckout
from opvalue.evaluator import Runner
from opvalue.identity import CommitId, Instant, Repository, RunRef
from opvalue.regrade import Regraded, RegradeRequest, regrade_offline, verify_run
from opvalue.regrade.document import Document
from opvalue.regrade.evidence import Evidence
from opvalue.trust import Anchor, CommitAnchor, ReachableAnchor, VerifiedRun
from tests.support.repository import GitRepository

EVALUATOR_PATH: Final = ".github/graders/issue-triage-operational-value.sh"
WORKFLOW_PATH: Final = ".github/workflows/issue-triage.md"
FOLDER: Final = "agent/graders/"
MANIFEST: Final = "grader_manifest.json"
RESULTS: Final = "grader_results.json"
EVALUATOR: Final = "operational_value_evaluator.sh"
VALUE_EVALUATOR: Final = "value_function.sh"
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
_STRICT: Final = b"set -euo pipefail\n"


def material(name: str) -> bytes:
    """Return a file of the material: an evaluator that reads its request and nothing else, and its workflow."""
    return (Path(__file__).parent / "files" / name).read_bytes()


def sha256(data: bytes) -> str:
    """Return the digest as records write it."""
    return hashlib.sha256(data).hexdigest()


class World:
    """A repository below ``root`` and the records of one run; ``artifact`` writes the zip.

    ``value`` makes the run one of the first generation. ``more`` adds files to the commit. ``year`` moves it all to
    another year: what goes through the real command must lie in the past of any clock.
    """

    def __init__(
        self,
        root: Path,
        *,
        evaluator: bytes | None = None,
        workflow: bytes | None = None,
        more: Mapping[str, bytes] | None = None,
        value: bool = False,
        year: int = 2026,
    ) -> None:
        self.root = root
        self.notes = root / "modes"
        self.value = value
        self.evaluator = self.marked(material("issue-triage-operational-value.sh") if evaluator is None else evaluator)
        self.workflow = material("issue-triage.md") if workflow is None else workflow
        if value:
            self.evaluator = self.evaluator.replace(b'"grader": "operational-value"', b'"grader": "value"')
            self.workflow = self.workflow.replace(b"operational-value:", b"value:").replace(
                b"    run:", b"    function:"
            )
        self.evaluator, self.workflow = (_moved(text, year) for text in (self.evaluator, self.workflow))
        self.repository = GitRepository(root / "widgets")
        self.commit = self.repository.commit(
            {EVALUATOR_PATH: self.evaluator, WORKFLOW_PATH: self.workflow, **(more or {})}, "Adopt issue triage"
        )
        self.repository.publish()
        records = (_manifest(self.evaluator, value=value), _results(self.evaluator, self.commit, value=value))
        self.manifest, self.results = (json.loads(_moved(json.dumps(record).encode(), year)) for record in records)
        self.members: dict[str, bytes | None] = {}

    def sharing(self, root: Path) -> "World":
        """Return a world with the same repository and records of its own, for tests that change records only."""
        other = copy.copy(self)
        other.root = root
        other.manifest, other.results = copy.deepcopy(self.manifest), copy.deepcopy(self.results)
        other.members = dict(self.members)
        return other

    def marked(self, evaluator: bytes) -> bytes:
        """Return the evaluator with one line that notes the mode it was started in."""
        note = f"{{ printf '%s\\n' \"${{1:-}}\" >>'{self.notes}'; }} 2>/dev/null || :\n"
        return evaluator if note.encode() in evaluator else evaluator.replace(_STRICT, _STRICT + note.encode(), 1)

    @property
    def modes(self) -> list[str]:
        """The modes started so far, in order."""
        return self.notes.read_text().split() if self.notes.exists() else []

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
    def observation(self) -> dict[str, Any]:
        """The archived observation."""
        observation: dict[str, Any] = self.result["observation"]
        return observation

    @property
    def subject(self) -> dict[str, Any]:
        """The archived subject."""
        subject: dict[str, Any] = self.observation["subject"]
        return subject

    def record(self, evaluator: bytes) -> None:
        """Archive ``evaluator`` under its right digests."""
        self.evaluator = evaluator
        self.grader["digest"] = self.result["implementation"]["digest"] = sha256(evaluator)

    def recommit(self, files: Mapping[str, bytes | str], *, publish: bool = True) -> str:
        """Commit ``files`` on top; the run was at that commit."""
        self.commit = self.subject["sha"] = self.repository.commit(files)
        if publish:
            self.repository.publish()
        return self.commit

    def adopt(self, evaluator: bytes) -> None:
        """Commit and archive another evaluator, noting its modes as well."""
        self.record(self.marked(evaluator))
        self.recommit({EVALUATOR_PATH: self.evaluator})

    def contents(self) -> dict[str, bytes]:
        """Return the grader files by name. ``members`` replace or add some; ``None`` takes one away."""
        made = {
            MANIFEST: json.dumps(self.manifest, indent=2).encode(),
            RESULTS: json.dumps(self.results, indent=2).encode(),
            VALUE_EVALUATOR if self.value else EVALUATOR: self.evaluator,
        } | self.members
        return {name: content for name, content in made.items() if content is not None}

    def artifact(self, folder: str = FOLDER) -> Path:
        """Write the artifact as a zip and return its path."""
        path = self.root / "agent.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.contents().items():
                archive.writestr(zipfile.ZipInfo(folder + name, (2026, 8, 20, 12, 0, 0)), content)
        return path

    def unpacked(self) -> Path:
        """Write the artifact as a folder and return its path."""
        path = self.root / "agent"
        (path / FOLDER).mkdir(parents=True, exist_ok=True)
        for name, content in self.contents().items():
            (path / FOLDER / name).write_bytes(content)
        return path

    def regrade(
        self,
        evidence_at: str = "2026-08-25T00:00:00Z",
        *,
        artifact: Path | None = None,
        runner: Runner | None = None,
        evidence: Evidence | None = None,
        now: Instant = NOW,
        tell: Callable[[str], object] = lambda _text: None,
        **changes: Any,
    ) -> Regraded:
        """Regrade this run from ``artifact``, or from one freshly written.

        The sandbox is used where it works, unless ``runner`` says otherwise. ``changes`` are fields of the request.
        """
        asked: dict[str, Any] = {
            "run": RunRef("123456"),
            "evidence_at": evidence_at,
            "checkout": self.repository.path,
            "repository": Repository.parse("acme/widgets"),
            **changes,
        }
        request = RegradeRequest(**asked)
        regraded = regrade_offline(
            request, artifact or self.artifact(), now=now, runner=runner, evidence=evidence, tell=tell
        )
        # A regrade does not load the models of what it publishes; every one made here is held against them.
        Document.model_validate(json.loads(regraded.to_json()))
        return regraded

    def verified(self) -> VerifiedRun:
        """Return this run as verified, from an artifact freshly written."""
        with GitCheckout.open(self.repository.path, repository=Repository.parse("acme/widgets")) as checkout:
            anchors: list[Anchor] = [CommitAnchor(self.anchored()), ReachableAnchor(checkout)]
            return verify_run(read_artifact(self.artifact()), RunRef("123456"), checkout, anchors)

    def anchored(self) -> CommitId:
        """Return the recorded commit as an id."""
        commit = CommitId.parse(self.commit)
        assert commit is not None
        return commit


def digest_of(path: Path) -> str:
    """Return a digest of a file, or of a folder's names and contents."""
    if path.is_file():
        return sha256(path.read_bytes())
    return sha256("\n".join(f"{file.relative_to(path)} {_content(file)}" for file in sorted(path.rglob("*"))).encode())


def _content(file: Path) -> str:
    if file.is_symlink():
        return str(file.readlink())
    return "" if file.is_dir() else sha256(file.read_bytes())


def _moved(text: bytes, year: int) -> bytes:
    return text.replace(b"2026-", f"{year}-".encode())


def _manifest(evaluator: bytes, *, value: bool) -> dict[str, Any]:
    grader = "value" if value else "operational-value"
    return {
        "version": 1,
        "graders": [
            {
                "id": grader,
                "name": "Operational Value",
                "source": grader,
                "enabled": True,
                "unit": "ratio",
                "direction": "higher_is_better",
                "threshold": 0.6,
                "max": 1,
                "min": 0,
                "digest": sha256(evaluator),
                "function" if value else "run": EVALUATOR_PATH,
                "config": copy.deepcopy(CONFIG),
            }
        ],
    }


def _results(evaluator: bytes, commit: str, *, value: bool) -> dict[str, Any]:
    grader = "value" if value else "operational-value"
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
        "id": grader,
        "name": "Operational Value",
        "value": 1 / 3,
        "unit": "ratio",
        "passed": False,
        "status": "fail",
        "source": grader,
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
