"""The completion scripts, and one used by a real shell."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.process import find_program
from tests.cli.conftest import Answer


@pytest.mark.parametrize(
    ("shell", "word"), [("bash", "complete -o nosort -F"), ("zsh", "#compdef opvalue"), ("fish", "complete --no-files")]
)
def test_each_shell_gets_its_script(opvalue: Callable[..., Answer], shell: str, word: str) -> None:
    status, out, err = opvalue("completion", shell)
    assert (status, err) == (0, "")
    assert word in out
    assert "_OPVALUE_COMPLETE" in out


@pytest.mark.parametrize(
    ("words", "offered"),
    [("help e", ["exit-codes", "environment", "errors"]), ("schema re", ["request", "results", "regrade"])],
)
def test_bash_completes_with_it(opvalue: Callable[..., Answer], tmp_path: Path, words: str, offered: list[str]) -> None:
    stub = tmp_path / "opvalue"
    stub.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m opvalue "$@"\n')
    stub.chmod(0o755)
    script = opvalue("completion", "bash").out.replace("complete -o nosort", "complete")
    script += f"COMP_WORDS=(opvalue {words})\nCOMP_CWORD=2\n"
    script += '_opvalue_completion opvalue\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    done = subprocess.run(
        [find_program("bash", os.environ["PATH"]), "-c", script],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == offered
    assert done.stderr == ""
