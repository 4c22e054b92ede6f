"""Whole documents that fulfil their contract, to be bent by one field at a time."""

import copy
import json
from typing import Any

COMMIT = "3f2a9c61d0b84e7755c1a2e9f60d4b8837ce1a05"

DEFINITION: dict[str, Any] = {
    "schemaVersion": 4,
    "grader": "operational-value",
    "repository": "acme/widgets",
    "workflowName": "Daily triage — 🏷",
    "sourcePath": ".github/workflows/daily-triage.md",
    "adoption": {"commit": COMMIT, "adoptedAt": "2026-08-20T09:00:00Z"},
    "operationalValue": "Each assigned issue gets the right label within a week.",
    "evidence": {
        "opportunity": "One open issue without a label.",
        "assignment": "The oldest one.",
        "accepted": "Label events.",
        "repositories": ["acme/widgets"],
        "collection": "The timeline, all pages.",
        "maturation": "Seven days.",
        "zeroRule": "0 when proven unlabelled.",
        "missingRule": "null when unreadable.",
    },
    "primaryMetric": {"id": "label-attained", "formula": "labelled", "direction": "higher_is_better"},
    "baseline": {"mode": "attainment-only", "value": None, "evidenceCutoff": None, "provenance": []},
    "validationExamples": {"targetAttained": {"n": 1}, "targetMissed": {"n": 0}, "missing": {}, "malformed": []},
}

DIAGNOSTIC: dict[str, Any] = {
    "id": "latency",
    "name": "Latency",
    "formula": "1 - hours / 168",
    "direction": "higher_is_better",
    "aggregation": "mean",
}

COMPARABLE: dict[str, Any] = {
    "mode": "baseline-comparable",
    "value": 0.25,
    "evidenceCutoff": "2026-08-19T00:00:00Z",
    "provenance": [{"repository": "acme/widgets", "kind": "commit", "ref": COMMIT}],
}

OBSERVATION: dict[str, Any] = {
    "value": 0.75,
    "opportunityKey": "issue:42",
    "case": {"issue": 42},
    "evidenceCutoff": "2026-08-23T12:00:00.000Z",
    "maturesAt": "2026-08-30T11:58:00Z",
    "provenance": [{"repository": "acme/widgets", "kind": "issue", "ref": "42", "node": "I_1"}],
}

REMOVED = object()


def bent(document: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a copy with the values at dotted paths replaced; ``REMOVED`` takes the key away."""
    copied = copy.deepcopy(document)
    for path, value in changes.items():
        *parents, last = path.split(".")
        holder = copied
        for key in parents:
            holder = holder[key]
        if value is REMOVED:
            del holder[last]
        else:
            holder[last] = value
    return copied


def encoded(document: object) -> bytes:
    """Return ``document`` as an evaluator would print it."""
    return json.dumps(document, ensure_ascii=False).encode() + b"\n"
