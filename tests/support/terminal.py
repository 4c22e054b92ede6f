"""The real command on a terminal."""

import fcntl
import os
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]


def on_terminal(columns: int, folder: Path, *argv: str) -> tuple[int, list[str]]:
    """Run ``opvalue`` on a terminal so wide, and return its status and the lines that are seen."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PYTHONPATH": str(_ROOT),
        "NO_COLOR": "1",
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
    }
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "opvalue", *argv],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return child.wait(60), seen.decode().replace("\r\n", "\n").splitlines()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # how Linux says that the other end is closed
        return b""
