"""Commands for tests, run by the system's own Bash."""

import os
from pathlib import Path
from typing import Any

import pytest

from opvalue.process import Command, Detection, Finished, detect, run

BASH = "/bin/bash"


def bash(script: str, **changes: Any) -> Command:
    fields: dict[str, Any] = {
        "argv": (BASH, "-c", script),
        "cwd": Path("/"),
        "env": {"PATH": "/usr/bin:/bin"},
        "seconds": 20.0,
        "stream_bytes": 65536,
    }
    return Command(**(fields | changes))


def run_bash(script: str, **changes: Any) -> Finished:
    return run(bash(script, **changes))


def the_sandbox() -> Detection:
    """Return the sandbox of this machine; a test that needs one is skipped, with the reason, where there is none."""
    found = detect((Path(BASH),))
    if found.sandbox is None:
        pytest.skip(f"no sandbox here: {found.reason}")
    return found


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; a zombie does not."""
    if not Path("/proc/self/stat").exists():
        return _answers(pid)
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
