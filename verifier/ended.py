"""Run a script once, watched, and tell how it ended. Its faults are values; those of this machine are raised."""

from collections.abc import Callable
from typing import Final, NamedTuple

from opvalue.errors import Kind, OpvalueError
from opvalue.evaluator import Probe, Staged
from opvalue.identity import Host
from opvalue.process import LeftRunning

HOST: Final = Host("github.com")
"""The host that scripts are run for."""


class Ended(NamedTuple):
    """How a run ended."""

    stdout: bytes | None
    """What it printed where its exit status was 0."""
    problem: OpvalueError | None
    """How it failed otherwise; or that it left something running."""
    written: tuple[str, ...] = ()
    """What it wrote outside its place for temporary files."""
    lines: frozenset[tuple[str, int]] = frozenset()
    """Where it went: file of the closure by its path, and line."""

    @property
    def failed(self) -> OpvalueError | None:
        """Why there is no output to judge, or ``None``."""
        return self.problem if self.stdout is None else None

    @property
    def left_running(self) -> OpvalueError | None:
        """What it left running, or ``None``."""
        return self.problem if isinstance(self.problem, LeftRunning) else None


def ended(
    staged: Staged,
    *arguments: str,
    stdin: bytes = b"",
    seconds: float,
    grace: Callable[[], float] = lambda: 0.0,
    probe: Probe | None = None,
) -> Ended:
    """Run the script, watched, and return how it ended. Raises what is wrong with this machine."""
    probe = probe or Probe()
    stdout: bytes | None = None
    problem: OpvalueError | None = None
    try:
        stdout = staged.call(*arguments, stdin=stdin, seconds=seconds, grace=grace, probe=probe).stdout
    except LeftRunning as left:
        stdout, problem = left.finished.stdout, left
    except OpvalueError as failed:
        problem = of_the_script(failed)
    return Ended(stdout, problem, probe.written, probe.lines)


def of_the_script(problem: OpvalueError) -> OpvalueError:
    """Return a problem that the script has; raise one that this machine has."""
    if problem.kind in {Kind.EVALUATOR, Kind.REFUSED}:
        return problem
    raise problem
