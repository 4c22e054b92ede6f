"""Adoptions that are not the workflow's first commit."""

from pathlib import Path

import pytest

from tests.verifier.checkouts import ADOPTED, WORKFLOW, adopted, found, frontmatter

_ID = "repository-adoption"


def test_the_first_commit_and_its_time_are_fine(tmp_path: Path) -> None:
    repository, first = adopted(tmp_path / "clone")
    assert found(_ID, repository.path, commit=first) == []
    assert found(_ID, repository.path, commit=first, edits={ADOPTED: "2026-08-01T09:30"}) == []
    assert found(_ID, repository.path, commit=first, edits={ADOPTED: "2026-08-01T11:30:00.250+02:00"}) == []
    assert found(_ID, None) == []


def test_a_commit_that_is_not_there(tmp_path: Path) -> None:
    repository, first = adopted(tmp_path / "clone")
    assert found(_ID, repository.path) == [
        f"error: the adoption commit 0123456789ab is not in the checkout's history; {WORKFLOW} began with {first[:12]}"
    ]


def test_a_later_commit(tmp_path: Path) -> None:
    repository, first = adopted(tmp_path / "clone")
    later = repository.commit({WORKFLOW: frontmatter(more="# changed")})
    assert found(_ID, repository.path, commit=later) == [
        f"error: the adoption commit {later[:12]} is not the workflow's first: {WORKFLOW} began with {first[:12]}"
    ]


def test_an_earlier_commit_may_have_had_it_under_another_name(tmp_path: Path) -> None:
    repository, first = adopted(tmp_path / "clone")
    earlier = repository("rev-parse", f"{first}^")
    assert found(_ID, repository.path, commit=earlier) == [
        f"note: the adoption commit {earlier[:12]} does not have the workflow; {WORKFLOW} began with {first[:12]}"
    ]


def test_a_renamed_workflow_began_under_its_old_name(tmp_path: Path) -> None:
    repository, first = adopted(tmp_path / "clone")
    repository("mv", WORKFLOW, ".github/workflows/new.md")
    repository.commit({})
    assert found(_ID, repository.path, commit=first, edits={WORKFLOW: ".github/workflows/new.md"}) == []


@pytest.mark.parametrize(
    ("time", "why"),
    [("2026-08-01T11:30:00Z", ": a local time is labelled Z"), ("2026-08-03T09:30:00Z", ""), ("2026-08-01T09:31Z", "")],
)
def test_a_time_that_is_off(tmp_path: Path, time: str, why: str) -> None:
    repository, first = adopted(tmp_path / "clone", when="2026-08-01T11:30:00+0200")
    assert found(_ID, repository.path, commit=first, edits={ADOPTED: time}) == [
        f"warning: adoptedAt is {time}, and the adoption commit was made at {ADOPTED}{why}"
    ]


@pytest.mark.parametrize("time", ["someday", "2026-02-31T00:00:00Z"])
def test_what_is_no_time_is_anothers_business(tmp_path: Path, time: str) -> None:
    repository, first = adopted(tmp_path / "clone")
    assert found(_ID, repository.path, commit=first, edits={ADOPTED: time}) == []


def test_a_shallow_clone_and_no_repository_are_refused(tmp_path: Path) -> None:
    repository, first = adopted(tmp_path / "clone")
    repository("clone", "-q", "--depth=1", repository.path.as_uri(), str(tmp_path / "shallow"))
    (only,) = found(_ID, tmp_path / "shallow", commit=first)
    assert only.startswith("error: the adoption cannot be checked: the clone ")
    assert "is shallow" in only
    (tmp_path / "none").mkdir()
    (only,) = found(_ID, tmp_path / "none", commit=first)
    assert only.startswith("error: the adoption cannot be checked: ")


def test_a_definition_without_a_commit_is_anothers_business(tmp_path: Path) -> None:
    repository, _ = adopted(tmp_path / "clone")
    assert found(_ID, repository.path, commit="none") == []
