"""The programs an evaluator runs on, found by absolute path and asked for their versions once (BS-04, BS-06).

Bash is ``/bin/bash`` where it exists, so that a stub of that name on the search path is never started. Not decided
here: whether a version is good enough; it is recorded, and ``opvalue doctor`` gives advice.
"""

import os
import re
import sys
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Self

from opvalue.errors import printable
from opvalue.evaluator.errors import NotBash
from opvalue.process import Command, find_program, run, usual_path

_BASH: Final = Path("/bin/bash")
_GNU_BASH = re.compile(r"GNU bash, version (\S+)")
_VERSION_SECONDS = 5.0
_VERSION_BYTES = 65536

_versions: dict[Path, str] = {}
_asking = Lock()


class Tools(NamedTuple):
    """Absolute paths of the programs that every evaluator needs."""

    bash: Path
    jq: Path

    @classmethod
    def find(cls) -> Self:
        """Find both: ``/bin/bash``, the system's folders, then the caller's ``PATH``. Raises ``ProgramMissing``."""
        path = usual_path()
        bash = _BASH if os.access(_BASH, os.X_OK) else find_program("bash", path)
        return cls(bash=bash, jq=find_program("jq", path))

    def versions(self) -> dict[str, str]:
        """Return the versions by program name, as ``{"bash": "5.2.15(1)-release", "jq": "jq-1.6"}``.

        Asked once per program and process. Raises ``NotBash``, and what ``process.run`` raises.
        """
        return {"bash": self.bash_version(), "jq": _version(self.jq).partition("\n")[0]}

    def bash_version(self) -> str:
        """Return Bash's version. Raises ``NotBash`` when the program does not say that it is GNU Bash."""
        said = _version(self.bash)
        found = _GNU_BASH.match(said)
        if found is None:
            raise NotBash(
                f"{self.bash} is not GNU Bash", expected="GNU bash, version ...", found=said[:80] or "nothing"
            )
        return found[1]


class Interpreter(NamedTuple):
    """The Python that runs this, as the stand-ins' interpreter: without virtual environment and site packages."""

    program: Path
    libraries: tuple[Path, ...]
    """What it reads to start with ``-IS``: its standard library, and itself where that is a shared object."""


@cache
def interpreter() -> Interpreter:
    """Return this very Python, so that what it compiled can be run by the stand-ins."""
    program = Path(getattr(sys, "_base_executable", None) or sys.executable)
    library = Path(os.__file__).parent
    return Interpreter(program, (library, *_shared_objects()))


def _shared_objects() -> tuple[Path, ...]:
    """Return the files that hold the interpreter where it is not in the program itself; none but on Linux."""
    try:
        mapped = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    paths = {line[line.index("/") :] for line in mapped.splitlines() if "/libpython" in line}
    return tuple(Path(path) for path in sorted(paths))


def _version(program: Path) -> str:
    # One asks, the others wait for the answer.
    with _asking:
        if program not in _versions:
            _versions[program] = _ask_version(program)
        return _versions[program]


def _ask_version(program: Path) -> str:
    finished = run(
        Command(
            argv=(str(program), "--version"),
            cwd=Path("/"),
            env={"LC_ALL": "C"},
            seconds=_VERSION_SECONDS,
            stream_bytes=_VERSION_BYTES,
            name=f"{program} --version",
        )
    )
    return printable(finished.stdout.decode("utf-8", "replace").strip())
