"""What the tests of the command line share."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from opvalue.cli import run

_OURS = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "OPVALUE_DEBUG", "_OPVALUE_COMPLETE", "COLUMNS", "GH_REPO")


class Answer(NamedTuple):
    """How a run of a program ended."""

    status: int
    out: str
    err: str

    @property
    def error(self) -> dict[str, Any]:
        """The envelope's content."""
        found: dict[str, Any] = json.loads(self.out)["error"]
        return found


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _OURS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def opvalue(capfd: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run ``opvalue`` in this process."""

    def call(*argv: str, program: str = "opvalue") -> Answer:
        capfd.readouterr()
        status = run(program, list(argv))
        out, err = capfd.readouterr()
        return Answer(status, out, err)

    return call


class Process:
    """Starts real processes of the program, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: dict[str, str] = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(folder)}

    def start(self, *argv: str, env: Mapping[str, str] | None = None, **how: Any) -> "subprocess.Popen[bytes]":
        """Start ``opvalue`` with the commands that the folder's ``driver.py`` adds, if there is one."""
        driver = self.folder / "driver.py"
        program = [str(driver)] if driver.exists() else ["-P", "-m", "opvalue"]
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        return subprocess.Popen(
            [sys.executable, *program, *argv], cwd=self.folder, env={**self.env, **(env or {})}, **how
        )

    def run(self, *argv: str, **how: Any) -> Answer:
        """Run it to its end."""
        with self.start(*argv, **how) as process:
            out, err = process.communicate(timeout=60)
        return Answer(process.returncode, (out or b"").decode(), (err or b"").decode())


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """Give the means to start real processes."""
    return Process(tmp_path)
