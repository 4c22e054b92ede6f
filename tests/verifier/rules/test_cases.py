"""Cases of the author's own."""

from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.bundle import Bundle, Header, Profile, write
from opvalue.evidence.exchange import normalise
from opvalue.identity import Digest, Host, Instant
from opvalue.strictjson import JsonObject
from tests.verifier.running import RUNNER, Edit, edited, subject
from verifier.plan import guessed
from verifier.registry import rule
from verifier.runs import open_runs
from verifier.simulated import Hints
from verifier.simulated.source import exchange
from verifier.subject import Case

_HOST = Host("github.com")
_CREATED = Instant.parse("2026-08-30T12:00:00Z")
_TIMELINE = "/repos/octo-org/widgets/issues/7/timeline?per_page=100"
_CLOSED = {"event": "closed", "created_at": "2026-09-02T00:00:00Z", "state_reason": "completed"}


def _request(at: str) -> JsonObject:
    run: JsonObject = {
        "id": "12",
        "attempt": 1,
        "repository": "octo-org/widgets",
        "workflow": "Issue triage",
        "ref": "refs/heads/main",
        "sha": "0" * 40,
        "eventName": "issues",
        "createdAt": "2026-08-30T12:00:00Z",
    }
    case: JsonObject = {"issue": 7}
    return {"schemaVersion": 1, "run": run, "evidenceAt": at, "case": case, "event": None, "config": {}}


def _bundle(events: list[dict[str, Any]]) -> bytes:
    setting = guessed(_CREATED, repository="octo-org/widgets", workflow="x", workflow_id="x", hints=Hints({}))
    asked = normalise("GET", _TIMELINE, host=_HOST, accept="*/*", api_version="", body=b"")
    header = Header(
        host=_HOST,
        repository_id=1,
        run_id="12",
        attempt=1,
        evaluator_digest=Digest.of(b"x"),
        closure_digest=Digest.of(b"x"),
        requests=(Instant.parse("2026-09-01T00:00:00Z"),),
        complete=True,
        failures=(),
        profile=Profile("gh-2.48", "jq-1.6"),
    )
    return write(Bundle.of(header, [exchange(setting, asked, events)]))


def _found(case: Case, *edits: Edit, name: str = "cases") -> list[str]:
    made = subject(edited(*edits), cases=(case,))
    with open_runs(made, RUNNER) as runs:
        return [one.message for one in rule(name).check(made, runs)]


def test_a_case_that_comes_out_is_fine() -> None:
    assert _found(Case("closed", _request("2026-10-01T00:00:00Z"), _bundle([_CLOSED]), 1)) == []
    assert _found(Case("early", _request("2026-09-01T00:00:00Z"), _bundle([_CLOSED]), 0)) == []


def test_another_value_is_told() -> None:
    assert _found(Case("closed", _request("2026-10-01T00:00:00Z"), _bundle([_CLOSED]), 0)) == [
        "the case closed gives 1, not 0"
    ]
    assert _found(Case("none", _request("2026-10-01T00:00:00Z"), _bundle([]), 0)) == ["the case none gives null, not 0"]


def test_evidence_that_the_case_lacks_is_told() -> None:
    (only,) = _found(Case("bare", _request("2026-10-01T00:00:00Z"), None, 1))
    assert only.startswith("the case bare is not observed: ")
    other = _request("2026-10-01T00:00:00Z") | {"case": {"issue": 8}}
    (only,) = _found(Case("other", other, _bundle([_CLOSED]), 1))
    assert "the bundle has no answer" in only


def test_a_failing_script_is_told() -> None:
    edit = ('value="$(jq -c', 'exit 3; value="$(jq -c')
    (only,) = _found(Case("closed", _request("2026-10-01T00:00:00Z"), _bundle([_CLOSED]), 1), edit)
    assert only.startswith("the case closed gives no observation: ")


def test_evidence_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(OpvalueError) as refused:
        _found(Case("closed", _request("2026-10-01T00:00:00Z"), b"no bundle", 1))
    assert refused.value.code == "verify.case"


def test_looking_ahead_shows_in_a_case_as_well() -> None:
    edit = ("$at != null and $at <= $end_of_evidence", "$at != null and ($at > 0 or $at <= $end_of_evidence)")
    case = Case(
        "early",
        _request("2026-09-01T00:00:00Z"),
        _bundle([{**_CLOSED, "created_at": "2026-08-31T00:00:00Z", "event": "labeled"}, _CLOSED]),
        1,
    )
    (only,) = _found(case, edit, name="no-look-ahead")
    assert only.startswith("in the case early, what came after the cutoff")
