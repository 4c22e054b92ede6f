"""An evaluator of usual size and habits: 14 jq processes a grading, a few hundred milliseconds bare."""

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.demo import prepare
from opvalue.evaluator import Runner
from opvalue.identity import Digest
from tests.support.repository import git_environment

EVIDENCE_AT: Final = "2025-08-25T00:00:00Z"
_CALLS: Final = 14
_MEMBER: Final = "agent/graders/operational_value_evaluator.sh"
_STEP: Final = """
step_{n}() {{
  # Counts the accepted events of one kind, as evaluators do it: one jq a question.
  jq -c --arg kind "kind-{n}" '
    (.config.events // []) as $events
    | [$events[] | select(.kind == $kind and (.at | sub("\\\\.[0-9]+Z$"; "Z") | fromdateiso8601) > 0)]
    | {{kind: $kind, count: length}}' <<<"$request" >/dev/null
}}
"""


class Material(NamedTuple):
    """A clone, an artifact, and what the evaluator's own calls need to run bare."""

    checkout: Path
    artifact: Path
    script: Path
    request: bytes


def make(folder: Path) -> Material:
    """Make a repository and an artifact of the heavier evaluator below ``folder``."""
    demo = prepare(folder, Runner())
    script = demo.checkout / ".github/graders/issue-triage-operational-value.sh"
    script.write_bytes(_heavier(script.read_bytes()))
    commit = _commit(demo.checkout)
    artifact = _rewrite(demo.artifact, script.read_bytes(), commit)
    return Material(demo.checkout, artifact, script, _request(artifact, commit))


def _heavier(evaluator: bytes) -> bytes:
    # grade_run itself calls jq three times.
    steps = "".join(_STEP.format(n=n) for n in range(_CALLS - 3))
    calls = "".join(f"  step_{n}\n" for n in range(_CALLS - 3))
    text = evaluator.decode()
    text = text.replace("grade_run() {\n", f"{steps}\ngrade_run() {{\n", 1)
    return text.replace("  request=$(cat)\n", f"  request=$(cat)\n{calls}", 1).encode()


def _commit(checkout: Path) -> str:
    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(checkout), *arguments], env=git_environment(), capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    git("commit", "-qam", "Ask more questions")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    return git("rev-parse", "HEAD")


def _rewrite(artifact: Path, evaluator: bytes, commit: str) -> Path:
    digest = Digest.of(evaluator).hex
    with zipfile.ZipFile(artifact) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members["agent/graders/grader_manifest.json"])
    manifest["graders"][0]["digest"] = digest
    results = json.loads(members["agent/graders/grader_results.json"])
    results["results"][0]["implementation"]["digest"] = digest
    results["results"][0]["observation"]["subject"]["sha"] = commit
    members["agent/graders/grader_manifest.json"] = json.dumps(manifest).encode()
    members["agent/graders/grader_results.json"] = json.dumps(results).encode()
    members[_MEMBER] = evaluator
    path = artifact.with_name("agent-heavier.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def _request(artifact: Path, commit: str) -> bytes:
    with zipfile.ZipFile(artifact) as archive:
        manifest = json.loads(archive.read("agent/graders/grader_manifest.json"))
        results = json.loads(archive.read("agent/graders/grader_results.json"))
    subject = results["results"][0]["observation"]["subject"]
    run = {"id": subject["runId"], **{key: subject[key] for key in subject if key not in {"runId", "type"}}}
    request = {
        "schemaVersion": 1,
        "run": run | {"sha": commit},
        "evidenceAt": EVIDENCE_AT,
        "case": {"issue": 42},
        "event": None,
        "config": manifest["graders"][0]["config"],
    }
    return json.dumps(request).encode()
