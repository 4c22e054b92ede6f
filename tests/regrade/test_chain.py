"""The chain from archive to observation: what a regrade returns, and what it rests on."""

import json
from pathlib import Path
from typing import Any

import pytest

from opvalue.archive import read_artifact
from opvalue.checkout import GitCheckout
from opvalue.errors import Kind
from opvalue.identity import Instant, RunRef
from opvalue.limits import Limits
from opvalue.process import detect
from opvalue.regrade import Contract, evidence_instant, regrade, verify_run
from opvalue.regrade.errors import EvidenceNotOffered, NotMature, WrongContract
from opvalue.trust import Anchor, CheckState, ReachableAnchor
from tests.support.refusals import UNCONFINED, no_evaluator_started, refused
from tests.support.told import DEFINITION, OBSERVATION, Told, changed
from tests.support.world import CONFIG, EVALUATOR_PATH, NOW, WORKFLOW_PATH, World

TIMES = [
    ("2026-08-20T10:00:00Z", 0, False),
    ("2026-08-20T10:10:00Z", 1 / 3, False),
    ("2026-08-25T00:00:00Z", 2 / 3, False),
    ("2026-09-03T09:59:59.999Z", 1, False),
    ("2026-09-03T10:00:00Z", 1, True),
    ("maturity", 1, True),
    ("2026-09-20T00:00:00+02:00", 1, True),
    ("now", 1, True),
]


@pytest.mark.parametrize(("evidence_at", "value", "mature"), TIMES)
def test_the_value_rises_until_maturity_then_stays(world: World, evidence_at: str, value: float, mature: bool) -> None:
    regraded = world.regrade(evidence_at, runner=UNCONFINED)
    assert (regraded.observation.value, regraded.mature, regraded.drift) == (value, mature, ())
    assert regraded.delta_from_baseline == value - 0.25


@pytest.mark.parametrize(
    "spelling", ["2026-08-25T00:00:00Z", "2026-08-25T02:00:00.000+02:00", "2026-08-24t22:00:00.0-02:00"]
)
def test_three_spellings_of_an_instant_are_one_identity(world: World, spelling: str) -> None:
    statement = world.regrade(spelling, runner=UNCONFINED).statement
    assert statement == world.regrade(runner=UNCONFINED).statement
    assert statement["regrade"]["identity"]["evidenceAt"] == "2026-08-25T00:00:00.000Z"  # type: ignore[index]


def test_the_whole_statement(world: World) -> None:
    digest = world.grader["digest"]
    regraded = world.regrade(runner=UNCONFINED)
    assert regraded.statement == {
        "version": 1,
        "run": {"id": "123456", "attempt": 1},
        "regrade": {
            "identity": {"runId": "123456", "evaluatorDigest": digest, "evidenceAt": "2026-08-25T00:00:00.000Z"},
            "originalEvidenceAt": "2026-08-20T10:10:00.000Z",
            "host": "github.com",
            "closureDigest": regraded.verified.evaluator.closure_digest.hex,
            "evidence": {"digest": None, "exchanges": 0, "undeclared": []},
            "drift": [],
        },
        "results": [
            {
                "id": "operational-value",
                "name": "Operational Value",
                "value": 2 / 3,
                "unit": "ratio",
                "passed": True,
                "status": "pass",
                "source": "operational-value",
                "observation": {
                    "subject": world.subject,
                    "opportunityKey": "issue:42",
                    "evidenceAt": "2026-08-25T00:00:00.000Z",
                    "evidenceCutoff": "2026-08-25T00:00:00.000Z",
                    "maturesAt": "2026-09-03T10:00:00.000Z",
                    "mature": False,
                    "case": {"issue": 42},
                    "provenance": [{"repository": "acme/widgets", "kind": "issue", "ref": "42"}],
                },
                "diagnostics": {"done": ["labeled", "assigned"]},
                "baselineValue": 0.25,
                "deltaFromBaseline": 2 / 3 - 0.25,
                "implementation": {
                    "id": "gh-aw-graders-operational-value-regrade",
                    "version": 1,
                    "digest": digest,
                },
            }
        ],
    }


