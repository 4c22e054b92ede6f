"""The demo's material, made and regraded through the real chain."""

import json
import subprocess
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from opvalue.demo import TIMES, prepare
from opvalue.demo.repository import Commit, DemoFailed, make_repository
from opvalue.demo.story import ADOPTED, RUN
from opvalue.evaluator import Runner
from opvalue.process import ProgramMissing
from opvalue.trust.errors import EvaluatorDiffers

COMMITS = (Commit("2025-08-01T09:00:00Z", "Begin", {"README.md": b"x\n", "a/b.sh": b"#!/bin/bash\n"}),)


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
        make_repository(tmp_path / "empty", (Commit("2025-08-01T09:00:00Z", "Nothing", {}),))


def test_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opvalue.demo.repository.usual_path", lambda: str(tmp_path))
    with pytest.raises(ProgramMissing):
        make_repository(tmp_path / "new", COMMITS)


def test_one_commit_of_the_files(tmp_path: Path) -> None:
    assert make_repository(tmp_path / "one", COMMITS) == make_repository(tmp_path / "two", COMMITS)
    assert (tmp_path / "one/a/b.sh").stat().st_mode & 0o777 == 0o755


def test_the_definition_names_the_workflows_first_commit(tmp_path: Path) -> None:
    demo = prepare(tmp_path / "demo", Runner(sandboxed=False))
    script = files("opvalue.demo").joinpath("files", "issue-triage-operational-value.sh").read_text("utf-8")
    definition = json.loads(script.partition("cat <<'JSON'\n")[2].partition("\nJSON\n")[0])
    log = ["git", "-C", str(demo.checkout), "log", "--reverse", "--format=%H", "--", ".github/workflows"]
    first = subprocess.run(log, check=True, capture_output=True, text=True).stdout.split()
    assert definition["adoption"] == {"commit": first[0], "adoptedAt": ADOPTED}


def test_the_evaluator_takes_more_events_than_an_argument_holds(tmp_path: Path) -> None:
    event = {"event": "labeled", "created_at": "2025-08-20T10:05:00Z", "body": "x" * 1300}
    (tmp_path / "events.json").write_text(json.dumps([event] * 200))
    gh = tmp_path / "gh"
    gh.write_text(f"#!/bin/sh\nexec cat {tmp_path / 'events.json'}\n")
    gh.chmod(0o755)
    run = {"id": "1", "repository": "acme/widgets", "createdAt": "2025-08-20T10:00:00Z"}
    request = {"run": run, "evidenceAt": "2025-09-20T00:00:00Z", "case": None, "config": {"issue": 42}}
    script = str(files("opvalue.demo").joinpath("files", "issue-triage-operational-value.sh"))
    printed = subprocess.run(
        ["bash", script, "--grade-run"],
        input=json.dumps(request),
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(printed.stdout)["value"] == 1 / 3
    assert len(json.loads(printed.stdout)["diagnostics"]["done"]) == 200
