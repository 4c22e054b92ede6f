import pytest

from opvalue.github import RECORDED, ApiAnchor, Recorded, recorded

HEAD = [
    "push",
    "schedule",
    "workflow_dispatch",
    "repository_dispatch",
    "issues",
    "issue_comment",
    "merge_group",
    "workflow_run",
    "workflow_call",
    "release",
    "discussion",
    "discussion_comment",
    "create",
    "label",
]


@pytest.mark.parametrize("event", HEAD)
def test_these_record_the_head_commit_itself(event: str) -> None:
    assert recorded(event) is Recorded.HEAD
    assert ApiAnchor.allowed(event)


@pytest.mark.parametrize("event", ["pull_request", "pull_request_review", "pull_request_review_comment"])
def test_these_record_a_merge_of_the_head_commit(event: str) -> None:
    assert recorded(event) is Recorded.MERGE
    assert ApiAnchor.allowed(event)


@pytest.mark.parametrize("event", ["pull_request_target", "check_suite", "status", "deployment"])
def test_of_these_the_api_names_another_commit(event: str) -> None:
    assert recorded(event) is Recorded.ELSEWHERE
    assert not ApiAnchor.allowed(event)


@pytest.mark.parametrize("event", ["", "dynamic", "Push", "push ", "pull_request_targets"])
def test_unknown_events_are_not_guessed_at(event: str) -> None:
    assert recorded(event) is None
    assert not ApiAnchor.allowed(event)


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        RECORDED["dynamic"] = Recorded.HEAD  # type: ignore[index]
