"""What the tests of the command line share."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from opvalue.cli import run
from opvalue.demo import prepare
from opvalue.evaluator import Runner

_OURS = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "OPVALUE_DEBUG", "_OPVALUE_COMPLETE", "COLUMNS", "GH_REPO")
AS_ROOT: Final = os.geteuid() == 0
RUN: Final = "from opvalue.cli import run\nsys.exit(run('opvalue', sys.argv[1:]))\n"
SLOWLY: Final = """
import sys
from opvalue.process import child
real = child.start
def start(argv, **how):
    if "--grade-run" not in argv:
        return real(argv, **how)
    print("begun", file=sys.stderr, flush=True)
    return real(("/bin/sleep", "30"), **how)
child.start = start
"""
"""A machine on which every grading takes half a minute."""
_SCRIPT: Final = "widgets/.github/graders/issue-triage-operational-value.sh"
_FILES: Final = "--artifact agent.zip --checkout widgets --replay evidence.bundle"
_COMMANDS: Final = {
    "regrade": f"regrade 123456 --evidence-at 2025-08-25T00:00:00Z {_FILES}",
    "verify": f"verify {_SCRIPT}",
}


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


class Made(Process):
    """Real processes in a folder with ``agent.zip``, ``widgets``, ``evidence.bundle``, and temporary files apart."""

    def words(self, text: str) -> list[str]:
        """Return the arguments of a command line; ``regrade`` and ``verify`` stand for those of the run."""
        command, _, options = text.partition(" ")
        return f"{_COMMANDS.get(command, command)} {options}".split()

    def begun(self, *argv: str, **how: Any) -> "subprocess.Popen[bytes]":
        """Start a command and wait until its evaluator grades, slowly."""
        (self.folder / "driver.py").write_text(SLOWLY + RUN)
        child = self.start(*argv, **how)
        assert child.stderr is not None
        assert child.stderr.readline() == b"begun\n"
        return child

    @property
    def files(self) -> list[str]:
        """All files and folders, by name."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    @property
    def temporary(self) -> list[Path]:
        """What lies in the folder for temporary files."""
        return sorted((self.folder / "temporary").iterdir())


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the demo's run once."""
    folder = tmp_path_factory.mktemp("story")
    prepare(folder, Runner())
    return folder


@pytest.fixture
def made(story: Path, tmp_path: Path) -> Made:
    """Give a folder with a copy of the run."""
    shutil.copytree(story, tmp_path, dirs_exist_ok=True, symlinks=True)
    (tmp_path / "temporary").mkdir()
    found = Made(tmp_path)
    # A Python whose files may not grow would leave its own caches cut.
    found.env |= {"TMPDIR": str(tmp_path / "temporary"), "PYTHONDONTWRITEBYTECODE": "1"}
    return found


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """Give a folder on a disk that is full."""
    if not AS_ROOT or shutil.which("mount") is None:
        pytest.skip("only root mounts a disk")
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], check=False).returncode != 0:
        pytest.skip("this machine mounts no disk")
    try:
        with pytest.raises(OSError, match="No space left"):
            (place / "filler").write_bytes(b"x" * 1024 * 1024)
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def refused(answer: Answer, code: str, status: int = 2) -> str:
    """Hold that the failure is told once, by its code, with what to do; return the text."""
    assert "Traceback" not in answer.err
    assert f"[{code}]" in answer.err, answer
    assert answer.err.count("opvalue: ") == 1
    assert "  do        " in answer.err
    assert answer.status == status
    return answer.err