def test_execution_says_what_was_checked_and_what_was_not(world: World) -> None:
    regraded = world.regrade(runner=UNCONFINED)
    states = {check.name: check.state for check in regraded.checks}
    assert [name for name, state in states.items() if state is CheckState.SKIPPED] == [
        "run.facts",
        "artifact.transport-digest",
        "archive.case",
    ]
    assert [name for name, state in states.items() if state is CheckState.DONE] == [
        "archive.run",
        "archive.digests",
        "archive.repository",
        "archive.created-at",
        "commit.anchored",
        "evaluator.at-commit",
        "evaluator.closure",
        "workflow.binding",
        "evaluator.syntax",
        "evaluator.definition",
    ]
    execution: Any = regraded.execution
    assert execution["mode"] == "offline"
    assert execution["gradedAt"] == "2026-10-01T00:00:00.000Z"
    assert set(execution["tools"]) == {"opvalue", "python", "bash", "jq"}
    assert execution["sandbox"] == {"layers": [], "reason": "it was switched off"}
    assert [check["name"] for check in execution["checks"]] == [check.name for check in regraded.checks]


def test_what_the_evaluator_leaves_is_reported(own: World) -> None:
    own.adopt(own.evaluator.replace(b"request=$(cat)", b"touch left; mkdir kept; request=$(cat)"))
    regraded = own.regrade(runner=UNCONFINED)
    assert regraded.execution["leftBehind"] == ["kept/", "left"]


def test_the_request_is_the_archives(told: Told) -> None:
    told.world.regrade(runner=UNCONFINED)
    subject = dict(told.world.subject)
    del subject["type"]
    assert told.request == {
        "schemaVersion": 1,
        "run": {"id": subject.pop("runId"), **subject},
        "evidenceAt": "2026-08-25T00:00:00.000Z",
        "case": {"issue": 42},
        "event": None,
        "config": CONFIG,
    }


def test_no_config_is_an_empty_one(own: World) -> None:
    workflow = own.workflow.partition(b"    config:")[0] + b"---\n"
    own.recommit({WORKFLOW_PATH: workflow})
    del own.grader["config"]
    regraded = own.regrade(runner=UNCONFINED)
    assert regraded.observation.value is None
    assert regraded.verified.archived.grader.config == {}


@pytest.mark.parametrize(
    ("value", "threshold", "direction", "passed", "status"),
    [
        (0, 0, "higher_is_better", True, "pass"),
        (0, 0.1, "higher_is_better", False, "fail"),
        (0, 0, "lower_is_better", True, "pass"),
        (1, 0, "lower_is_better", False, "fail"),
        (0, None, "higher_is_better", None, "pass"),
        (None, 0, "higher_is_better", None, "unavailable"),
        (None, None, "higher_is_better", None, "unavailable"),
        (0.6, 0.6, "higher_is_better", True, "pass"),
    ],
)
def test_null_zero_and_thresholds(
    tmp_path: Path, value: float | None, threshold: float | None, direction: str, passed: bool | None, status: str
) -> None:
    told = Told(tmp_path)
    declared = "null" if threshold is None else str(threshold)
    workflow = told.world.workflow.replace(
        b"threshold: 0.6", f"direction: {direction}\n    threshold: {declared}".encode()
    )
    told.world.recommit({WORKFLOW_PATH: workflow})
    told.world.grader.update(threshold=threshold, direction=direction)
    told.observe(changed(OBSERVATION, value=value))
    result: Any = json.loads(told.world.regrade(runner=UNCONFINED).to_json())["results"][0]
    assert (result["value"], result["passed"], result["status"]) == (value, passed, status)
    assert (result["baselineValue"], result["deltaFromBaseline"]) == (None, None)


