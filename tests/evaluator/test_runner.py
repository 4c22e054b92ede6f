from pathlib import Path

import pytest

from opvalue.evaluator import BadLayout, Runner, StandIn, Tools
from opvalue.evaluator import runner as room
from opvalue.identity import PathRefused, RepoPath
from opvalue.process import Detection, ProgramMissing, SandboxMissing
from tests.evaluator.helpers import HOST, PATH, SIBLING, call, staged
from tests.process.helpers import the_sandbox


def test_the_layers_in_force_are_named() -> None:
    bare = Runner(sandboxed=False)
    assert (bare.layers, bare.no_sandbox_reason) == ((), "it was switched off")
    the_sandbox()
    boxed = Runner()
    assert "no-network" in boxed.layers
    assert boxed.no_sandbox_reason is None


def test_without_a_sandbox_it_runs_unless_one_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "detect", lambda *_asked: Detection(None, "for a test"))
    assert Runner().no_sandbox_reason == "for a test"
    assert call("echo ran") == "ran\n"
    with pytest.raises(SandboxMissing, match="for a test"), staged("echo", require_sandbox=True):
        pass


def test_paths_inside_the_sandbox_are_fixed() -> None:
    the_sandbox()
    assert call('echo "$0 $PWD $HOME"', require_sandbox=True) == (
        "/tmp/opvalue/tree/.github/graders/value.sh /tmp/opvalue/scratch /tmp/opvalue/home\n"
    )


def test_the_versions_are_those_of_the_tools_that_run(sandboxed: bool) -> None:
    runner = Runner(sandboxed=sandboxed)
    versions = runner.tool_versions()
    printed = call('printf "%s\\n" "$BASH_VERSION" "$(jq --version)"', runner=runner).split("\n")
    assert [versions["bash"], versions["jq"]] == printed[:2]
    assert list(versions) == ["bash", "jq"]


def test_another_jq_can_be_given(tmp_path: Path, sandboxed: bool) -> None:
    other = tmp_path / "bin" / "another-jq"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho jq-9.9\n")
    other.chmod(0o755)
    runner = Runner(tools=Tools.find()._replace(jq=other), sandboxed=sandboxed)
    assert runner.tool_versions()["jq"] == "jq-9.9"
    assert call("jq --version", runner=runner) == "jq-9.9\n"


def test_a_layout_without_its_script_is_refused() -> None:
    with pytest.raises(BadLayout) as caught, Runner(sandboxed=False).stage(PATH, [(SIBLING, b"")], HOST, StandIn()):
        pass
    assert caught.value.code == "evaluator.bad-layout"


@pytest.mark.parametrize(
    "files",
    [
        [(PATH, b"1"), (PATH, b"1")],
        [(PATH, b"1"), (RepoPath.parse(f"{PATH}/below"), b"")],
        [(PATH, b"1"), (RepoPath.parse(".github"), b"")],
    ],
)
def test_files_that_contradict_each_other_are_refused(files: list[tuple[RepoPath, bytes]]) -> None:
    with pytest.raises(BadLayout), Runner(sandboxed=False).stage(PATH, files, HOST, StandIn()):
        pass


@pytest.mark.parametrize("text", ["../outside.sh", "/etc/outside.sh", "a/../../outside.sh"])
def test_a_path_that_was_not_checked_is_checked(text: str) -> None:
    files = [(PATH, b"1"), (RepoPath(text), b"")]
    with pytest.raises(PathRefused), Runner(sandboxed=False).stage(PATH, files, HOST, StandIn()):
        pass


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../gh", "nul\0"])
def test_a_stand_in_has_plain_names(name: str) -> None:
    with pytest.raises(BadLayout), staged("echo", sandboxed=False, stand_in=StandIn(files=((name, b""),))):
        pass


def test_what_goes_wrong_while_preparing_is_raised_when_it_is_needed(tmp_path: Path) -> None:
    runner = Runner(tools=Tools(bash=tmp_path / "absent", jq=tmp_path / "absent"))
    runner.prepare()
    with pytest.raises(ProgramMissing):
        runner.tool_versions()
