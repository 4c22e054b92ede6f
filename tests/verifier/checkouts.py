"""The good evaluator in a real repository, for the rules that ask about it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.support.repository import GitRepository
from tests.verifier.running import GOOD, RUNNER, told
from tests.verifier.scripts import subject_of
from verifier.registry import rule
from verifier.repository import RepositoryView
from verifier.runs import open_runs
from verifier.subject import Asked

SCRIPT: Final = ".github/graders/score.sh"
WORKFLOW: Final = ".github/workflows/issue-triage.md"
ADOPTED: Final = "2026-08-01T09:30:00Z"
OLD_COMMIT: Final = "0123456789abcdef0123456789abcdef01234567"


def frontmatter(*, run: str = SCRIPT, permissions: str = "{contents: read, issues: read}", more: str = "") -> str:
    """Return a workflow that registers the script."""
    lines = ["---", "name: Issue triage", "on: push"]
    lines += [f"permissions: {permissions}"] if permissions else []
    lines += ["graders:", "  operational-value:", f"    run: {run}"] if run else []
    return "\n".join([*lines, *more.splitlines(), "---", "# Triage", ""])


def adopted(folder: Path, *, text: str | None = None, when: str = ADOPTED) -> tuple[GitRepository, str]:
    """Return a repository with something before, the workflow's first commit, and something after; and that commit."""
    repository = GitRepository(folder)
    repository.commit({"README.md": "hello\n"})
    first = repository.commit({WORKFLOW: frontmatter() if text is None else text}, when=when)
    repository.commit({"README.md": "bye\n"})
    return repository, first


def found(
    rule_id: str, root: Path | None, *, commit: str = OLD_COMMIT, edits: Mapping[str, str] | None = None
) -> list[str]:
    """Return what a rule finds in the good evaluator at that repository: severity and message."""
    script = GOOD.replace(OLD_COMMIT, commit)
    for old, new in (edits or {}).items():
        assert script.count(old) == 1, old
        script = script.replace(old, new)
    subject = subject_of(script)
    subject.asked = Asked(checkout=root, repository=None if root is None else RepositoryView(root))
    with open_runs(subject, RUNNER) as runs:
        return [told(one) for one in rule(rule_id).check(subject, runs)]