@pytest.mark.parametrize(("value", "delta"), [(0, -0.5), (0.5, 0), (1, 0.5), (None, None)])
def test_delta_from_a_baseline(told: Told, value: float | None, delta: float | None) -> None:
    baseline = {"mode": "baseline-comparable", "value": 0.5, "evidenceCutoff": "x", "provenance": ["x"]}
    told.define(changed(DEFINITION, baseline=baseline))
    told.observe(changed(OBSERVATION, value=value))
    regraded = told.world.regrade(runner=UNCONFINED)
    result: Any = json.loads(regraded.to_json())["results"][0]
    assert (result["baselineValue"], result["deltaFromBaseline"], regraded.delta_from_baseline) == (0.5, delta, delta)


def test_a_baseline_of_zero_is_a_baseline(told: Told) -> None:
    baseline = {"mode": "baseline-comparable", "value": 0, "evidenceCutoff": "x", "provenance": ["x"]}
    told.define(changed(DEFINITION, baseline=baseline))
    told.observe(changed(OBSERVATION, value=0))
    assert told.world.regrade(runner=UNCONFINED).delta_from_baseline == 0


def test_the_first_generation(tmp_path: Path) -> None:
    world = World(tmp_path, value=True)
    made = json.loads(world.regrade(runner=UNCONFINED).to_json())
    assert made["regrade"]["identity"] == {
        "runId": "123456",
        "functionDigest": world.grader["digest"],
        "evidenceAt": "2026-08-25T00:00:00.000Z",
    }
    result = made["results"][0]
    assert (result["id"], result["source"], result["value"]) == ("value", "value", 2 / 3)
    assert result["implementation"]["id"] == "gh-aw-graders-value-regrade"


def test_the_first_generation_wants_its_own_definition(tmp_path: Path) -> None:
    world = World(tmp_path, value=True)
    world.adopt(world.evaluator.replace(b'"grader": "value"', b'"grader": "operational-value"'))
    assert refused(world).code == "contract.definition-grader"


def test_no_creation_time(world: World) -> None:
    world.subject["createdAt"] = None
    error = refused(world, "2026-08-01T00:00:00Z")
    assert error.code == "evaluator.exit-status", "there is no lower bound, so this evaluator was run, and needs it"
    assert world.modes == ["--definition", "--grade-run"]


def test_no_creation_time_is_stated(told: Told) -> None:
    world = told.world.sharing(told.folder)
    world.subject["createdAt"] = None
    regraded = world.regrade(runner=UNCONFINED)
    assert {check.name: check.state for check in regraded.checks}["archive.created-at"] is CheckState.SKIPPED
    assert told.request["run"]["createdAt"] is None
    made = json.loads(regraded.to_json())
    assert made["results"][0]["observation"]["subject"]["createdAt"] is None


def test_contracts_can_be_chosen(world: World, own: World) -> None:
    assert world.regrade(runner=UNCONFINED, contract=Contract.SCHEMA_4).observation.value == 2 / 3
    error = refused(world, contract=Contract.SESSION)
    assert isinstance(error, WrongContract)
    assert (error.found, error.kind) == ("the session contract", Kind.REFUSED)
    own.adopt(b'#!/usr/bin/env bash\nset -euo pipefail\ncat "$1"\n')
    assert refused(own).found == "a script without the schema-4 modes"
    assert own.modes == []
    assert refused(own, contract=Contract.SCHEMA_4).code == "evaluator.exit-status"


def test_maturity_can_be_required(world: World) -> None:
    assert world.regrade("maturity", runner=UNCONFINED, require_mature=True).mature
    error = refused(world, require_mature=True)
    assert isinstance(error, NotMature)
    assert error.expected == "maturity at 2026-09-03T10:00:00.000Z"
    assert (error.code, error.kind.exit_status) == ("regrade.not-mature", 8)


def test_evidence_that_is_not_offered_is_no_score(own: World) -> None:
    own.adopt(own.evaluator.replace(b"request=$(cat)", b"request=$(cat); gh api x >/dev/null 2>&1 || :"))
    error = refused(own)
    assert isinstance(error, EvidenceNotOffered)
    assert (error.found, error.kind.exit_status) == ("GET /x", 9)


