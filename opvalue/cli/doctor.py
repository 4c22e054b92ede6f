"""``opvalue doctor``: which programs this machine has, what is missing, what that costs, and how to get it.

Each program is asked for its version, because a file of the right name is not yet the program (BS-04).
Not checked: access to the network or to GitHub, and whether any one checkout can be read.
"""

import enum
import os
import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

from opvalue import __version__
from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Line, Style, Styled
from opvalue.cli.errors import ProgramsMissing
from opvalue.errors import MachineFault, OpvalueError
from opvalue.evaluator import interpreter
from opvalue.process import Command, find_program, run
from opvalue.process.errors import SandboxMissing, SandboxUnsure
from opvalue.process.programs import usual_path
from opvalue.process.sandbox import Detection, detect

_INSIDE: Final = ("bash", "jq")
"""What must work inside a sandbox for it to be of use."""
_INDENT: Final = 9
_COST_OF_NONE: Final = "Evaluators see your files and the network."
_ROOT: Final = (
    "What the sandbox does not hide, an evaluator reads with root's rights, such as /etc/shadow. "
    "Use an account of its own."
)
_SECONDS: Final = 10.0
_BYTES: Final = 64 * 1024


class Need(NamedTuple):
    """A program that grading uses."""

    name: str
    required: bool
    cost: str
    """What cannot be done without it."""
    answer: str
    """Pattern of the first line that it prints about its version."""
    package: str
    """Its name for apt-get and for brew."""
    recommended: tuple[int, ...] = ()
    """Versions below this work, but not as well."""
    old_cost: str = ""
    newer: str = ""
    """Where a recommended version is to be had."""
    linux_only: bool = False
    as_called: bool = False
    """Taken from the caller's ``PATH`` alone, as grading does."""

    @property
    def search_path(self) -> str:
        """The folders in which grading looks for it."""
        return os.environ.get("PATH", os.defpath) if self.as_called else usual_path()


NEEDS: Final = (
    Need("bash", True, "No evaluator can run.", r"GNU bash, version (\S+)", "bash"),
    Need(
        "jq",
        True,
        "No evaluator can run: each of them does its arithmetic in jq.",
        r"jq-(\S+)",
        "jq",
        (1, 7, 1),
        "Some evaluators use what older versions cannot compile, and large numbers lose digits.",
        "Debian 13, Ubuntu 24.04 and Homebrew have a later one.",
    ),
    Need(
        "git",
        True,
        "No run can be verified against the commit it was made from.",
        r"git version (\S+)",
        "git",
        as_called=True,
    ),
    Need(
        "bwrap",
        False,
        "Evaluators run without a sandbox: they see your files and the network.",
        r"bubblewrap (\S+)",
        "bubblewrap",
        linux_only=True,
    ),
)


class State(enum.Enum):
    """What was found of a program."""

    OK = "ok"
    OLD = "old"
    MISSING = "missing"
    BROKEN = "broken"


class Finding(NamedTuple):
    """One program as it is on this machine."""

    need: Need
    state: State
    path: Path | None = None
    version: str | None = None

    @property
    def fatal(self) -> bool:
        """Tell whether nothing can be graded with things as they are."""
        return self.need.required and self.state in {State.MISSING, State.BROKEN}

    @property
    def cost(self) -> str | None:
        """What the state costs; nothing if all is well."""
        if self.state is State.OK:
            return None
        return self.need.old_cost if self.state is State.OLD else self.need.cost

    @property
    def get(self) -> str | None:
        """What to do about it; nothing if all is well."""
        if self.state is State.OK:
            return None
        return self.need.newer if self.state is State.OLD else how_to_get(self.need.package)


@declare("doctor", examples=("opvalue doctor", "opvalue doctor --json"))
@json_option
def command(console: Console) -> int:
    """Say which programs this machine has, what is missing, what that costs, and how to get it.

    Ends with a failure when a program is missing that grading cannot do without.
    """
    with console.progress("trying the programs, and the sandbox"):
        findings = [examine(need) for need in NEEDS if not need.linux_only or sys.platform == "linux"]
        python = interpreter()
        inside = (one.path for one in findings if one.path and one.need.name in _INSIDE and not one.fatal)
        detection = _detected((*inside, python.program), python.libraries)
    error = _verdict(findings)
    if console.json:
        console.data(_document(findings, detection) | (error.envelope() if error else {}))
        return error.kind.exit_status if error else 0
    _print(console, findings, detection)
    if error:
        raise error
    return 0


