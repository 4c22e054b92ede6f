"""The configuration of a grader, from a file and from the checkout."""

from pathlib import Path

import pytest

from opvalue.errors import OpvalueError
from opvalue.identity import RepoPath
from verifier.configuration import find_config, read_config

_SCRIPT = RepoPath.parse(".github/graders/score.sh")
_WORKFLOW = """---
on: issues
graders:
  operational-value:
    run: .github/graders/score.sh
    config:
      target: octo-org/other
      limit: 3
---
# Triage
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config.json", '{"target": "octo-org/other", "limit": 3}'),
        ("config.yml", "target: octo-org/other\nlimit: 3\n"),
        ("config.yaml", "target: octo-org/other\nlimit: 3\n"),
        ("triage.md", _WORKFLOW),
    ],
)
def test_a_file_of_each_kind(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert read_config(file) == {"target": "octo-org/other", "limit": 3}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config.json", "[]"),
        ("config.json", "{"),
        ("config.yaml", "- a"),
        ("triage.md", "# No frontmatter"),
        ("no.json", None),
    ],
)
def test_what_is_no_configuration_is_refused(tmp_path: Path, name: str, text: str | None) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    with pytest.raises(OpvalueError) as refused:
        read_config(file)
    assert refused.value.code == "verify.config"


def test_the_registering_workflow_is_found(tmp_path: Path) -> None:
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    folder.joinpath("a.md").write_text(_WORKFLOW.replace("score.sh", "other.sh"))
    folder.joinpath("b.md").write_text("---\n: [broken operational-value score.sh\n---\n")
    assert find_config(tmp_path, _SCRIPT) == {}
    folder.joinpath("c.md").write_text(_WORKFLOW)
    assert find_config(tmp_path, _SCRIPT) == {"target": "octo-org/other", "limit": 3}
    folder.joinpath("c.md").unlink()
    folder.joinpath("c.md").symlink_to("/etc/hostname")
    assert find_config(tmp_path, _SCRIPT) == {}
    assert find_config(tmp_path / "absent", _SCRIPT) == {}
