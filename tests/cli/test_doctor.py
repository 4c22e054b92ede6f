"""What this machine has, lacks, and how to get it."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.cli import doctor
from opvalue.cli.doctor import NEEDS, State, examine, how_to_get
from opvalue.process.errors import SandboxUnsure
from opvalue.process.sandbox import Detection, Sandbox
from tests.cli.conftest import Answer

Run = Callable[..., Answer]
SAYS = {
    "bash": "GNU bash, version 3.2.57(1)-release (arm64-apple-darwin23)",
    "jq": "jq-1.7.1-apple",
    "git": "git version 2.39.5 (Apple Git-154)",
    "bwrap": "bubblewrap 0.8.0",
}
NEED = {need.name: need for need in NEEDS}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Make up a machine: each program prints what it is given, and those that are not named are missing."""
    monkeypatch.setattr(doctor, "usual_path", lambda: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(doctor, "detect", lambda *_asked: Detection(None, "there is no bwrap"))

    def make(**says: str) -> None:
        for name, text in says.items():
            program = tmp_path / name
            program.write_text(f"#!/bin/sh\n{text}\n" if text.startswith("exit") else f"#!/bin/sh\necho '{text}'\n")
            program.chmod(0o755)

    return make


def test_this_machine_can_grade(opvalue: Run) -> None:
    status, out, err = opvalue("doctor", "--json")
    assert (status, err) == (0, "")
    document = json.loads(out)
    programs = {one["name"]: one for one in document["programs"]}
    assert all(programs[name]["state"] in {"ok", "old"} for name in ("bash", "jq", "git"))
    assert Path(programs["git"]["path"]).is_absolute()
    assert programs["git"]["cost"] is None
    assert document["python"] == sys.version.split()[0]
    sandbox = document["sandbox"]
    assert sandbox["works"] is bool(sandbox["layers"]) is (sandbox["reason"] is None)
    assert opvalue("doctor").status == 0


def test_all_is_well(opvalue: Run, machine: Callable[..., None]) -> None:
    machine(**SAYS)
    status, out, err = opvalue("doctor")
    assert (status, err) == (0, "")
    assert "ok  1.7.1" in out
    assert out.count("costs") == 1
    assert (
        "sandbox  none  there is no bwrap\n"
        "         costs  Evaluators see your files and the network.\n"
        "         do     Install bubblewrap on a Linux that allows user namespaces, or do without --require-sandbox.\n"
    ) in out


@pytest.mark.parametrize("root", [True, False])
def test_what_a_sandbox_hides_and_what_root_gives_away(
    opvalue: Run, machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch, root: bool
) -> None:
    machine(**SAYS)
    box = Sandbox(Path("/usr/bin/bwrap"), ("/home", "/tmp"), (), ("bubblewrap", "no-network"))
    monkeypatch.setattr(doctor, "detect", lambda *_asked: Detection(box))
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    last = """sandbox  works
         layers  bubblewrap, no-network
         hides   /home, /tmp
"""
    warning = (
        "user     root  What the sandbox does not hide, an evaluator reads with root's rights, such as /etc/shadow. "
        "Use an account of its own.\n"
    )
    assert opvalue("doctor").out.endswith(last + (warning if root else ""))
    document = json.loads(opvalue("doctor", "--json").out)
    assert document["root"] is root
    assert document["sandbox"] == {
        "works": True,
        "layers": ["bubblewrap", "no-network"],
        "hidden": ["/home", "/tmp"],
        "reason": None,
        "get": None,
    }


def test_the_reason_why_there_is_no_sandbox_comes_with_what_to_do(
    opvalue: Run, machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(**SAYS)
    monkeypatch.setattr(doctor, "detect", lambda *_asked: Detection(None, "a closed home", "Open it."))
    assert "sandbox  none  a closed home\n" in opvalue("doctor").out
    assert "         do     Open it.\n" in opvalue("doctor").out
    assert json.loads(opvalue("doctor", "--json").out)["sandbox"]["get"] == "Open it."

    def busy(*_asked: object) -> Detection:
        raise SandboxUnsure("the sandbox could not be tried", found="out of time")

    monkeypatch.setattr(doctor, "detect", busy)
    assert "sandbox  none  the sandbox could not be tried: out of time\n" in opvalue("doctor").out


def test_git_is_looked_for_where_grading_looks(
    opvalue: Run, machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine(**SAYS)
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    status, out, err = opvalue("doctor")
    assert status == 2
    assert "git      missing" in out
    assert "this machine cannot grade: git is missing [cli.programs-missing]" in err


def test_what_is_missing_is_said_with_its_cost_and_how_to_get_it(
    opvalue: Run, machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    machine(git=SAYS["git"])
    status, out, err = opvalue("doctor")
    assert status == 2
    assert "jq       missing\n         costs  No evaluator can run" in out
    assert "bwrap    missing\n         costs  Evaluators run without a sandbox" in out
    assert "this machine cannot grade: bash is missing, jq is missing [cli.programs-missing]" in err
    assert "found     git" in err
    assert "install bash jq with this system's package manager" in err


def test_with_json_the_report_holds_the_error(opvalue: Run, machine: Callable[..., None]) -> None:
    machine(**{**SAYS, "jq": "exit 1"})
    status, out, err = opvalue("doctor", "--json")
    assert (status, err) == (2, "")
    document = json.loads(out)
    assert document["error"]["code"] == "cli.programs-missing"
    assert [one["state"] for one in document["programs"]][:3] == ["ok", "broken", "ok"]


def test_a_missing_sandbox_is_no_failure(
    opvalue: Run, machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    machine(**{name: text for name, text in SAYS.items() if name != "bwrap"})
    answer = opvalue("doctor")
    assert answer.status == 0
    assert answer.out.count("costs") == 1


def test_bubblewrap_is_no_matter_elsewhere(
    opvalue: Run, machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    machine(**SAYS)
    names = [one["name"] for one in json.loads(opvalue("doctor", "--json").out)["programs"]]
    assert names == ["bash", "jq", "git"]


@pytest.mark.parametrize("text", ["exit 1", "exit 0", "Windows Subsystem for Linux has no installed distributions."])
def test_a_bash_that_is_not_bash_is_broken(machine: Callable[..., None], opvalue: Run, text: str) -> None:
    machine(**{**SAYS, "bash": text})
    assert examine(NEED["bash"]).state is State.BROKEN
    status, out, _ = opvalue("doctor")
    assert status == 2
    assert "does not answer --version as bash does" in out


@pytest.mark.parametrize(
    ("says", "state", "version"),
    [
        ("jq-1.6", State.OLD, "1.6"),
        ("jq-1.7", State.OLD, "1.7"),
        ("jq-1.7.1", State.OK, "1.7.1"),
        ("jq-1.8.0rc1", State.OK, "1.8.0rc1"),
        ("jq-2.0", State.OK, "2.0"),
        ("gojq 0.12", State.BROKEN, None),
    ],
)
def test_an_old_jq_works_but_not_as_well(
    machine: Callable[..., None], opvalue: Run, says: str, state: State, version: str | None
) -> None:
    machine(**{**SAYS, "jq": says})
    found = examine(NEED["jq"])
    assert (found.state, found.version) == (state, version)
    assert opvalue("doctor").status == (2 if state is State.BROKEN else 0)


def test_a_program_that_hangs_is_broken(machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_SECONDS", 0.2)
    machine(git="exit $(sleep 30)")
    assert examine(NEED["git"]).state is State.BROKEN


def test_how_to_get_it_on_each_system(
    machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert (tmp_path / "apt-get").exists() is False
    monkeypatch.setattr(sys, "platform", "darwin")
    assert how_to_get("jq") == "brew install jq"
    monkeypatch.setattr(sys, "platform", "linux")
    assert how_to_get("jq") == "install jq with this system's package manager"
    machine(**{"apt-get": "apt"})
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert how_to_get("jq") == "sudo apt-get install jq"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert how_to_get("jq") == "apt-get install jq"
