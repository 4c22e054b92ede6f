"""An evaluator of usual size and habits: 14 jq processes a grading, a few hundred milliseconds bare."""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.world import EVALUATOR_PATH, World, material

EVIDENCE_AT: Final = "2025-08-25T00:00:00Z"
_CALLS: Final = 14
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
    """Make a repository and an artifact of the heavier evaluator below ``folder``. It asks for no evidence."""
    world = World(folder, evaluator=_heavier(material("issue-triage-operational-value.sh")), year=2025)
    return Material(
        world.repository.path,
        world.artifact(),
        world.repository.path / EVALUATOR_PATH,
        _request(world.subject, world.grader["config"]),
    )


def _heavier(evaluator: bytes) -> bytes:
    # grade_run itself calls jq three times.
    steps = "".join(_STEP.format(n=n) for n in range(_CALLS - 3))
    calls = "".join(f"  step_{n}\n" for n in range(_CALLS - 3))
    text = evaluator.decode()
    text = text.replace("grade_run() {\n", f"{steps}\ngrade_run() {{\n", 1)
    return text.replace("  request=$(cat)\n", f"  request=$(cat)\n{calls}", 1).encode()


def _request(subject: dict[str, Any], config: dict[str, Any]) -> bytes:
    run = {"id": subject["runId"], **{key: subject[key] for key in subject if key not in {"runId", "type"}}}
    request = {
        "schemaVersion": 1,
        "run": run,
        "evidenceAt": EVIDENCE_AT,
        "case": {"issue": 42},
        "event": None,
        "config": config,
    }
    return json.dumps(request).encode()
