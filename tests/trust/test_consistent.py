"""The archive against itself and against the run asked for (reference 2.2, step 8)."""

from typing import Any

import pytest

from opvalue.archive import Generation
from opvalue.errors import Kind, OpvalueError
from opvalue.identity import Digest, Instant, Repository, RunRef
from opvalue.trust import CheckState, FormerName, TrustPolicy, consistent, errors
from tests.trust.memory import REPOSITORY
from tests.trust.runs import PATH, SCRIPT, archived, consistent_run

OTHER = Digest.of(b"other").hex
RIGHT = Digest.of(SCRIPT).hex
_LONG = "x" * 100_000
HEX = "64 lower-case hexadecimal characters"
TIME = "2026-08-30T12:00:00Z or with milliseconds"
ASKED = "workflow-run 123 attempt 2"


def test_what_a_consistent_run_holds() -> None:
    run = consistent(archived(), RunRef("123", REPOSITORY, 2), REPOSITORY)
    assert run.commit_id.hex == f"{1:040x}"
    assert str(run.evaluator_path) == PATH
    assert run.evaluator_digest == Digest.of(SCRIPT)
    assert run.created_at == Instant.parse("2026-08-28T12:00:00Z")
    assert run.matures_at == Instant.parse("2026-08-30T12:00:00Z")
    assert run.policy == TrustPolicy()
    assert [(check.name, check.detail) for check in run.checks] == [
        ("archive.run", "run 123, attempt 2"),
        ("archive.digests", "manifest, results and archived evaluator agree on the evaluator's digest"),
        ("archive.repository", "repository recorded as acme/widgets"),
        ("archive.created-at", "creation recorded as 2026-08-28T12:00:00.000Z"),
    ]
    assert {check.state for check in run.checks} == {CheckState.DONE}


ROWS: list[tuple[dict[str, Any], type[errors.TrustRefused], str, str]] = [
    ({"run_id": "124"}, errors.RunMismatch, "123", "124"),
    ({"run_id": ""}, errors.RunMismatch, "123", "no run id"),
    ({"attempt": 0}, errors.AttemptMismatch, "a positive attempt", "0"),
    ({"grader": {"digest": None}}, errors.DigestMissing, HEX, "none"),
    ({"grader": {"digest": ""}}, errors.DigestMissing, HEX, "none"),
    ({"grader": {"digest": "A" * 64}}, errors.DigestMissing, HEX, repr("A" * 64)),
    ({"implementation_digest": None}, errors.DigestMissing, HEX, "none"),
    ({"implementation_digest": "x"}, errors.DigestMissing, HEX, "'x'"),
    (
        {"implementation_digest": OTHER},
        errors.DigestRecordsDiffer,
        f"{Digest.of(SCRIPT)} (manifest)",
        f"{OTHER} (results)",
    ),
    ({"evaluator": b"other"}, errors.DigestMismatch, Digest.of(SCRIPT).hex, OTHER),
    ({"observation": {"subject_type": "issue"}}, errors.SubjectMismatch, ASKED, "issue 123 attempt 2"),
    ({"subject": {"run_id": "9"}}, errors.SubjectMismatch, ASKED, "workflow-run 9 attempt 2"),
    ({"subject": {"attempt": 1}}, errors.SubjectMismatch, ASKED, "workflow-run 123 attempt 1"),
    ({"subject": {"repository": ""}}, errors.RepositoryMismatch, "acme/widgets", "none"),
    ({"subject": {"repository": "acme/other"}}, errors.RepositoryMismatch, "acme/widgets", "acme/other"),
    ({"subject": {"repository": "a/b/c/d"}}, errors.RepositoryMismatch, "acme/widgets", "a/b/c/d"),
    ({"observation": {"case": None}}, errors.CaseMissing, "an object", ""),
    ({"observation": {"case": "x"}}, errors.CaseMissing, "an object", ""),
    ({"subject": {"sha": "main"}}, errors.CommitUnsafe, "40 or 64 lower-case hexadecimal characters", "'main'"),
    ({"grader": {"run": None}}, errors.EvaluatorUndeclared, "a `run` path", ""),
    ({"grader": {"run": ""}, "generation": Generation.VALUE}, errors.EvaluatorUndeclared, "a `function` path", ""),
    ({"subject": {"created_at": "yesterday"}}, errors.SubjectTimeMalformed, TIME, "yesterday"),
    ({"observation": {"matures_at": ""}}, errors.SubjectTimeMalformed, TIME, ""),
]


