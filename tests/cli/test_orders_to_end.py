"""Ctrl-C and orders to end, while an evaluator runs: nothing is left, nothing half-written, nobody goes on."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Answer, Made, refused


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", ["regrade", "verify"])
def test_an_order_to_end_while_a_script_runs(made: Made, words: str, number: signal.Signals) -> None:
    child = made.begun(*made.words(words), "-o", "out.json")
    time.sleep(0.2)
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    refused(Answer(child.returncode, out.decode(), err.decode()), "interrupted", 130)
    assert made.temporary == []
    assert not (made.folder / "out.json").exists()
    assert _standing_below(made.folder / "temporary") == []


def test_an_order_to_end_the_demo_removes_what_was_to_be_kept(made: Made) -> None:
    child = made.begun("demo", "--keep", "kept")
    child.send_signal(signal.SIGTERM)
    out, err = child.communicate(timeout=30)
    refused(Answer(child.returncode, out.decode(), err.decode()), "interrupted", 130)
    assert not (made.folder / "kept").exists()
    assert made.temporary == []


def test_an_interrupt_before_the_command_line_is_loaded() -> None:
    code = """
import sys
class Interrupting:
    def __getattr__(self, name):
        raise KeyboardInterrupt
sys.modules["opvalue.cli"] = Interrupting()
from opvalue.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"opvalue: interrupted [interrupted]\n")


def _standing_below(folder: Path) -> list[str]:
    """Return the working folders below ``folder`` of processes that run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            place = str(entry.readlink())
        except OSError:
            continue
        found += [place] if place.startswith(f"{folder}{os.sep}") else []
    return found
