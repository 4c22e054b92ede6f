"""Permissions that do not cover what the script reads."""

from pathlib import Path

import pytest

from tests.verifier.checkouts import adopted, found, frontmatter

_ID = "repository-permissions"
_CALL = "repos/$REPOSITORY/issues/$1/timeline?per_page=100"


def _found(tmp_path: Path, permissions: str, path: str = _CALL) -> list[str]:
    repository, _ = adopted(tmp_path / "clone", text=frontmatter(permissions=permissions))
    return found(_ID, repository.path, edits={_CALL: path})


@pytest.mark.parametrize("permissions", ["{}", "{contents: read}", "{issues: none}", '"none"'])
def test_found(tmp_path: Path, permissions: str) -> None:
    (only,) = _found(tmp_path, permissions)
    assert only == (
        "warning: the workflow's permissions do not have issues: read or pull-requests: read, "
        "which issues/.../timeline needs"
    )


@pytest.mark.parametrize(
    "permissions", ["read-all", "write-all", "{issues: write}", "{all: read}", "{pull-requests: read}"]
)
def test_enough(tmp_path: Path, permissions: str) -> None:
    assert _found(tmp_path, permissions) == []


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("repos/octo-org/widgets/commits/$1/check-runs", "checks: read"),
        ("/repos/{owner}/{repo}/commits/$1/statuses", "statuses: read"),
        ("repos/$REPOSITORY/pulls/$1/reviews", "pull-requests: read"),
        ("repos/${REPOSITORY%/*}/${REPOSITORY#*/}/contents/a", "contents: read"),
        ("repos/$REPOSITORY/actions/runs/$1/jobs", "actions: read"),
        ("repos/$REPOSITORY/releases", "contents: read"),
        ("search/issues?q=$1", "issues: read or pull-requests: read"),
    ],
)
def test_each_endpoint_has_its_scope(tmp_path: Path, path: str, scope: str) -> None:
    (only,) = _found(tmp_path, "{metadata: read}", path)
    assert only.startswith(f"warning: the workflow's permissions do not have {scope}, which ")


@pytest.mark.parametrize(
    "path", ["repos/octo-org/other/issues", "rate_limit", "repos/octo-org/widgets", "users/$1", "repos/$REPOSITORY/odd"]
)
def test_what_no_permission_covers_is_not_judged(tmp_path: Path, path: str) -> None:
    assert _found(tmp_path, "{}", path) == []


def test_an_endpoint_that_a_function_gets(tmp_path: Path) -> None:
    repository, _ = adopted(tmp_path / "clone", text=frontmatter(permissions="{issues: read}"))
    edits = {'timeline "$number"': 'timeline "repos/$REPOSITORY/commits/$number/check-runs"'}
    (only,) = found(_ID, repository.path, edits=edits)
    assert only.startswith("warning: the workflow's permissions do not have checks: read")


def test_another_repository_out_of_a_variable_is_not_judged(tmp_path: Path) -> None:
    repository, _ = adopted(tmp_path / "clone", text=frontmatter(permissions="{}"))
    edits = {
        _CALL: "repos/$OTHER/issues/$1/timeline",
        "readonly MATURATION": 'readonly OTHER="a/b"\nreadonly MATURATION',
    }
    assert found(_ID, repository.path, edits=edits) == []


def test_no_permissions_at_all_are_a_note(tmp_path: Path) -> None:
    (only,) = _found(tmp_path, "")
    assert only.startswith("note: the workflow declares no permissions, and issues/.../timeline needs ")


def test_without_a_workflow_nothing_is_said(tmp_path: Path) -> None:
    repository, _ = adopted(tmp_path / "clone", text="---\non: [\n---\n")
    assert found(_ID, repository.path) == []
    assert found(_ID, None) == []
    assert found(_ID, tmp_path) == []
