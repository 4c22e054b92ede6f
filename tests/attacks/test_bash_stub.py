"""A ``bash`` on the search path that prints a notice and exits 1, as on a system without one (BS-04)."""

import os
from pathlib import Path

import pytest

from opvalue.evaluator import NotBash, Tools, tools
from tests.evaluator.helpers import call, staged


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "bash"
    file.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\necho 'Install a distribution first.'\nexit 1\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return file


def test_it_is_never_started(stub: Path) -> None:
    assert call('echo "$BASH_VERSION"; bash -c "echo inner"', sandboxed=False).endswith("inner\n")
    assert not (stub.parent / "ran").exists()


def test_where_it_is_the_only_one_it_is_refused_by_name(stub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "_BASH", stub.parent / "none")
    monkeypatch.setattr(tools, "usual_path", lambda: f"{stub.parent}:/usr/local/bin:/usr/bin:/bin")
    assert Tools.find().bash == stub
    with pytest.raises(NotBash) as caught, staged("echo", sandboxed=False):
        pass
    assert caught.value.found == "Install a distribution first."
    assert str(stub) in caught.value.message
