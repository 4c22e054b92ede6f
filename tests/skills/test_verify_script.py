"""The script with the old one's manners: one path, ``verified PATH``, 0 or 1, talk on standard error."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.verifier.running import GOOD, edited

SCRIPT: Final = Path(__file__).parents[2] / "skills/aw-value/scripts/verify-operational-value-evaluator.sh"
_ROOT: Final = Path(__file__).parents[2]
_TRAP: Final = "import pathlib, sys\npathlib.Path(sys.argv[0]).with_name('taken').touch()\nraise SystemExit(0)\n"


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """A folder with an ``opvalue`` as an installation has it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "opvalue"
    start = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from opvalue.__main__ import main; sys.exit(main())"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -c "{start}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


def _place(folder: Path, text: str, name: str = "evaluator.sh") -> Path:
    folder.mkdir(exist_ok=True)
    target = folder / name
    target.write_text(text, encoding="utf-8")
    target.chmod(0o755)
    return target


def _run(
    folder: Path, *words: str, path: str, env: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": path, "HOME": str(folder), **(env or {})}
    argv = ["/bin/bash", str(SCRIPT), *words]
    return subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=110)


def test_a_good_evaluator_is_verified(bin_folder: Path, tmp_path: Path) -> None:
    _place(tmp_path / "work", GOOD)
    ended = _run(tmp_path / "work", "evaluator.sh", path=f"{bin_folder}:{os.environ['PATH']}")
    assert (ended.returncode, ended.stdout) == (0, "verified evaluator.sh\n"), ended.stderr


def test_a_faulty_one_is_not_and_the_reason_is_told_aside(bin_folder: Path, tmp_path: Path) -> None:
    _place(tmp_path / "work", edited(('direction: "higher_is_better"', 'direction: "up"')), "odd name.sh")
    ended = _run(tmp_path / "work", "odd name.sh", path=f"{bin_folder}:{os.environ['PATH']}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "primaryMetric.direction" in ended.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [((), "usage:"), (("a", "b"), "usage:"), (("absent.sh",), "not found"), (("plain.sh",), "not executable")],
)
def test_misuse_ends_with_1(bin_folder: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    _place(tmp_path / "work", GOOD, "plain.sh").chmod(0o644)
    ended = _run(tmp_path / "work", *words, path=f"{bin_folder}:{os.environ['PATH']}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert said in ended.stderr


def test_without_opvalue_it_says_how_to_get_it(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    python = tools / "python3"
    python.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    _place(tmp_path / "work", GOOD)
    ended = _run(tmp_path / "work", "evaluator.sh", path=str(tools))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "pipx install opvalue" in ended.stderr


def test_a_hostile_checkout_is_neither_imported_nor_run(bin_folder: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    _place(work, GOOD)
    for name in ("opvalue.py", "verifier.py", "click.py", "json.py", "sitecustomize.py"):
        (work / name).write_text(_TRAP, encoding="utf-8")
    trap = _place(work, "#!/bin/sh\ntouch taken\nexit 0\n", "opvalue")
    _place(work, "#!/bin/sh\ntouch taken\nexit 0\n", "python3")
    hostile = {"PYTHONPATH": str(work), "PYTHONSTARTUP": str(work / "json.py")}
    for start in ("", ".:", f"{work}:"):
        ended = _run(work, "evaluator.sh", path=f"{start}{bin_folder}:{os.environ['PATH']}", env=hostile)
        assert not (work / "taken").exists()
        assert ended.stdout == "verified evaluator.sh\n", ended.stderr
    assert trap.exists()
