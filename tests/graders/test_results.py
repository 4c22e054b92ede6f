"""Manifest and results, version 2: their bytes, their schemas, and what reads them back."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import opvalue
from opvalue.graders.configuration import Configuration, Entry, defaults
from opvalue.graders.evaluate import Graded, failed, grade, judged
from opvalue.graders.measured import Measured
from opvalue.graders.results import Context, grader_events, manifest_document, results_document
from opvalue.records import Status, parse_manifest, parse_results
from opvalue.strictjson import JsonNotEncodable, JsonObject, dumps
from tests.graders.samples import calls
from tests.graders.test_evaluate import custom, entry

SCHEMAS = Path(opvalue.__file__).parent / "schemas"
CONTEXT = Context(
    "123",
    2,
    {"style": "terse"},
    {"total": 2, "yes": 1, "no": 0, "unknown": 1, "byQuestion": {"q1": "YES", "q2": "UNKNOWN"}},
)


def check(document: JsonObject, name: str) -> None:
    schema = json.loads((SCHEMAS / f"grader-{name}.schema.json").read_bytes())
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(document)


def valid(document: JsonObject, name: str) -> bool:
    schema = json.loads((SCHEMAS / f"grader-{name}.schema.json").read_bytes())
    return bool(Draft202012Validator(schema).is_valid(document))


def some() -> tuple[Graded, ...]:
    return (
        judged(entry("loops"), Measured(1)),
        judged(entry("retries"), Measured(11)),
        judged(entry("context-growth"), Measured(None, "nothing to divide by")),
        failed(entry("artifact-production"), "artifact-production: broke"),
        judged(entry("execution-duration"), Measured(-0.0)),
    )


def test_the_results_document() -> None:
    document = results_document(some(), CONTEXT)
    check(document, "results")
    assert list(document) == ["version", "run", "context", "results"]
    assert document["version"] == 2
    assert document["run"] == {"id": "123", "attempt": 2, "graderCount": 5, "passed": 2, "failed": 1, "errors": 1}
    assert document["context"] == {"experiments": CONTEXT.experiments, "evals": CONTEXT.evals}
    assert dumps(document["results"]) == dumps(
        [
            {
                "id": "loops",
                "name": "Loops",
                "description": entry("loops").description,
                "value": 1,
                "unit": "count",
                "passed": True,
                "status": "pass",
                "source": "builtin",
                "implementation": {"id": "opvalue/graders", "version": 1},
            },
            {
                "id": "retries",
                "name": "Retries",
                "description": entry("retries").description,
                "value": 11,
                "unit": "count",
                "passed": False,
                "status": "fail",
                "source": "builtin",
                "implementation": {"id": "opvalue/graders", "version": 1},
            },
            {
                "id": "context-growth",
                "name": "Context Growth",
                "description": entry("context-growth").description,
                "value": None,
                "unit": "factor",
                "passed": None,
                "status": "unavailable",
                "source": "builtin",
                "implementation": {"id": "opvalue/graders", "version": 1},
                "message": "nothing to divide by",
            },
            {
                "id": "artifact-production",
                "name": "Artifact Production",
                "description": entry("artifact-production").description,
                "value": None,
                "unit": "count",
                "passed": None,
                "status": "error",
                "source": "builtin",
                "implementation": {"id": "opvalue/graders", "version": 1},
                "error": "artifact-production: broke",
            },
            {
                "id": "execution-duration",
                "name": "Execution Duration",
                "description": entry("execution-duration").description,
                "value": 0,
                "unit": "ms",
                "passed": None,
                "status": "pass",
                "source": "builtin",
                "implementation": {"id": "opvalue/graders", "version": 1},
            },
        ]
    )


def test_minus_zero_is_written_as_zero() -> None:
    text = dumps(results_document([judged(entry("execution-duration"), Measured(-0.0))], Context()))
    assert '"value": 0,' in text
    assert "-0" not in text


def test_nan_is_never_written() -> None:
    with pytest.raises(JsonNotEncodable):
        dumps(results_document([Graded(entry(), float("nan"), Status.PASS, None)], Context()))


def test_no_run_and_no_context() -> None:
    document = results_document((), Context())
    check(document, "results")
    assert document["run"] == {"id": "", "attempt": 1, "graderCount": 0, "passed": 0, "failed": 0, "errors": 0}
    assert document["context"] == {}


def test_numbers_are_not_rounded() -> None:
    document: Any = results_document([judged(entry(), Measured(2 / 3))], Context())
    assert json.loads(dumps(document))["results"][0]["value"] == 2 / 3


def test_a_threshold_that_was_met_and_one_that_was_missed_survive_the_writing() -> None:
    written = parse_results(dumps(results_document(some(), CONTEXT)).encode())
    assert [(one.id, one.value, one.status, one.error) for one in written.results] == [
        ("loops", 1, "pass", None),
        ("retries", 11, "fail", None),
        ("context-growth", None, "unavailable", None),
        ("artifact-production", None, "error", "artifact-production: broke"),
        ("execution-duration", 0, "pass", None),
    ]
    assert (written.version, written.run_id, written.attempt) == (2, "123", 2)
    assert {one.source for one in written.results} == {"builtin"}


def test_the_manifest_document() -> None:
    configuration = Configuration(
        (entry("tool-success-rate", threshold=0.95, config={"a": [1]}), custom(), entry("loops", enabled=False))
    )
    document = manifest_document(configuration)
    check(document, "manifest")
    assert dumps(document) == dumps(
        {
            "version": 2,
            "graders": [
                {
                    "id": "tool-success-rate",
                    "name": "Tool Success Rate",
                    "description": entry("tool-success-rate").description,
                    "source": "builtin",
                    "enabled": True,
                    "unit": "ratio",
                    "direction": "higher_is_better",
                    "threshold": 0.95,
                    "max": 1,
                    "min": 0,
                    "config": {"a": [1]},
                },
                {"id": "mine", "name": "mine", "source": "inline", "enabled": True},
                {
                    "id": "loops",
                    "name": "Loops",
                    "description": entry("loops").description,
                    "source": "builtin",
                    "enabled": False,
                    "unit": "count",
                    "direction": "lower_is_better",
                    "threshold": 3,
                },
            ],
        }
    )


def test_no_code_is_in_a_manifest() -> None:
    text = dumps(manifest_document(Configuration((custom(script="return 42", run="evaluate.sh"),))))
    assert "42" not in text
    assert "evaluate.sh" not in text


def test_the_digest_of_a_custom_graders_source() -> None:
    digest = "ab" * 32
    grader = custom(digest=digest)
    manifest = manifest_document(Configuration((grader,)))
    results = results_document([failed(grader, "no runtime")], Context())
    check(manifest, "manifest")
    check(results, "results")
    assert parse_manifest(dumps(manifest).encode()).graders[0].digest == digest
    assert parse_results(dumps(results).encode()).results[0].implementation_digest == digest


def test_manifest_round_trip() -> None:
    entries: tuple[Entry, ...] = (*defaults().entries, custom(), entry("loops", enabled=False, id="other"))
    written = parse_manifest(dumps(manifest_document(Configuration(entries))).encode())
    assert written.version == 2
    assert [(one.id, one.name, one.source, one.enabled, one.threshold, one.config) for one in written.graders] == [
        (one.id, one.name, one.source.value, one.enabled, one.threshold, one.config) for one in entries
    ]
    assert [one.unit for one in written.graders] == [one.unit or "" for one in entries]


def test_threshold_zero_survives() -> None:
    written = parse_manifest(dumps(manifest_document(Configuration((entry(threshold=0),)))).encode())
    assert written.graders[0].threshold == 0


@given(value=st.one_of(st.none(), st.integers(-(10**15), 10**15), st.floats(allow_nan=False, allow_infinity=False)))
def test_any_value_comes_back(value: float | None) -> None:
    written = parse_results(dumps(results_document([judged(entry(), Measured(value))], Context())).encode())
    assert written.results[0].value == value
    assert written.results[0].status == judged(entry(), Measured(value)).status.value


def test_the_events_repeat_the_documents() -> None:
    graded = grade(calls(3), None, defaults())
    manifest, results = manifest_document(defaults()), results_document(graded, CONTEXT)
    one, two = grader_events(manifest, results)
    assert one == {
        "type": "grader.manifest",
        "data": {"graders": manifest["graders"]},
        "provenance": {
            "component": "grader",
            "phase": "conclusion",
            "path": "usage/graders/grader_manifest.json",
            "index": 0,
        },
    }
    assert two == {
        "type": "grader.result",
        "data": {"results": results["results"]},
        "provenance": {
            "component": "grader",
            "phase": "conclusion",
            "path": "usage/graders/grader_results.json",
            "index": 0,
        },
    }
    assert list(one) == list(two) == ["type", "data", "provenance"]


@pytest.mark.parametrize(
    "change",
    [
        {"status": "pass", "value": None},
        {"status": "unavailable", "value": 0},
        {"status": "error"},
        {"status": "fail", "passed": True},
        {"status": "not-observed"},
        {"value": "1"},
        {"evaluatedAt": "2026-01-01T00:00:00Z"},
    ],
)
def test_what_the_schema_refuses(change: JsonObject) -> None:
    document: Any = results_document([judged(entry(), Measured(1))], Context())
    document["results"][0] |= change
    assert not valid(document, "results")


def test_equal_input_equal_bytes() -> None:
    again = [dumps(results_document(grade(calls(3), None, defaults()), CONTEXT)) for _ in range(2)]
    assert again[0] == again[1]