def _detected(tools: tuple[Path, ...], libraries: tuple[Path, ...]) -> Detection:
    try:
        return detect(tools, libraries)
    except SandboxUnsure as unsure:
        return Detection(None, f"{unsure.message}: {unsure.found}", unsure.hint)


def examine(need: Need) -> Finding:
    """Look for a program and ask it for its version."""
    try:
        path = find_program(need.name, need.search_path)
    except OpvalueError:
        return Finding(need, State.MISSING)
    version = _version(path, need.answer)
    if version is None:
        return Finding(need, State.BROKEN, path)
    old = bool(need.recommended) and _numbers(version) < need.recommended
    return Finding(need, State.OLD if old else State.OK, path, version)


def how_to_get(package: str) -> str:
    """Return the exact command for this system, as far as it can be known."""
    if sys.platform == "darwin":
        return f"brew install {package}"
    try:
        find_program("apt-get", usual_path())
    except OpvalueError:
        return f"install {package} with this system's package manager"
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {package}"


def _version(path: Path, answer: str) -> str | None:
    command = Command(
        argv=(str(path), "--version"), cwd=Path("/"), env={"LC_ALL": "C"}, seconds=_SECONDS, stream_bytes=_BYTES
    )
    try:
        finished = run(command)
    except MachineFault:
        raise
    except OpvalueError:
        return None
    found = re.match(answer, finished.stdout.decode("utf-8", "replace"))
    return found[1] if found and finished.status == 0 else None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _verdict(findings: list[Finding]) -> ProgramsMissing | None:
    fatal = [finding for finding in findings if finding.fatal]
    if not fatal:
        return None
    packages = " ".join(finding.need.package for finding in fatal)
    return ProgramsMissing(
        "this machine cannot grade: " + ", ".join(f"{one.need.name} is {one.state.value}" for one in fatal),
        expected=", ".join(one.name for one in NEEDS if one.required),
        found=", ".join(one.need.name for one in findings if one.need.required and not one.fatal) or "none of them",
        hint=how_to_get(packages),
    )


def _document(findings: list[Finding], detection: Detection) -> dict[str, object]:
    sandbox = detection.sandbox
    return {
        "opvalue": __version__,
        "python": sys.version.split()[0],
        "system": _system(),
        "programs": [
            {
                "name": one.need.name,
                "required": one.need.required,
                "state": one.state.value,
                "path": str(one.path) if one.path else None,
                "version": one.version,
                "cost": one.cost,
                "get": one.get,
            }
            for one in findings
        ],
        "sandbox": {
            "works": sandbox is not None,
            "layers": list(sandbox.layers) if sandbox else [],
            "hidden": list(sandbox.hidden) if sandbox else [],
            "reason": detection.reason or None,
            "get": None if sandbox else detection.hint or SandboxMissing.advice,
        },
        "root": _is_root(),
    }


def _print(console: Console, findings: list[Finding], detection: Detection) -> None:
    console.fields([("opvalue", __version__), ("python", sys.version.split()[0]), ("system", _system())])
    console.line()
    for one in findings:
        console.fields([(one.need.name.ljust(len("opvalue")), _found(one))])
        if one.cost and one.get:
            console.fields([("costs", one.cost), ("do", one.get)], indent=_INDENT)
    console.line()
    sandbox = detection.sandbox
    if sandbox is None:
        console.fields([("sandbox", (Styled("none", Style.WARN), "  ", detection.reason))])
        if all(one.cost is None for one in findings if one.need.name == "bwrap"):
            do = detection.hint or SandboxMissing.advice
            console.fields([("costs", _COST_OF_NONE), ("do", do)], indent=_INDENT)
    else:
        console.fields([("sandbox", Styled("works", Style.GOOD))])
        hidden = ", ".join(sandbox.hidden)
        console.fields([("layers", ", ".join(sandbox.layers)), ("hides", hidden)], indent=_INDENT)
    if _is_root():
        console.fields([("user   ", (Styled("root", Style.WARN), "  ", _ROOT))])


def _is_root() -> bool:
    return os.geteuid() == 0


def _found(one: Finding) -> Line:
    if one.state is State.MISSING:
        return Styled("missing", Style.BAD if one.need.required else Style.WARN)
    if one.state is State.BROKEN:
        return (Styled("broken", Style.BAD), f"  {one.path} does not answer --version as {one.need.name} does")
    if one.state is State.OLD:
        wanted = ".".join(map(str, one.need.recommended))
        return (Styled("old", Style.WARN), f"  {one.version}, {wanted} or later is better  {one.path}")
    return (Styled("ok", Style.GOOD), f"  {one.version}  {one.path}")


def _system() -> str:
    system = os.uname()
    return f"{system.sysname} {system.release} {system.machine}"
