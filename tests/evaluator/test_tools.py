import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from opvalue.evaluator import NotBash, Tools, tools
from opvalue.process import ProgramMissing


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    before = dict(tools._versions)
    tools._versions.clear()
    yield
    tools._versions.clear()
    tools._versions.update(before)


def program(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_bash_is_found_by_its_fixed_path() -> None:
    if os.access("/bin/bash", os.X_OK):
        assert Tools.find().bash == Path("/bin/bash")


def test_bash_elsewhere_is_found_where_there_is_none_at_the_fixed_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "_BASH", tmp_path / "none")
    monkeypatch.setattr(tools, "usual_path", lambda: str(tmp_path))
    with pytest.raises(ProgramMissing, match="bash"):
        Tools.find()
    bash = program(tmp_path, "bash", "echo 'GNU bash, version 5.9.9(1)-release (x)'; echo more")
    with pytest.raises(ProgramMissing, match="jq"):
        Tools.find()
    jq = program(tmp_path, "jq", "echo jq-1.9.9; echo more")
    found = Tools.find()
    assert found == (bash, jq)
    assert found.versions() == {"bash": "5.9.9(1)-release", "jq": "jq-1.9.9"}


def test_versions_are_asked_for_once(tmp_path: Path) -> None:
    count = tmp_path / "count"
    jq = program(tmp_path, "jq", f"echo x >>{count}; echo jq-1")
    found = Tools.find()._replace(jq=jq)
    assert found.versions() == found.versions()
    assert count.read_text() == "x\n"


@pytest.mark.parametrize("said", ["Windows Subsystem for Linux has no installed distributions.", ""])
def test_what_is_not_bash_is_refused_by_name(said: str, tmp_path: Path) -> None:
    stub = program(tmp_path, "bash", f"echo '{said}'; exit 1")
    with pytest.raises(NotBash) as caught:
        Tools(bash=stub, jq=stub).versions()
    assert caught.value.code == "evaluator.not-bash"
    assert caught.value.message == f"{stub} is not GNU Bash"
    assert caught.value.found == (said or "nothing")
