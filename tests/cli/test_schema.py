"""The published schemas agree with the readers: what one refuses for its shape, so does the other."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from opvalue.cli.schema import SCHEMAS
from opvalue.contract import Subject, build_request, parse_definition, parse_observation
from opvalue.errors import OpvalueError
from opvalue.identity import Instant
from opvalue.records import parse_manifest, parse_results
from tests.cli.conftest import Answer
from tests.contract.cases import COMPARABLE, DEFINITION, DIAGNOSTIC, OBSERVATION, REMOVED, bent, encoded

EVIDENCE_AT = Instant.parse("2026-08-23T12:00:00.000Z")
MANIFEST: dict[str, Any] = {
    "version": 1,
    "graders": [
        {
            "id": "operational-value",
            "name": "Operational Value",
            "source": "operational-value",
            "enabled": True,
            "unit": "ratio",
            "direction": "higher_is_better",
            "threshold": 0.5,
            "digest": "0" * 64,
            "run": ".github/graders/x.sh",
            "config": {},
        }
    ],
}
RESULTS: dict[str, Any] = {
    "version": 2,
    "run": {"id": "1", "attempt": 1, "graderCount": 1},
    "results": [
        {
            "id": "operational-value",
            "value": None,
            "status": "unavailable",
            "implementation": {"id": "gh-aw/graders", "digest": "0" * 64},
            "observation": {
                "subject": {
                    "type": "workflow-run",
                    "runId": "1",
                    "attempt": 1,
                    "repository": "acme/widgets",
                    "workflow": "W",
                    "ref": "refs/heads/main",
                    "sha": "0" * 40,
                    "eventName": "schedule",
                    "createdAt": None,
                },
                "opportunityKey": "issue:1",
                "evidenceAt": "2026-08-23T12:00:00.000Z",
                "evidenceCutoff": "2026-08-23T12:00:00.000Z",
                "maturesAt": "2026-08-30T12:00:00.000Z",
                "mature": False,
                "case": None,
            },
        }
    ],
}


def observation(data: bytes) -> object:
    return parse_observation(data, evidence_at=EVIDENCE_AT, created_at=None)


READERS: dict[str, tuple[Callable[[bytes], object], dict[str, Any]]] = {
    "definition": (parse_definition, DEFINITION),
    "observation": (observation, OBSERVATION),
    "manifest": (parse_manifest, MANIFEST),
    "results": (parse_results, RESULTS),
}
BENT = [
    ("definition", {}),
    ("definition", {"baseline": COMPARABLE, "diagnosticMetrics": [DIAGNOSTIC]}),
    ("definition", {"diagnosticMetrics": None, "extra": 1, "adoption.adoptedAt": "2026-08-20T09:00 local"}),
    *[("definition", {name: REMOVED}) for name in DEFINITION],
    *[("definition", {f"evidence.{name}": REMOVED}) for name in DEFINITION["evidence"]],
    ("definition", {"schemaVersion": 5}),
    ("definition", {"grader": "value"}),
    ("definition", {"repository": "widgets"}),
    ("definition", {"workflowName": "  "}),
    ("definition", {"sourcePath": "x.md"}),
    ("definition", {"adoption.commit": "ABC"}),
    ("definition", {"adoption.adoptedAt": "2026-13-20T09:00:00Z"}),
    ("definition", {"evidence.repositories": []}),
    ("definition", {"primaryMetric.direction": "lower_is_better"}),
    ("definition", {"baseline.value": 0}),
    ("definition", {"baseline.mode": "other"}),
    ("definition", {"baseline": {**COMPARABLE, "value": 1.5}}),
    ("definition", {"baseline": {**COMPARABLE, "provenance": []}}),
    ("definition", {"baseline": {"mode": "attainment-only"}}),
    ("definition", {"diagnosticMetrics": [{**DIAGNOSTIC, "aggregation": "sum"}]}),
    ("definition", {"validationExamples.missing": REMOVED}),
    ("observation", {}),
    ("observation", {"value": None, "provenance": []}),
    ("observation", {"message": 1, "diagnostics": "x"}),
    *[("observation", {name: REMOVED}) for name in OBSERVATION],
    ("observation", {"value": 1.5}),
    ("observation", {"value": True}),
    ("observation", {"case": []}),
    ("observation", {"opportunityKey": " "}),
    ("observation", {"maturesAt": "2026-08-30T12:00:00+00:00"}),
    ("observation", {"provenance": []}),
    ("observation", {"provenance": None, "value": None}),
    ("observation", {"provenance": [{"repository": "a/b", "kind": "issue", "ref": ""}]}),
    ("manifest", {}),
    ("manifest", {"version": 3}),
    ("manifest", {"graders": {}}),
    *[("manifest", {"graders": [bent(MANIFEST["graders"][0], {name: REMOVED})]}) for name in MANIFEST["graders"][0]],
    *[("manifest", {"graders": [bent(MANIFEST["graders"][0], {name: None})]}) for name in MANIFEST["graders"][0]],
    *[("manifest", {"graders": [bent(MANIFEST["graders"][0], {name: [1]})]}) for name in MANIFEST["graders"][0]],
    ("results", {}),
    ("results", {"version": 0}),
    ("results", {"run.attempt": "1"}),
    *[("results", {"results": [bent(RESULTS["results"][0], {name: REMOVED})]}) for name in RESULTS["results"][0]],
    *[
        ("results", {"results": [bent(RESULTS["results"][0], {f"observation.{name}": REMOVED})]})
        for name in RESULTS["results"][0]["observation"]
    ],
    *[
        ("results", {"results": [bent(RESULTS["results"][0], {f"observation.subject.{name}": [1]})]})
        for name in RESULTS["results"][0]["observation"]["subject"]
    ],
]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    schema = SCHEMAS[name]()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema["description"]


@pytest.mark.parametrize(("name", "changes"), BENT)
def test_schema_and_reader_agree(name: str, changes: dict[str, Any]) -> None:
    read, whole = READERS[name]
    document = bent(whole, changes)
    valid = jsonschema.Draft202012Validator(SCHEMAS[name]()).is_valid(document)
    try:
        read(encoded(document))
    except OpvalueError:
        assert not valid, changes
    else:
        assert valid, changes


def test_the_request_that_is_built_fulfils_its_schema() -> None:
    subject = Subject("1", 1, "acme/widgets", "W", "refs/heads/main", "0" * 40, "schedule", None)
    request = build_request(subject, EVIDENCE_AT, case={"issue": 1}, config={})
    validator = jsonschema.Draft202012Validator(SCHEMAS["request"]())
    assert validator.is_valid(request)
    for name in request:
        assert not validator.is_valid({key: value for key, value in request.items() if key != name})
    assert not validator.is_valid({**request, "extra": 1})


def test_it_is_printed_by_name(opvalue: Callable[..., Answer]) -> None:
    status, out, err = opvalue("schema", "definition")
    assert (status, err) == (0, "")
    assert json.loads(out) == SCHEMAS["definition"]()


def test_without_a_name_the_names_are_listed(opvalue: Callable[..., Answer]) -> None:
    text = opvalue("schema").out
    assert [line.split()[0] for line in text.splitlines()] == list(SCHEMAS)
    listed = json.loads(opvalue("schema", "--json").out)["schemas"]
    assert [one["name"] for one in listed] == list(SCHEMAS)


def test_an_unknown_name_lists_those_that_exist(opvalue: Callable[..., Answer]) -> None:
    status, _, err = opvalue("schema", "definitions")
    assert status == 2
    assert " | ".join(SCHEMAS) in err
    assert opvalue("schema", "x", "--json").error["code"] == "cli.unknown-command"
