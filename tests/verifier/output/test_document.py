"""The JSON document and its published schema."""

import json

import jsonschema
import pytest

from opvalue.cli.schema import SCHEMAS
from opvalue.strictjson import dumps
from tests.verifier.output.reports import ERROR, EVERY, HOSTILE, PATH, REPOSITORY_PATH, report, script
from verifier.output.document import document
from verifier.report import Report


def _validator() -> jsonschema.Draft202012Validator:
    schema = SCHEMAS["verification"]()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("given", [EVERY, report(), report(script(HOSTILE))])
def test_it_is_what_the_schema_says(given: Report) -> None:
    _validator().validate(json.loads(dumps(document(given))))


def test_what_is_not_in_the_schema_is_refused() -> None:
    made = json.loads(dumps(document(EVERY)))
    for bent in (
        {**made, "more": 1},
        {**made, "version": 2},
        {**made, "scripts": [{**made["scripts"][0], "path": None}]},
    ):
        assert list(_validator().iter_errors(bent))
    made["scripts"][0]["findings"][0]["reason"] = "none is given"
    assert list(_validator().iter_errors(made))


def test_its_content() -> None:
    made = json.loads(dumps(document(EVERY)))
    assert (made["version"], made["profile"], made["contract"]) == (1, "default", "schema-4")
    assert made["counts"] == {"errors": 1, "warnings": 1, "notes": 1}
    first, second = made["scripts"]
    assert (first["path"], first["repositoryPath"]) == (PATH, REPOSITORY_PATH)
    assert first["work"] == {"rules": 17, "scriptsRun": 3, "gradeRuns": 2}
    assert first["findings"][0] == {
        "rule": "static-swallowed-failure",
        "severity": "error",
        "confidence": "high",
        "path": PATH,
        "line": 7,
        "column": 8,
        "message": ERROR.message,
        "advice": "Let it fail",
        "excerpt": ERROR.excerpt,
        "link": "https://github.com/opvalue/opvalue/blob/main/docs/rules.md#static-swallowed-failure",
    }
    assert first["ignored"][0]["reason"] == "compared with the history below"
    assert (second["findings"], second["ignored"]) == ([], [])
