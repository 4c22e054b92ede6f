"""Find a program's absolute path. A child is never started by a bare name: the search is done once, here.

Empty and relative entries of a search path mean the current folder, which may be a hostile checkout; they are skipped.
"""

import os
from pathlib import Path

from opvalue.process.errors import ProgramMissing

SYSTEM_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where programs of the system lie, in the order in which they are looked for."""


def usual_path() -> str:
    """Return the system's folders, then those of the caller's ``PATH``: what is installed wins over what is nearby."""
    return os.pathsep.join((*SYSTEM_FOLDERS, os.environ.get("PATH", "")))


def find_program(name: str, path: str) -> Path:
    """Return the absolute path of the first program called ``name`` on ``path`` (folders between colons).

    Not checked: whose file it is, and what it does. Raises ``ProgramMissing``.
    """
    for folder in path.split(os.pathsep):
        if folder.startswith("/"):
            file = f"{folder}/{name}"
            if os.path.isfile(file) and os.access(file, os.X_OK):  # noqa: PTH113 - no Path for a mere look
                return Path(file)
    raise ProgramMissing(f"the program {name} is not installed", expected=f"{name} in one of {path or '(nothing)'}")
