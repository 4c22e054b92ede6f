"""``opvalue graders compile``: what it says, prints, writes and refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.conclusion.trees import EVALUATOR, WORKFLOW, fenced, tree

Run = Callable[..., Answer]
GRADERS = "graders:\n  loops: {enabled: false}\n  mine: {script: return 1}\n  operational-value: {run: v.sh}"


@pytest.fixture
def workflow(tmp_path: Path) -> Path:
    return tree(tmp_path, {WORKFLOW: fenced(GRADERS), "v.sh": EVALUATOR})


def test_without_a_folder_it_only_checks(opvalue: Run, workflow: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    answer = opvalue("graders", "compile", str(workflow))
    assert answer.status == 0
    assert f"workflow  {WORKFLOW}\nbuilt-in  9\ncustom    mine " in answer.out
    assert "disabled  loops" in answer.out
    assert "grader-shell-file-write" in answer.err
    assert sorted(tmp_path.rglob("*")) == before


def test_defaults_alone(opvalue: Run, tmp_path: Path) -> None:
    answer = opvalue("graders", "compile", str(tree(tmp_path, {WORKFLOW: fenced("on: push")})))
    assert answer == (0, f"workflow  {WORKFLOW}\nbuilt-in  10\ncustom    none\ndisabled  none\n", "")


def test_json(opvalue: Run, workflow: Path, tmp_path: Path) -> None:
    answer = opvalue("graders", "compile", str(workflow), "-o", str(tmp_path / "out"), "--json")
    document = json.loads(answer.out)
    assert list(document) == ["workflow", "conclusion", "gradersJob", "written"]
    assert document["workflow"] == WORKFLOW
    first, second = (Path(name) for name in document["written"])
    assert json.loads(first.read_text()) == document["conclusion"]
    assert json.loads(second.read_text()) == document["gradersJob"]
    assert opvalue("graders", "compile", str(workflow), "--json").out != answer.out


def test_written_files_are_named(opvalue: Run, workflow: Path, tmp_path: Path) -> None:
    answer = opvalue("graders", "compile", str(workflow), "-o", str(tmp_path / "out"), "--replace")
    assert f"written   {tmp_path}/out/grader_manifest.json\n" in answer.out


def test_every_fault_with_code_and_place(opvalue: Run, tmp_path: Path) -> None:
    bad = fenced("jobs: {graders: {}}\ngraders: {loops: {threshold: true, x: 1}}")
    workflow = tree(tmp_path, {WORKFLOW: bad})
    answer = opvalue("graders", "compile", str(workflow))
    assert (answer.status, answer.out) == (2, "")
    for text in (f"{WORKFLOW}:2:8: ", f"{WORKFLOW}:3:30: ", f"{WORKFLOW}:3:36: ", "[graders.owned-job]"):
        assert text in answer.err
    error = opvalue("graders", "compile", str(workflow), "--json").error
    assert error["code"] == "graders.configuration-refused"
    assert [(one["code"], one["line"], one["column"]) for one in error["findings"]] == [
        ("graders.owned-job", 2, 8),
        ("graders.wrong-type", 3, 30),
        ("graders.unknown-field", 3, 36),
    ]


def test_replace_needs_a_folder(opvalue: Run, workflow: Path) -> None:
    assert opvalue("graders", "compile", str(workflow), "--replace").status == 2


def test_an_absent_workflow(opvalue: Run, tmp_path: Path) -> None:
    answer = opvalue("graders", "compile", str(tmp_path / "absent.md"), "--json")
    assert (answer.status, answer.error["code"]) == (2, "conclusion.file-absent")


@pytest.mark.parametrize("command", [("compile",), ("run", "/dev/null", "--config")])
def test_a_document_that_is_no_workflow(opvalue: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "README.md").write_text("# A tool\n")
    answer = opvalue("graders", *command, str(tmp_path / "README.md"), "--json")
    assert (answer.status, answer.error["code"]) == (2, "conclusion.no-frontmatter")
    assert answer.error["found"] == "a text that begins with: # A tool"
    (tmp_path / "README.md").write_text("---\n---\n")
    assert opvalue("graders", *command, str(tmp_path / "README.md")).status == 0