def test_sandboxed_or_not_is_one_statement(world: World) -> None:
    if detect().sandbox is None:
        pytest.skip("no sandbox works here")
    inside, outside = world.regrade(), world.regrade(runner=UNCONFINED)
    assert world.modes == ["--definition", "--grade-run"], "the sandboxed one cannot leave its note"
    assert inside.statement == outside.statement


def test_what_is_going_on_is_told(world: World) -> None:
    heard: list[str] = []
    world.regrade(runner=UNCONFINED, tell=heard.append)
    assert heard == ["reading the artifact", "verifying it against the checkout", "running the evaluator"]


def test_verifying_runs_nothing(world: World) -> None:
    with no_evaluator_started():
        run = world.verified()
    assert run.checks[4].detail == f"commit {world.commit[:12]} is named with --commit"
    assert str(run.consistent.evaluator_path) == EVALUATOR_PATH


def test_a_verified_run_is_regraded_with_defaults(told: Told) -> None:
    """Without a runner of the caller's, the default one is used; the sandbox then hides what this evaluator reads."""
    run = told.world.verified()
    if detect().sandbox is None:
        pytest.skip("no sandbox works here")
    with pytest.raises(Exception, match="No such file or directory"):
        regrade(run, Instant.parse("2026-08-25T00:00:00Z"), now=NOW)


def test_bounds_are_checked_again_by_regrade(world: World) -> None:
    run = world.verified()
    with no_evaluator_started(), pytest.raises(Exception, match="has not come yet"):
        regrade(run, Instant.parse("2026-10-01T00:00:00.001Z"), now=NOW)


def test_limits_are_handed_on(world: World) -> None:
    with pytest.raises(Exception, match="too large"):
        _limited(world, Limits(evaluator_bytes=10))


def _limited(world: World, limits: Limits) -> None:
    archived = read_artifact(world.artifact())
    with GitCheckout.open(world.repository.path, repository=None) as checkout:
        anchors: list[Anchor] = [ReachableAnchor(checkout)]
        verify_run(archived, RunRef("123456"), checkout, anchors, limits=limits)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("now", NOW),
        ("maturity", Instant.parse("2026-09-03T10:00:00Z")),
        ("2026-08-20T10:00:00Z", Instant.parse("2026-08-20T10:00:00Z")),
        ("2026-10-01T00:00:00Z", NOW),
    ],
)
def test_evidence_instants(world: World, text: str, instant: Instant) -> None:
    assert evidence_instant(text, world.verified().consistent, now=NOW) == instant


def test_maturity_that_has_not_come_is_refused(world: World) -> None:
    world.observation["maturesAt"] = "2026-10-02T00:00:00Z"
    assert refused(world, "maturity").code == "regrade.evidence-in-future"


@pytest.mark.parametrize("moved", ["2026-08-21T00:00:00.000Z", "2026-09-03T10:00:01Z"])
def test_maturity_by_the_archives_word_alone_is_refused(world: World, moved: str) -> None:
    world.observation["maturesAt"] = moved
    error = refused(world, "maturity")
    assert (error.code, error.found) == ("regrade.maturity-moved", "2026-09-03T10:00:00.000Z (evaluator)")
    drifted = world.regrade("2026-09-10T00:00:00Z", runner=UNCONFINED).drift
    assert [(field.field, field.archived) for field in drifted] == [("maturesAt", moved)]


def test_now_before_the_run_is_refused(world: World) -> None:
    world.subject["createdAt"] = "2026-10-02T00:00:00Z"
    assert refused(world, "now").code == "regrade.evidence-before-run"


def test_whether_a_document_holds_this_observation(world: World) -> None:
    regraded = world.regrade(runner=UNCONFINED)
    document = json.loads(regraded.to_json())
    assert regraded.is_in(regraded.to_json().encode())
    assert regraded.is_in(json.dumps({**document, "execution": {"mode": "elsewhere"}}).encode())
    assert not regraded.is_in(json.dumps({**document, "version": 2}).encode())
    assert not regraded.is_in(world.regrade("maturity", runner=UNCONFINED).to_json().encode())
    for other in (b"", b"\xff", b"[]", b"{}", regraded.to_json().encode()[:-3]):
        assert not regraded.is_in(other)
