"""shfmt run as a bounded child: a tree, or nothing; never an error."""

import sys
from pathlib import Path
from typing import Any

import pytest

from opvalue.evaluator import parse_with_shfmt
from opvalue.evaluator import shfmt as adapter


def test_a_script_becomes_a_tree() -> None:
    tree: Any = parse_with_shfmt(b"#!/bin/sh\nexport A=1\n")
    assert [statement["Cmd"]["Type"] for statement in tree["Stmts"]] == ["DeclClause"]


@pytest.mark.parametrize("script", [b"if", b"echo ${x~}", b"a <<X", b"f(", b"\xff("])
def test_what_shfmt_refuses_is_nothing(script: bytes) -> None:
    assert parse_with_shfmt(script) is None


def test_a_tree_deeper_than_json_is_read_is_nothing() -> None:
    assert parse_with_shfmt(b"if a; then " * 300 + b":;" + b" fi;" * 300) is None


def test_it_executes_nothing(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    assert parse_with_shfmt(f"$(touch {marker}); `touch {marker}`\n".encode()) is not None
    assert not marker.exists()


def test_without_the_program_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(adapter, "usual_path", lambda: str(tmp_path))
    assert parse_with_shfmt(b"a") is None


def test_a_program_that_is_slow_or_talks_nonsense_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "shfmt"
    program.parent.mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(adapter, "_SECONDS", 0.2)
    for body in ("echo '{'", "exec sleep 5", "exit 1"):
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o700)
        assert parse_with_shfmt(b"a") is None
