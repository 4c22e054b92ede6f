"""The demo's material, made and regraded through the real chain."""

import zipfile
from pathlib import Path

import pytest

from opvalue.demo import TIMES, prepare
from opvalue.demo.repository import DemoFailed, make_repository
from opvalue.demo.story import RUN
from opvalue.evaluator import Runner
from opvalue.process import ProgramMissing
from opvalue.trust.errors import EvaluatorDiffers

FILES = {"README.md": b"x\n", "a/b.sh": b"#!/bin/bash\n"}


def test_the_value_rises_and_then_stays(tmp_path: Path) -> None:
    runner = Runner()
    demo = prepare(tmp_path / "demo", runner)
    seen = [(demo.regrade(time, runner=runner).observation.value, words) for words, time in TIMES]
    assert seen == [(1 / 3, "before maturity"), (2 / 3, "later"), (1, "at maturity"), (1, "long after")]
    assert [demo.regrade(time, runner=runner).drift for _, time in TIMES] == [()] * 4


def test_the_tampered_archive_agrees_with_itself_and_not_with_the_commit(tmp_path: Path) -> None:
    runner = Runner(sandboxed=False)
    demo = prepare(tmp_path / "demo", runner)
    with pytest.raises(EvaluatorDiffers):
        demo.regrade_tampered(runner=runner)
    with zipfile.ZipFile(demo.artifact) as true, zipfile.ZipFile(demo.tampered) as false:
        names = true.namelist()
        assert names == false.namelist()
        assert [name for name in names if true.read(name) == false.read(name)] == []


def test_it_is_the_same_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = prepare(tmp_path / "one", Runner(sandboxed=False))
    for name, value in {"TZ": "Asia/Tokyo", "GIT_AUTHOR_NAME": "x", "GIT_DIR": "/x", "HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".gitconfig").write_text("[commit]\n\tgpgsign = true\n[core]\n\tautocrlf = true\n")
    other = prepare(tmp_path / "other", Runner(sandboxed=False))
    assert one.commit == other.commit
    assert one.artifact.read_bytes() == other.artifact.read_bytes()
    assert RUN.run_id == "123456"


def test_git_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(DemoFailed, match=r"git commit ended with status 1"):
        make_repository(tmp_path / "empty", {})


def test_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opvalue.demo.repository.usual_path", lambda: str(tmp_path))
    with pytest.raises(ProgramMissing):
        make_repository(tmp_path / "new", FILES)


def test_one_commit_of_the_files(tmp_path: Path) -> None:
    assert make_repository(tmp_path / "one", FILES) == make_repository(tmp_path / "two", FILES)
    assert (tmp_path / "one/a/b.sh").stat().st_mode & 0o777 == 0o755
