import json
from pathlib import Path

import pytest

from opvalue.atomic import OutputExists, OutputUnwritable
from opvalue.conclusion.compile import Compiled, compile_workflow
from opvalue.conclusion.emit import emit
from opvalue.strictjson import dumps
from tests.conclusion.trees import WORKFLOW, fenced, tree

CONCLUSION, JOB = "grader_manifest.json", "graders_job_manifest.json"


def compiled(root: Path, graders: str = "{}") -> Compiled:
    return compile_workflow(tree(root, {WORKFLOW: fenced(f"graders: {graders}")}))


def test_the_conclusions_manifest_alone(tmp_path: Path) -> None:
    found, out = compiled(tmp_path), tmp_path / "deep/out"
    assert emit(found, out).files == (out / CONCLUSION,)
    assert [path.name for path in out.iterdir()] == [CONCLUSION]
    assert (out / CONCLUSION).read_text() == dumps(found.conclusion)


def test_both(tmp_path: Path) -> None:
    found, out = compiled(tmp_path, "{mine: {script: return 1}}"), tmp_path / "out"
    assert emit(found, out).files == (out / CONCLUSION, out / JOB)
    assert json.loads((out / JOB).read_text()) == found.graders_job
    before = (out / JOB).read_bytes()
    assert emit(found, out).files == emit(found, out, replace=True).files
    assert (out / JOB).read_bytes() == before


def test_other_content_is_only_replaced_when_asked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    emit(compiled(tmp_path), out)
    other = compiled(tmp_path, "{loops: {threshold: 1}}")
    before = (out / CONCLUSION).read_bytes()
    with pytest.raises(OutputExists):
        emit(other, out)
    assert (out / CONCLUSION).read_bytes() == before
    emit(other, out, replace=True)
    assert (out / CONCLUSION).read_text() == dumps(other.conclusion)


def test_code_does_not_outlive_its_graders(tmp_path: Path) -> None:
    out = tmp_path / "out"
    emit(compiled(tmp_path, "{mine: {script: return 1}}"), out)
    without = compiled(tmp_path)
    with pytest.raises(OutputExists):
        emit(without, out)
    assert (out / JOB).exists()
    emit(without, out, replace=True)
    assert not (out / JOB).exists()


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "file/x", tmp_path / "a\0b"):
        with pytest.raises(OutputUnwritable):
            emit(compiled(tmp_path), folder)


@pytest.mark.parametrize("graders", ["{}", "{mine: {script: return 1}}"])
def test_the_manifests_stay_those_of_one_compilation(tmp_path: Path, graders: str) -> None:
    """Refused before anything is written: a new manifest beside the other one of an earlier compilation would lie."""
    out = tmp_path / "out"
    emit(compiled(tmp_path, "{mine: {script: return 2}}"), out)
    (out / CONCLUSION).unlink()
    with pytest.raises(OutputExists):
        emit(compiled(tmp_path, graders), out)
    assert [path.name for path in out.iterdir()] == [JOB]


def test_nothing_is_removed_or_replaced_where_a_folder_stands_in_the_way(tmp_path: Path) -> None:
    out = tmp_path / "out"
    emit(compiled(tmp_path, "{mine: {script: return 2}}"), out)
    (out / CONCLUSION).unlink()
    (out / CONCLUSION).mkdir()
    before = (out / JOB).read_bytes()
    with pytest.raises(OutputUnwritable, match="not a regular file"):
        emit(compiled(tmp_path), out, replace=True)
    assert (out / JOB).read_bytes() == before
    other = tmp_path / "other"
    emit(compiled(tmp_path), other)
    (other / JOB).mkdir()
    before = (other / CONCLUSION).read_bytes()
    with pytest.raises(OutputUnwritable, match="not a regular file"):
        emit(compiled(tmp_path, "{mine: {script: return 1}}"), other, replace=True)
    assert (other / CONCLUSION).read_bytes() == before
