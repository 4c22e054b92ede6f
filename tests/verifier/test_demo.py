"""The demo's evaluator is an example to follow: the verifier has nothing against it."""

from pathlib import Path

import pytest

import opvalue.demo
from opvalue.cli import run
from opvalue.demo import prepare
from opvalue.evaluator import Runner
from verifier.load import load_subject
from verifier.rule import Profile
from verifier.settings import Settings
from verifier.subject import Asked
from verifier.verify import verify


def findings(asked: Asked) -> list[str]:
    path = Path(opvalue.demo.__file__).parent / "files" / "issue-triage-operational-value.sh"
    subject = load_subject(path, root=None, asked=asked)
    return [finding.rule for finding in verify(subject, Profile.DEFAULT, settings=Settings(), runner=Runner()).findings]


def test_nothing_is_found_in_it() -> None:
    assert findings(Asked(config={"issue": 42})) == []


def test_without_the_issue_that_its_config_names_nothing_is_shown() -> None:
    assert findings(Asked()) == ["with-evidence"]


def test_nothing_is_found_in_the_repository_it_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    demo = prepare(tmp_path, Runner())
    monkeypatch.chdir(demo.checkout)
    script = ".github/graders/issue-triage-operational-value.sh"
    assert run("opvalue", ["verify", "--checkout", ".", script]) == 0
    assert capfd.readouterr().out.startswith(f"{script}: verified ")
