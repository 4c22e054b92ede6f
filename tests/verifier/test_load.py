"""What is read from the caller's files: regular ones below the root, no link followed."""

import json
import os
from pathlib import Path

import pytest

from opvalue.identity import RepoPath
from opvalue.limits import Limits
from verifier.errors import CaseRefused, ScriptUnreadable, SettingsRefused
from verifier.load import load_cases, load_settings, load_subject, repository_root
from verifier.settings import Ignore, Settings
from verifier.subject import Asked

_TEXT = "#!/usr/bin/env bash\nset -euo pipefail\n"


def _repository(root: Path) -> Path:
    (root / ".git").mkdir(parents=True)
    script = root / ".github" / "graders" / "score.sh"
    script.parent.mkdir(parents=True)
    script.write_text(_TEXT, encoding="utf-8")
    return script


def test_a_script_is_known_by_its_path_in_its_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = _repository(tmp_path / "root")
    subject = load_subject(script, root=None, asked=Asked())
    assert (subject.path, subject.name) == (RepoPath.parse(".github/graders/score.sh"), str(script))
    assert subject.data == _TEXT.encode()
    monkeypatch.chdir(script.parent)
    assert load_subject(Path("score.sh"), root=None, asked=Asked()).path == subject.path
    assert load_subject(Path("../graders/score.sh"), root=Path("../.."), asked=Asked()).path == subject.path


def test_without_a_repository_its_own_folder_is_the_root(tmp_path: Path) -> None:
    script = tmp_path / "x.sh"
    script.write_text(_TEXT, encoding="utf-8")
    assert load_subject(script, root=tmp_path, asked=Asked()).path == RepoPath.parse("x.sh")
    assert repository_root(Path("/nowhere/at/all/x.sh")) in {Path("/nowhere/at/all"), Path("/")}


def test_sourced_files_are_read_beside_it(tmp_path: Path) -> None:
    script = _repository(tmp_path / "root")
    script.write_text(_TEXT + 'source "$(dirname "${BASH_SOURCE[0]}")/runtime.sh"\n', encoding="utf-8")
    script.with_name("runtime.sh").write_text("x=1\n", encoding="utf-8")
    subject = load_subject(script, root=None, asked=Asked())
    assert [file.name for file in subject.files] == [str(script), ".github/graders/runtime.sh"]


@pytest.mark.parametrize("kind", ["absent", "folder", "link", "pipe", "below a link"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    script = _repository(tmp_path / "root")
    target = script.with_name("target.sh")
    if kind == "folder":
        target.mkdir()
    elif kind == "link":
        target.symlink_to(script)
    elif kind == "pipe":
        os.mkfifo(target)
    elif kind == "below a link":
        (script.parent / "folder").symlink_to(script.parent)
        target = script.parent / "folder" / "score.sh"
    with pytest.raises(ScriptUnreadable) as refused:
        load_subject(target, root=None, asked=Asked())
    assert "is missing or is no regular file" in refused.value.message


def test_a_script_outside_the_checkout_and_odd_names_are_refused(tmp_path: Path) -> None:
    script = _repository(tmp_path / "root")
    (tmp_path / "other").mkdir()
    with pytest.raises(ScriptUnreadable, match="is not a file below"):
        load_subject(script, root=tmp_path / "other", asked=Asked())
    with pytest.raises(ScriptUnreadable, match="holds a backslash or a colon"):
        load_subject(script.with_name("a:b.sh"), root=None, asked=Asked())
    with pytest.raises(ScriptUnreadable):
        load_subject(Path("/"), root=None, asked=Asked())


def test_a_checkout_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScriptUnreadable):
        load_subject(tmp_path / "none" / "x.sh", root=tmp_path / "none", asked=Asked())
    with pytest.raises(ScriptUnreadable):
        load_subject(tmp_path / "none" / "x.sh", root=None, asked=Asked())


def test_no_more_is_read_than_shows_that_it_is_too_large(tmp_path: Path) -> None:
    script = tmp_path / "x.sh"
    script.write_bytes(b"#" * 100_000)
    assert len(load_subject(script, root=tmp_path, asked=Asked()).data) == Limits().evaluator_bytes + 1


def test_settings_lie_at_the_root(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()
    (tmp_path / ".opvalue.toml").write_text(
        '[[verify.ignore]]\nrule = "static-writes"\nreason = "x"\n', encoding="utf-8"
    )
    assert load_settings(tmp_path) == Settings((Ignore("static-writes", "x", None),))
    (tmp_path / ".opvalue.toml").write_text("#" * 70_000, encoding="utf-8")
    with pytest.raises(SettingsRefused):
        load_settings(tmp_path)


def test_settings_are_not_read_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("verify = 1\n", encoding="utf-8")
    (tmp_path / ".opvalue.toml").symlink_to(tmp_path / "other.toml")
    with pytest.raises(SettingsRefused):
        load_settings(tmp_path)


def _case(folder: Path, request: object = None, expected: object = None) -> None:
    folder.mkdir(parents=True)
    (folder / "request.json").write_text(json.dumps({"run": {}} if request is None else request), encoding="utf-8")
    (folder / "expected.json").write_text(json.dumps({"value": 1} if expected is None else expected), encoding="utf-8")


def test_cases_are_folders_in_order(tmp_path: Path) -> None:
    assert load_cases(None) == ()
    _case(tmp_path / "b", expected={"value": None})
    _case(tmp_path / "a")
    (tmp_path / "a" / "evidence.bundle").write_bytes(b"bundle")
    (tmp_path / "README.md").write_text("no case\n", encoding="utf-8")
    first, second = load_cases(tmp_path)
    assert (first.name, first.request, first.bundle, first.expected) == ("a", {"run": {}}, b"bundle", 1)
    assert (second.name, second.bundle, second.expected) == ("b", None, None)


@pytest.mark.parametrize("expected", [{}, {"value": True}, {"value": "1"}, [], {"value": []}])
def test_a_case_expects_a_value(tmp_path: Path, expected: object) -> None:
    _case(tmp_path / "a", expected=expected)
    with pytest.raises(CaseRefused):
        load_cases(tmp_path)


def test_a_case_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseRefused):
        load_cases(tmp_path / "none")
    (tmp_path / "a").mkdir()
    with pytest.raises(CaseRefused):
        load_cases(tmp_path)
