from typing import Any

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.github import RECORDED, Recorded, RepositoryFacts, agree, check_run, errors
from opvalue.identity import CommitId
from opvalue.trust import CheckState
from tests.github.samples import ACME_WIDGETS, FACTS, archived
from tests.sim import HEAD_SHA

AGREES = "GitHub's record agrees: "


def test_a_completed_run_of_the_repository_itself_may_be_regraded() -> None:
    checks = check_run(FACTS)
    assert [(check.name, check.state, check.detail) for check in checks] == [
        ("run.status", CheckState.DONE, "GitHub's record: completed, failure"),
        ("run.head-repository", CheckState.DONE, "GitHub's record: the head is in acme/widgets (id 42), not in a fork"),
    ]
    assert check_run(FACTS._replace(conclusion=None))[0].detail == "GitHub's record: completed, without a conclusion"


@pytest.mark.parametrize("status", ["queued", "in_progress", "waiting", "unknown", "Completed"])
def test_a_run_that_goes_on_is_refused(status: str) -> None:
    with pytest.raises(errors.RunNotCompleted) as refused:
        check_run(FACTS._replace(status=status))
    assert (refused.value.code, refused.value.kind) == ("github.run-not-completed", Kind.NOTHING)
    assert refused.value.found == f"status {status}"


@pytest.mark.parametrize(
    ("head", "found"),
    [(RepositoryFacts(43, "mallory/widgets"), "mallory/widgets"), (None, "a repository that is gone")],
)
def test_a_fork_is_refused(head: RepositoryFacts | None, found: str) -> None:
    with pytest.raises(errors.ForkRun) as refused:
        check_run(FACTS._replace(head_repository=head))
    assert (refused.value.code, refused.value.kind) == ("github.fork-run", Kind.REFUSED)
    assert (refused.value.expected, refused.value.found) == ("acme/widgets", found)


def test_a_head_repository_that_only_bears_the_name_is_a_fork() -> None:
    with pytest.raises(errors.ForkRun):
        check_run(FACTS._replace(head_repository=RepositoryFacts(43, "acme/widgets")))


def test_an_archive_that_agrees_gives_four_checks() -> None:
    checks = agree(archived(), FACTS)
    assert [(check.name, check.state, check.detail) for check in checks] == [
        ("run.attempt", CheckState.DONE, AGREES + "attempt 2"),
        ("run.created-at", CheckState.DONE, AGREES + "created 2026-08-23T11:58:00.000Z"),
        ("run.event", CheckState.DONE, AGREES + "event schedule"),
        ("run.repository", CheckState.DONE, AGREES + "repository acme/widgets (id 42)"),
    ]


def test_no_recorded_creation_time_is_no_contradiction() -> None:
    check = agree(archived(createdAt=None), FACTS)[1]
    assert (check.state, check.detail) == (
        CheckState.SKIPPED,
        "the archive records no creation time; bounds use GitHub's 2026-08-23T11:58:00.000Z",
    )


def test_a_creation_time_may_be_spelled_with_milliseconds() -> None:
    assert agree(archived(createdAt="2026-08-23T11:58:00.000Z"), FACTS)[1].state is CheckState.DONE


@pytest.mark.parametrize(
    ("change", "error", "code", "expected", "found"),
    [
        (
            {"createdAt": "2026-08-23T11:58:01Z"},
            errors.RecordedCreationDiffers,
            "github.recorded-created-at",
            "2026-08-23T11:58:00.000Z",
            "2026-08-23T11:58:01Z",
        ),
        (
            {"createdAt": "yesterday"},
            errors.RecordedCreationDiffers,
            "github.recorded-created-at",
            "2026-08-23T11:58:00.000Z",
            "yesterday",
        ),
        ({"eventName": "push"}, errors.RecordedEventDiffers, "github.recorded-event", "schedule", "push"),
        ({"eventName": ""}, errors.RecordedEventDiffers, "github.recorded-event", "schedule", "none"),
        # Nothing was called from this run, so the word explains nothing.
        (
            {"eventName": "workflow_call"},
            errors.RecordedEventDiffers,
            "github.recorded-event",
            "schedule",
            "workflow_call",
        ),
        (
            {"repository": "acme/gadgets"},
            errors.RecordedRepositoryDiffers,
            "github.recorded-repository",
            "acme/widgets (id 42)",
            "acme/gadgets",
        ),
    ],
)
def test_each_contradiction_has_its_own_code(
    change: dict[str, Any], error: type[OpvalueError], code: str, expected: str, found: str
) -> None:
    with pytest.raises(error) as refused:
        agree(archived(**change), FACTS)
    assert (refused.value.code, refused.value.kind) == (code, Kind.REFUSED)
    assert (refused.value.expected, refused.value.found) == (expected, found)


