"""SARIF 2.1.0 as code scanning reads it."""

import json
from typing import Any

import jsonschema

from opvalue.strictjson import dumps
from tests.verifier.output.reports import ERROR, EVERY, HOSTILE, PATH, REPOSITORY_PATH, report, script
from tests.verifier.output.sarif_schema import SARIF
from verifier.output.sarif import sarif
from verifier.report import Report


def _run(given: Report) -> dict[str, Any]:
    log = json.loads(dumps(sarif(given)))
    jsonschema.Draft202012Validator(SARIF).validate(log)
    (run,) = log["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    found: dict[str, Any] = run
    return found


def test_every_finding_is_a_result_with_its_place() -> None:
    results = _run(EVERY)["results"]
    assert [(one["ruleId"], one["level"]) for one in results] == [
        ("static-swallowed-failure", "error"),
        ("static-bash32", "warning"),
        ("unreached-lines", "note"),
        ("static-current-state", "warning"),
    ]
    assert results[0]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": REPOSITORY_PATH, "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 7, "startColumn": 8, "snippet": {"text": ERROR.excerpt}},
            }
        }
    ]
    assert results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "lib/run%2C%20time.sh"
    assert "region" not in results[2]["locations"][0]["physicalLocation"]


def test_what_is_ignored_is_suppressed_with_its_reason() -> None:
    results = _run(EVERY)["results"]
    assert ["suppressions" in one for one in results] == [False, False, False, True]
    assert results[3]["suppressions"] == [{"kind": "external", "justification": "compared with the history below"}]


def test_each_rule_is_described_once_with_where_to_read_on() -> None:
    driver = _run(EVERY)["tool"]["driver"]
    assert driver["name"] == "opvalue verify"
    ids = [one["id"] for one in driver["rules"]]
    assert ids == sorted(set(ids))
    assert all(one["helpUri"].endswith(f"#{one['id']}") for one in driver["rules"])


def test_a_fingerprint_stays_when_lines_move_and_tells_twins_apart() -> None:
    moved, twin = ERROR._replace(line=70), ERROR._replace(line=71)
    first, second = (
        [one["partialFingerprints"]["primaryLocationLineHash"] for one in _run(report(script(*some)))["results"]]
        for some in ((ERROR,), (moved, twin))
    )
    assert first[0] == second[0]
    assert second[1] == first[0].replace(":1", ":2")
    assert len(first[0]) == 66


def test_no_findings_and_hostile_ones_are_valid_as_well() -> None:
    assert _run(report(script()))["results"] == []
    (result,) = _run(report(script(HOSTILE, path=PATH)))["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] == HOSTILE.excerpt


def test_a_line_that_is_not_shown_has_no_snippet() -> None:
    (result,) = _run(report(script(ERROR._replace(excerpt=None))))["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 7, "startColumn": 8}
