"""What a regrade rests on and carries: the recorded commit, the archived words, the run's own times, host and ids."""

import json
from pathlib import Path
from typing import Any

import pytest

from opvalue.cli import run
from opvalue.identity import Repository, RunRef
from tests.support.refusals import UNCONFINED, refused, refused_before_running
from tests.support.told import OBSERVATION, Told, changed
from tests.support.world import EVALUATOR_PATH, NOW, WORKFLOW_PATH, World, digest_of, material


def document(world: World, evidence_at: str = "2026-08-25T00:00:00Z", **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(world.regrade(evidence_at, runner=UNCONFINED, **changes).to_json())
    return made


def test_two_regrades_do_not_share_a_file(
    world: World, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """RG-01: the second is refused, the first stays, and so does the archive."""
    monkeypatch.setattr("opvalue.identity.Instant.from_datetime", classmethod(lambda _cls, _moment: NOW))
    artifact, output = world.artifact(), tmp_path / "observation.json"
    before = digest_of(artifact)

    def regrade(evidence_at: str) -> int:
        words = ["regrade", "123456", "--evidence-at", evidence_at, "--artifact", str(artifact), "--json"]
        return run("opvalue", [*words, "--checkout", str(world.repository.path), "--output", str(output)])

    assert regrade("2026-08-25T00:00:00Z") == 0
    first = output.read_bytes()
    capfd.readouterr()
    assert regrade("maturity") == 2
    assert json.loads(capfd.readouterr().out)["error"]["code"] == "output.exists"
    assert (output.read_bytes(), digest_of(artifact)) == (first, before)


def test_labels_are_the_archives_whatever_the_repository_says_today(own: World) -> None:
    """RG-03: the definition, the threshold and the name changed after the run."""
    own.grader["name"], own.grader["unit"] = "Triage, as it was called", "share"
    own.repository.commit(
        {
            EVALUATOR_PATH: own.evaluator.replace(b'"workflowName": "Issue Triage"', b'"workflowName": "New"'),
            WORKFLOW_PATH: own.workflow.replace(b"name: Issue Triage", b"name: New").replace(b"0.6", b"0.9"),
        }
    )
    own.repository.publish()
    result = document(own)["results"][0]
    assert (result["name"], result["unit"], result["status"]) == ("Triage, as it was called", "share", "pass")


def test_an_evaluator_that_is_gone_from_the_branch_is_read_at_its_commit(own: World) -> None:
    """RG-04: deleted on main, and its workflow with it."""
    own.repository("rm", "-q", EVALUATOR_PATH, WORKFLOW_PATH)
    own.repository.commit({})
    own.repository.publish()
    assert document(own)["results"][0]["value"] == 2 / 3


def test_an_evaluator_that_moved_is_read_at_the_archived_path(own: World) -> None:
    own.repository("mv", EVALUATOR_PATH, "moved.sh")
    own.repository.commit({EVALUATOR_PATH: material("issue-triage-operational-value.sh").replace(b"/ 3", b"/ 2")})
    own.repository.publish()
    assert document(own)["results"][0]["value"] == 2 / 3


def test_an_absent_merge_commit_says_how_to_get_it_and_gets_no_stand_in(world: World) -> None:
    """GT-03: the ref is told from the archive; the commit is on no branch, and may still be on the server."""
    world.subject.update(sha="1" * 40, ref="refs/pull/7/merge", eventName="pull_request")
    error = refused_before_running(world)
    assert error.code == "checkout.commit-absent"
    assert "throw-away merge commit of pull request 7" in error.hint
    assert error.hint.endswith(f"git -C {world.repository.path} fetch origin {'1' * 40}")


def test_maturity_of_a_later_attempt_counts_from_the_runs_creation(own: World) -> None:
    """EV-02: attempt 3, begun six days after the run was created."""
    own.subject["attempt"] = own.results["run"]["attempt"] = 3
    own.observation["evidenceAt"] = "2026-08-26T10:10:00.000Z"
    made = document(own, "2026-08-28T00:00:00Z", run=RunRef("123456", attempt=3))
    observation = made["results"][0]["observation"]
    assert (made["run"]["attempt"], observation["subject"]["attempt"]) == (3, 3)
    assert observation["subject"]["createdAt"] == "2026-08-20T10:00:00Z"
    assert observation["maturesAt"] == "2026-09-03T10:00:00.000Z"
    assert made["regrade"]["drift"] == []


def test_a_null_loses_nothing_on_its_way(told: Told) -> None:
    """AW-02: every field of an observation arrives, under the archive's own unit."""
    case = {"issue": 42, "labels": ["a", "b"], "nested": {"deep": [1, None, False, 0]}}
    said = changed(
        OBSERVATION,
        value=None,
        case=case,
        message="the timeline is gone",
        diagnostics={"pages": 0, "tried": None},
        provenance=[{"repository": "acme/widgets", "kind": "issue", "ref": "42", "extra": {"kept": True}}],
    )
    told.observe(said)
    result = document(told.world)["results"][0]
    assert (result["value"], result["status"], result["unit"]) == (None, "unavailable", "ratio")
    assert (result["message"], result["diagnostics"]) == (said["message"], said["diagnostics"])
    observation = result["observation"]
    assert {key: observation[key] for key in ("case", "opportunityKey", "provenance")} == {
        key: said[key] for key in ("case", "opportunityKey", "provenance")
    }


ENTERPRISE = "ghe.example.com"


def test_the_runs_host_is_the_evaluators_and_the_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """AW-03: the caller's variables name other hosts; the evaluator is told the run's, and the statement names it."""
    for name in ("GH_HOST", "GITHUB_SERVER_URL", "GITHUB_API_URL", "GH_REPO"):
        monkeypatch.setenv(name, "https://github.com")
    evaluator = material("issue-triage-operational-value.sh").replace(
        b"diagnostics: {done: $evidence.done}", b"diagnostics: ($ENV | {GH_HOST, GITHUB_API_URL, GITHUB_SERVER_URL})"
    )
    world = World(tmp_path, evaluator=evaluator)
    world.repository("remote", "set-url", "origin", f"git@{ENTERPRISE}:acme/widgets.git")
    made = document(world, repository=Repository.parse(f"{ENTERPRISE}/acme/widgets"))
    assert made["regrade"]["host"] == ENTERPRISE
    assert made["results"][0]["diagnostics"] == {
        "GH_HOST": ENTERPRISE,
        "GITHUB_API_URL": f"https://{ENTERPRISE}/api/v3",
        "GITHUB_SERVER_URL": f"https://{ENTERPRISE}",
    }


@pytest.mark.parametrize("remote", ["git@ghe.example.com:acme/widgets.git", "https://github.com/acme/widgets.git"])
def test_a_checkout_of_another_host_stops(tmp_path: Path, remote: str) -> None:
    """HB-02: without --repo the checkout decides; with one, the hosts must agree."""
    world = World(tmp_path)
    world.repository("remote", "set-url", "origin", remote)
    asked = "github.com/acme/widgets" if "ghe" in remote else f"{ENTERPRISE}/acme/widgets"
    error = refused_before_running(world, repository=Repository.parse(asked))
    assert error.code == "checkout.no-trusted-remote"
    expected = ENTERPRISE if "ghe" in remote else "github.com"
    assert document(world, repository=None)["regrade"]["host"] == expected


def test_ids_keep_every_digit(told: Told, tmp_path: Path) -> None:
    """BS-06: 2**53 + 1 and more, as text where ids are, and as the very integer where a case holds one."""
    run_id, number = "9007199254740993", 12345678901234567
    world = told.world.sharing(tmp_path)
    world.results["run"]["id"] = world.subject["runId"] = run_id
    world.observation["case"] = {"comment": number}
    told.observe(changed(OBSERVATION, case={"comment": number}))
    made = document(world, run=RunRef(run_id))
    assert told.request["run"]["id"] == made["run"]["id"] == made["regrade"]["identity"]["runId"] == run_id
    assert told.request["case"] == made["results"][0]["observation"]["case"] == {"comment": number}
    assert made["regrade"]["drift"] == []


def test_a_number_that_lost_digits_on_its_way_is_drift(told: Told, tmp_path: Path) -> None:
    """What jq 1.6 does to such a number is not passed over."""
    world = told.world.sharing(tmp_path)
    world.observation["case"] = {"comment": 12345678901234567}
    told.observe(changed(OBSERVATION, case={"comment": 12345678901234568}))
    (moved,) = document(world)["regrade"]["drift"]
    assert moved == {
        "field": "case",
        "archived": {"comment": 12345678901234567},
        "observed": {"comment": 12345678901234568},
    }


def test_a_date_reader_that_knows_no_fractions_is_a_failure_and_no_score(own: World) -> None:
    """EV-04: the evidence time has milliseconds, which jq's own reader refuses."""
    own.adopt(own.evaluator.replace(b"(.evidenceAt | seconds)", b"(.evidenceAt | fromdateiso8601)"))
    assert refused(own).code == "evaluator.exit-status"


def test_a_lookalike_in_the_checkout_takes_no_part(own: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """DG-05: nothing of the checked repository's working tree is imported or run, also from inside it."""
    trap = own.root / "sprung"
    hostile = f"import pathlib; pathlib.Path({str(trap)!r}).touch()\n"
    own.repository.write(
        {
            "opvalue/__init__.py": hostile,
            "sitecustomize.py": hostile,
            "yaml.py": hostile,
            "jq": f"#!/bin/sh\ntouch '{trap}'\n",
            EVALUATOR_PATH: f"#!/usr/bin/env bash\ntouch '{trap}'\n",
        }
    )
    (own.repository.path / "jq").chmod(0o755)
    monkeypatch.chdir(own.repository.path)
    assert document(own, checkout=Path())["results"][0]["value"] == 2 / 3
    assert not trap.exists()