def test_another_attempt_is_refused() -> None:
    with pytest.raises(errors.RecordedAttemptDiffers) as refused:
        agree(archived(attempt=1), FACTS)
    assert refused.value.code == "github.recorded-attempt"
    assert (refused.value.expected, refused.value.found) == ("attempt 2", "attempt 1")


def test_a_called_workflow_may_record_how_it_was_called() -> None:
    facts = FACTS._replace(called_workflows=("acme/shared/.github/workflows/triage.yml@main",))
    check = agree(archived(eventName="workflow_call"), facts)[2]
    assert check.detail == AGREES + "event workflow_call, called from a run of schedule"


def test_letter_case_of_a_name_is_free() -> None:
    assert agree(archived(repository="ACME/Widgets"), FACTS)[3].detail == AGREES + "repository acme/widgets (id 42)"


def test_a_former_name_is_known_by_its_number() -> None:
    check = agree(archived(repository="acme/gizmos"), FACTS, named=ACME_WIDGETS)[3]
    assert check.detail == AGREES + "repository acme/gizmos, a former name of acme/widgets (id 42)"


def test_a_former_name_that_someone_else_took_is_refused() -> None:
    with pytest.raises(errors.RecordedRepositoryDiffers) as refused:
        agree(archived(repository="acme/gizmos"), FACTS, named=RepositoryFacts(77, "acme/gizmos"))
    assert refused.value.found == "acme/gizmos (id 77)"


def test_the_users_word_counts_only_where_the_api_knows_nothing() -> None:
    word = "acme/gizmos, a former name vouched for with --renamed-from"
    assert agree(archived(repository="acme/gizmos"), FACTS, vouched=word)[3].detail == f"repository {word}"
    with pytest.raises(errors.RecordedRepositoryDiffers):
        agree(archived(repository="acme/gizmos"), FACTS, named=RepositoryFacts(77, "acme/gizmos"), vouched=word)


@pytest.mark.parametrize("sha", ["f" * 40, "", HEAD_SHA[:12], HEAD_SHA.upper()])
def test_another_commit_than_the_head_of_a_run_that_is_at_its_head(sha: str) -> None:
    with pytest.raises(errors.RecordedCommitDiffers) as refused:
        agree(archived(sha=sha), FACTS)
    assert (refused.value.code, refused.value.kind) == ("github.recorded-commit", Kind.REFUSED)
    assert refused.value.expected == f"the head commit {HEAD_SHA} of a run of schedule"
    assert refused.value.found == (sha or "none")
    assert "--commit SHA" in refused.value.hint
    named = CommitId("f" * 40)
    assert agree(archived(sha=sha), FACTS, commit=named) == agree(archived(), FACTS), "compared elsewhere"


@pytest.mark.parametrize("event", [event for event, kind in RECORDED.items() if kind is not Recorded.HEAD])
def test_the_head_says_nothing_of_the_commit_of_other_events(event: str) -> None:
    other = archived(sha="f" * 40, eventName=event)
    assert agree(other, FACTS._replace(event=event))[2].detail == AGREES + f"event {event}"


@pytest.mark.parametrize("field", ["createdAt", "eventName", "sha", "repository"])
@pytest.mark.parametrize("named", [None, RepositoryFacts(43, "mallory/widgets")])
def test_a_refusal_repeats_no_endless_text(field: str, named: RepositoryFacts | None) -> None:
    subject: dict[str, Any] = {field: "x" * 100_000}
    with pytest.raises(OpvalueError) as refused:
        agree(archived(**subject), FACTS, named=named)
    assert len(refused.value.diagnostics()) < 1000
