"""One archived run, in the shapes real artifacts have."""

import hashlib
import io
import json
from copy import deepcopy
from typing import Any

from opvalue.archive import ArchivedRun, read_archive
from tests.archive.zips import Item, build

FOLDER = "agent/graders"
MANIFEST = "grader_manifest.json"
RESULTS = "grader_results.json"
EVALUATOR = "operational_value_evaluator.sh"
VALUE_EVALUATOR = "value_function.sh"

SCRIPT = b"""#!/usr/bin/env bash
set -euo pipefail
case "$1" in
  --definition) cat definition.json ;;
esac
"""


def manifest(**changes: Any) -> dict[str, Any]:
    """The manifest, its operational-value entry changed."""
    return {
        "version": 1,
        "graders": [
            {"id": "loops", "name": "Loops", "source": "builtin", "enabled": True, "unit": "count"},
            {
                "id": "operational-value",
                "name": "Operational Value",
                "source": "operational-value",
                "enabled": True,
                "unit": "ratio",
                "direction": "higher_is_better",
                "threshold": 0.5,
                "max": 1,
                "min": 0,
                "digest": hashlib.sha256(SCRIPT).hexdigest(),
                "run": ".github/graders/daily-operational-value.sh",
                "config": {"days": 7},
                **changes,
            },
        ],
    }


def observation() -> dict[str, Any]:
    """The observation made inside the run."""
    return {
        "subject": {
            "type": "workflow-run",
            "runId": "12345",
            "attempt": 2,
            "repository": "acme/widgets",
            "workflow": "Daily",
            "ref": "refs/heads/main",
            "sha": "a" * 40,
            "eventName": "schedule",
            "createdAt": "2026-08-28T12:00:00Z",
        },
        "opportunityKey": "issue:42",
        "evidenceAt": "2026-08-28T12:30:00.000Z",
        "evidenceCutoff": "2026-08-28T12:30:00Z",
        "maturesAt": "2026-08-30T12:00:00Z",
        "mature": False,
        "case": {"issue": 42},
        "provenance": [{"repository": "acme/widgets", "kind": "issue", "ref": "42"}],
    }


def results(**changes: Any) -> dict[str, Any]:
    """The results, the operational-value entry changed."""
    return {
        "version": 1,
        "run": {"id": "12345", "attempt": 2, "graderCount": 2, "passed": 2, "failed": 0, "errors": 0},
        "results": [
            {
                "id": "loops",
                "name": "Loops",
                "value": 0,
                "unit": "count",
                "passed": True,
                "status": "pass",
                "source": "builtin",
                "implementation": {"id": "gh-aw/graders", "version": 1},
            },
            {
                "id": "operational-value",
                "name": "Operational Value",
                "value": 0.25,
                "unit": "ratio",
                "passed": None,
                "status": "pass",
                "source": "operational-value",
                "observation": observation(),
                "baselineValue": None,
                "deltaFromBaseline": None,
                "implementation": {
                    "id": "gh-aw/graders",
                    "version": 1,
                    "digest": hashlib.sha256(SCRIPT).hexdigest(),
                },
                **changes,
            },
        ],
    }


def encoded(document: object) -> bytes:
    """A record as the run writes it."""
    return json.dumps(document, indent=2).encode()


def files(folder: str = FOLDER) -> dict[str, bytes]:
    """The grader files of a good archive, by name."""
    return {
        f"{folder}/{MANIFEST}": encoded(manifest()),
        f"{folder}/{RESULTS}": encoded(results()),
        f"{folder}/{EVALUATOR}": SCRIPT,
    }


def value_files(folder: str = FOLDER) -> dict[str, bytes]:
    """The grader files of a good archive of the first generation."""
    declared, said = deepcopy(manifest()), deepcopy(results())
    grader = declared["graders"][1]
    grader.update(id="value", source="value", name="Value", function=grader.pop("run"))
    said["results"][1].update(id="value", source="value", name="Value")
    return {
        f"{folder}/{MANIFEST}": encoded(declared),
        f"{folder}/{RESULTS}": encoded(said),
        f"{folder}/{VALUE_EVALUATOR}": SCRIPT,
    }


def items(contents: dict[str, bytes] | None = None) -> list[Item]:
    """Members as the upload action writes them: folders stored, files deflated with data descriptors."""
    wanted = files() if contents is None else contents
    return [
        Item(b"agent/", method=0, flags=0, attributes=(0o40755 << 16) | 0x10),
        *(Item(name.encode(), content) for name, content in wanted.items()),
        Item(b"agent/..data/a..b.txt", b"harmless"),
    ]


def artifact(contents: dict[str, bytes] | None = None) -> bytes:
    """A zip as the upload action writes it."""
    return build(items(contents))


def read(data: bytes) -> ArchivedRun:
    """The archived run in a zip's bytes."""
    return read_archive(io.BytesIO(data))
