"""Workflows that do not register the script."""

from pathlib import Path

import pytest

from tests.verifier.checkouts import WORKFLOW, adopted, found, frontmatter

_ID = "repository-registration"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (frontmatter(run=""), f"error: {WORKFLOW} registers no operational-value evaluator"),
        ("# No frontmatter\n", f"error: {WORKFLOW} registers no operational-value evaluator"),
        (
            frontmatter(run=".github/graders/other.sh"),
            f"error: {WORKFLOW} registers another script: .github/graders/other.sh",
        ),
        (
            frontmatter(more="    enabled: false"),
            f"warning: {WORKFLOW} registers the script with enabled: false, so that no run is graded",
        ),
        (
            frontmatter().replace("name: Issue triage", "name: Triage"),
            "warning: the definition's workflowName is 'Issue triage', the workflow's 'Triage'",
        ),
        (
            frontmatter(run="", more="imports: [octo/a.md@v1]"),
            f"note: {WORKFLOW} registers no operational-value evaluator, unless octo/a.md@v1 does, which is not read",
        ),
    ],
)
def test_found(tmp_path: Path, text: str, expected: str) -> None:
    repository, _ = adopted(tmp_path / "clone", text=text)
    only = found(_ID, repository.path)
    assert [one for one in only if "workflowName" not in one or "workflowName" in expected] == [expected]


def test_a_workflow_that_is_not_there(tmp_path: Path) -> None:
    repository, _ = adopted(tmp_path / "clone")
    (repository.path / WORKFLOW).unlink()
    assert found(_ID, repository.path) == [f"error: the workflow of the definition, {WORKFLOW}, does not exist"]


@pytest.mark.parametrize("text", ["---\non: [\n---\n", frontmatter(run="../../x.sh")])
def test_a_workflow_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    repository, _ = adopted(tmp_path / "clone", text=text)
    (only,) = found(_ID, repository.path)
    assert only.startswith("error: the workflow cannot be read: ")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    repository, _ = adopted(tmp_path / "clone")
    outside = tmp_path / "outside.md"
    outside.write_text(frontmatter(), encoding="utf-8")
    (repository.path / WORKFLOW).unlink()
    (repository.path / WORKFLOW).symlink_to(outside)
    (only,) = found(_ID, repository.path)
    assert only.startswith("error: the workflow cannot be read: ")


def test_a_registration_in_an_import_counts(tmp_path: Path) -> None:
    text = frontmatter(run="", more="imports:\n  - shared/a.md\n  - shared/absent.md?\n  - shared/a.md")
    repository, _ = adopted(tmp_path / "clone", text=text)
    repository.write({".github/workflows/shared/a.md": "---\nimports: [b.md]\n---\n"})
    repository.write({".github/workflows/shared/b.md": frontmatter()})
    assert found(_ID, repository.path) == []


def test_a_good_one_and_none_at_all(tmp_path: Path) -> None:
    repository, _ = adopted(tmp_path / "clone")
    assert found(_ID, repository.path) == []
    assert found(_ID, None) == []
    assert (
        found(_ID, repository.path, edits={'sourcePath: ".github/workflows/issue-triage.md"': 'sourcePath: "/"'}) == []
    )
