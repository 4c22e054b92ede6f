"""``opvalue evaluator new`` and ``history``."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.support.repository import GitRepository

_FILE = ".github/workflows/issue-triage.md"
_TEXT = '---\non: push\n---\n# Triage of  issues, "first" & last\n\nDo it.\n'
_PATH = ".github/graders/issue-triage-operational-value.sh"


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "clone")
    repository.commit({"README.md": "hello\n"})
    repository.commit({_FILE: _TEXT}, "Adopt", when="2026-08-01T09:30:00+0200")
    repository.commit({_FILE: _TEXT + "And more.\n"})
    return repository


def test_history_shows_the_first_commit_and_the_text_then(opvalue: Callable[..., Answer], clone: GitRepository) -> None:
    answer = opvalue("evaluator", "history", "acme/widgets", "issue-triage", "--checkout", str(clone.path))
    assert answer.status == 0
    assert answer.out.splitlines() == [
        "workflow      .github/workflows/issue-triage.md",
        f"first commit  {clone('rev-parse', 'HEAD^')}",
        "adopted at    2026-08-01T07:30:00Z",
        f"first parent  {clone('rev-parse', 'HEAD^^')}",
        "",
        f"{_FILE} at {clone('rev-parse', 'HEAD^')[:12]}:",
        *_TEXT.splitlines(),
    ]


def test_history_as_json(opvalue: Callable[..., Answer], clone: GitRepository) -> None:
    clone("mv", _FILE, ".github/workflows/triage.md")
    clone.commit({}, "Rename")
    answer = opvalue("evaluator", "history", "acme/widgets", "triage.md", "--checkout", str(clone.path), "--json")
    assert json.loads(answer.out) == {
        "repository": "acme/widgets",
        "sourcePath": ".github/workflows/triage.md",
        "adoption": {"commit": clone("rev-parse", "HEAD^^"), "adoptedAt": "2026-08-01T07:30:00Z"},
        "authoredAt": "2026-08-01T07:30:00Z",
        "firstParent": clone("rev-parse", "HEAD^^^"),
        "pathThen": _FILE,
        "renamedTo": [".github/workflows/triage.md"],
        "text": _TEXT,
    }
    shown = opvalue("evaluator", "history", "acme/widgets", "triage", "--checkout", str(clone.path))
    assert f"renamed       {_FILE} -> .github/workflows/triage.md" in shown.out.splitlines()


def test_history_without_anything_before(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "clone")
    repository.commit({_FILE: _TEXT})
    answer = opvalue("evaluator", "history", "acme/widgets", "issue-triage", "--checkout", str(repository.path))
    assert "first parent  none: the repository begins with it" in answer.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("acme/widgets", "other"), "checkout.never-committed"),
        (("acme/gadgets", "issue-triage"), "checkout.no-trusted-remote"),
        (("widgets", "issue-triage"), "identity.repository"),
        (("acme/widgets", "../x"), "usage"),
        (("acme/widgets", "-x"), "usage"),
    ],
)
def test_history_refuses(
    opvalue: Callable[..., Answer], clone: GitRepository, words: tuple[str, str], code: str
) -> None:
    answer = opvalue("evaluator", "history", "--checkout", str(clone.path), "--json", "--", *words)
    assert answer.error["code"] == code
    assert answer.status != 0


def test_history_refuses_a_shallow_clone(opvalue: Callable[..., Answer], clone: GitRepository, tmp_path: Path) -> None:
    clone("clone", "-q", "--depth=1", clone.path.as_uri(), str(tmp_path / "shallow"))
    clone("-C", str(tmp_path / "shallow"), "remote", "set-url", "origin", "https://github.com/acme/widgets")
    answer = opvalue("evaluator", "history", "acme/widgets", "issue-triage", "--checkout", str(tmp_path / "shallow"))
    assert answer.status == 5
    assert "fetch --unshallow" in answer.err


def test_new_prints_the_script_and_says_how_to_register_it(opvalue: Callable[..., Answer]) -> None:
    answer = opvalue("evaluator", "new", "acme/widgets", "issue-triage")
    assert answer.status == 0
    assert answer.out.startswith("#!/usr/bin/env bash\n# Operational value of issue-triage: FILL IN: ")
    assert '"workflowName": "FILL IN: the workflow\'s name"' in answer.out
    assert '"adoption": {"commit": "' + "0" * 40 + '"' in answer.out
    assert "{{" not in answer.out
    assert f"    run: {_PATH}\n" in answer.err


def test_new_takes_the_adoption_out_of_a_clone(
    opvalue: Callable[..., Answer], clone: GitRepository, tmp_path: Path
) -> None:
    target = tmp_path / "new" / "folder" / "evaluator.sh"
    words = ("evaluator", "new", "acme/widgets", "issue-triage", "--checkout", str(clone.path), "-o", str(target))
    answer = opvalue(*words)
    assert answer.status == 0
    assert answer.out == f"graders:\n  operational-value:\n    run: {_PATH}\n"
    script = target.read_text(encoding="utf-8")
    adoption = f'{{"commit": "{clone("rev-parse", "HEAD^")}", "adoptedAt": "2026-08-01T07:30:00Z"}}'
    assert f'"adoption": {adoption},' in script
    assert '"workflowName": "Triage of issues, \\"first\\" & last",' in script
    assert os.access(target, os.X_OK)
    target.write_text("mine", encoding="utf-8")
    assert opvalue(*words).status == 2
    assert target.read_text(encoding="utf-8") == "mine"


def test_new_says_where_it_cannot_write(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = opvalue(
        "evaluator", "new", "acme/widgets", "issue-triage", "-o", str(tmp_path / "file" / "x.sh"), "--json"
    )
    assert (answer.status, answer.error["code"]) == (2, "output.unwritable")


def test_new_as_json(opvalue: Callable[..., Answer]) -> None:
    answer = opvalue("evaluator", "new", "acme/widgets", "issue-triage", "--json")
    document = json.loads(answer.out)
    assert document["path"] == _PATH
    assert document["script"].startswith("#!/usr/bin/env bash\n")
    assert document["frontmatter"] == f"graders:\n  operational-value:\n    run: {_PATH}\n"


def test_a_skeleton_is_valid_but_for_what_is_to_be_filled_in(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    target = tmp_path / "evaluator.sh"
    opvalue("evaluator", "new", "acme/widgets", "issue-triage", "-o", str(target))
    answer = opvalue("verify", "--quick", "--format", "json", str(target))
    assert answer.status == 10
    (script,) = json.loads(answer.out)["scripts"]
    assert {one["rule"] for one in script["findings"]} == {"contract-placeholders"}
    assert len(script["findings"]) == target.read_text(encoding="utf-8").count("FILL IN:") + 2
    text = "\n".join(line for line in target.read_text(encoding="utf-8").split("\n") if "# FILL IN:" not in line)
    for old, new in (("FILL IN: ", ""), ("0" * 40, "5" * 40), ("1970-01-01", "2026-08-01")):
        text = text.replace(old, new)
    target.write_text(text, encoding="utf-8")
    assert opvalue("verify", str(target), "--strict").status == 0
