"""A run whose evaluator prints what the test says, so that one repository serves a whole table."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.support.world import World

OBSERVATION: Final[dict[str, Any]] = {
    "value": 0.5,
    "opportunityKey": "issue:42",
    "case": {"issue": 42},
    "evidenceCutoff": "2026-08-25T00:00:00Z",
    "maturesAt": "2026-09-03T10:00:00Z",
    "provenance": [{"repository": "acme/widgets", "kind": "issue", "ref": "42"}],
}
"""Right for an evidence time of 2026-08-25T00:00:00Z."""

DEFINITION: Final[dict[str, Any]] = {
    "schemaVersion": 4,
    "grader": "operational-value",
    "repository": "acme/widgets",
    "workflowName": "Issue Triage",
    "sourcePath": ".github/workflows/issue-triage.md",
    "adoption": {"commit": "1" * 40, "adoptedAt": "2026-08-01T09:00:00Z"},
    "operationalValue": "The issue is settled.",
    "evidence": {
        "opportunity": "One open issue per run.",
        "assignment": "The configured issue.",
        "accepted": "Events of that issue.",
        "repositories": ["acme/widgets"],
        "collection": "Its timeline.",
        "maturation": "14 days.",
        "zeroRule": "No event.",
        "missingRule": "No list.",
    },
    "primaryMetric": {"id": "done", "formula": "done / 3", "direction": "higher_is_better"},
    "baseline": {"mode": "attainment-only", "value": None},
    "validationExamples": {"targetAttained": {}, "targetMissed": {}, "missing": {}, "malformed": {}},
}

_SCRIPT = """#!/usr/bin/env bash
set -euo pipefail
case "${{1:-}}" in
  --definition) name=definition ;;
  --grade-run)
    name=observation
    cat >'{folder}/request'
    ;;
  *) exit 2 ;;
esac
cat "{folder}/$name"
read -r status <"{folder}/$name.status"
exit "$status"
"""


class Told:
    """Says what the evaluator prints. Only without the sandbox, which would hide the folder from it."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "told"
        self.folder.mkdir(parents=True)
        self.world = World(root, evaluator=_SCRIPT.format(folder=self.folder).encode())
        self.reset()

    def reset(self) -> None:
        """Print a right definition and a right observation, and end well."""
        self.define(DEFINITION)
        self.observe(OBSERVATION)
        self.world.notes.unlink(missing_ok=True)

    def define(self, definition: object, *, status: int = 0) -> None:
        """Print ``definition``: bytes as they are, anything else as JSON."""
        self._say("definition", definition, status)

    def observe(self, observation: object, *, status: int = 0) -> None:
        """Print ``observation`` alike."""
        self._say("observation", observation, status)

    @property
    def request(self) -> dict[str, Any]:
        """What the evaluator was given."""
        request: dict[str, Any] = json.loads((self.folder / "request").read_bytes())
        return request

    def _say(self, name: str, said: object, status: int) -> None:
        (self.folder / name).write_bytes(said if isinstance(said, bytes) else json.dumps(said).encode())
        (self.folder / f"{name}.status").write_text(f"{status}\n")


def changed(document: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a copy with these fields; ``...`` takes one away."""
    return {key: value for key, value in {**document, **fields}.items() if value is not ...}