@pytest.mark.parametrize(("changes", "refusal", "expected", "found"), ROWS)
def test_refusals(changes: dict[str, Any], refusal: type[errors.TrustRefused], expected: str, found: str) -> None:
    with pytest.raises(refusal) as caught:
        consistent_run(**changes)
    assert (caught.value.expected, caught.value.found or "") == (expected, found)
    assert caught.value.kind is Kind.REFUSED


ORDERED: list[dict[str, Any]] = [
    {"run_id": "124"},
    {"implementation_digest": None},
    {"evaluator": b"other"},
    {"observation": {"subject_type": "issue", "case": None}, "subject": {"repository": "x/y", "sha": ""}},
]


@pytest.mark.parametrize("first", range(len(ORDERED)))
def test_the_first_refusal_wins(first: int) -> None:
    wrong: dict[str, Any] = {}
    for changes in ORDERED[first:]:
        wrong |= changes
    refusals = (errors.RunMismatch, errors.DigestMissing, errors.DigestMismatch, errors.SubjectMismatch)
    with pytest.raises(refusals[first]):
        consistent_run(**wrong)


def test_an_attempt_is_compared_when_it_was_named() -> None:
    with pytest.raises(errors.AttemptMismatch) as caught:
        consistent(archived(), RunRef("123", None, 1), REPOSITORY)
    assert (caught.value.expected, caught.value.found) == ("attempt 1", "attempt 2")


def test_carriage_returns_are_named() -> None:
    with pytest.raises(errors.DigestMismatch, match="only by carriage returns"):
        consistent_run(evaluator=SCRIPT.replace(b"\n", b"\r\n"))


def test_no_creation_time_is_a_skipped_check() -> None:
    run = consistent_run(subject={"created_at": None})
    assert run.created_at is None
    assert run.checks[-1].state is CheckState.SKIPPED
    assert run.checks[-1].detail.endswith("bounds that need it are not made")


def test_a_creation_time_known_from_elsewhere_bounds_the_run() -> None:
    known = Instant.parse("2026-08-28T11:00:00Z")
    missing = archived(subject={"created_at": None})
    run = consistent(missing, RunRef("123"), REPOSITORY, created_at=known)
    assert run.created_at == known
    assert run.checks[-1].state is CheckState.SKIPPED
    assert run.checks[-1].detail.endswith(f"bounds are those of {known}")
    recorded = consistent(archived(), RunRef("123"), REPOSITORY, created_at=known)
    assert recorded.created_at == Instant.parse("2026-08-28T12:00:00Z"), "the archive's own word comes first"


@pytest.mark.parametrize("name", ["ACME/widgets", "acme/Widgets", "github.com/acme/widgets"])
def test_letter_case_makes_no_other_repository(name: str) -> None:
    assert consistent_run(subject={"repository": name}).checks[2].detail == f"repository recorded as {name}"


def test_a_former_name_counts_when_vouched_for() -> None:
    policy = TrustPolicy((FormerName(Repository.parse("old/name"), "vouched for with --renamed-from"),))
    run = consistent_run(policy, subject={"repository": "Old/Name"})
    assert run.checks[2].detail == "repository recorded as Old/Name, a former name vouched for with --renamed-from"
    with pytest.raises(errors.RepositoryMismatch):
        consistent_run(policy, subject={"repository": "old/other"})


def test_a_former_name_on_another_host_is_another_repository() -> None:
    policy = TrustPolicy((FormerName(Repository.parse("ghe.example.com/old/name"), "by word"),))
    with pytest.raises(errors.RepositoryMismatch):
        consistent_run(policy, subject={"repository": "old/name"})


@pytest.mark.parametrize(
    ("declared", "path"), [("./x.sh", ".github/workflows/x.sh"), ("./sub/x.sh", ".github/workflows/sub/x.sh")]
)
def test_a_path_beside_the_workflow(declared: str, path: str) -> None:
    assert str(consistent_run(grader={"run": declared}).evaluator_path) == path


@pytest.mark.parametrize(
    "changes",
    [
        {"run_id": _LONG},
        {"observation": {"subject_type": _LONG}},
        {"subject": {"run_id": _LONG}},
        {"subject": {"repository": _LONG}},
        {"subject": {"sha": _LONG}},
        {"subject": {"created_at": _LONG}},
        {"observation": {"matures_at": _LONG}},
        {"grader": {"digest": _LONG}},
        {"grader": {"run": _LONG}},
        {"implementation_digest": _LONG},
    ],
)
def test_a_refusal_repeats_no_endless_text(changes: dict[str, Any]) -> None:
    with pytest.raises(OpvalueError) as caught:
        consistent_run(**changes)
    assert len(caught.value.diagnostics()) < 1000
