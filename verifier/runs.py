"""Everything of a script that is executed: each run made once, shared by all rules, counted.

The script runs as in a regrade: privately laid out, in an empty folder, within limits, in the sandbox where it works.
What goes wrong with it is a value here, for the rules to judge; what goes wrong with this machine is raised.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from opvalue.errors import Kind, OpvalueError
from opvalue.evaluator import Runner, Staged, StandIn
from opvalue.identity import Host
from verifier.subject import Subject

_HOST = Host("github.com")


class Runs:
    """The runs of one script. Made by ``open_runs``; not to be used after its block."""

    def __init__(self, staged: Staged) -> None:
        self._staged = staged
        self.scripts_run = 0
        self.grade_runs = 0

    @cached_property
    def syntax(self) -> OpvalueError | None:
        """Why ``bash -n`` refuses the script, or ``None``."""
        try:
            self._staged.check_syntax()
        except OpvalueError as problem:
            return _of_the_script(problem)
        return None

    @cached_property
    def definition(self) -> bytes | OpvalueError:
        """What ``--definition`` prints, or how it failed; not run where the syntax is wrong."""
        if self.syntax is not None:
            return self.syntax
        self.scripts_run += 1
        try:
            return self._staged.definition()
        except OpvalueError as problem:
            return _of_the_script(problem)


@contextmanager
def open_runs(subject: Subject, runner: Runner) -> Iterator[Runs]:
    """Lay the script and what it sources out, for its runs within the block."""
    closure = subject.closure
    files = ((subject.path, subject.data),) if isinstance(closure, OpvalueError) else closure.files
    with runner.stage(subject.path, files, _HOST, StandIn()) as staged:
        yield Runs(staged)


def _of_the_script(problem: OpvalueError) -> OpvalueError:
    """Return a problem that the script has; raise one that this machine has."""
    if problem.kind in {Kind.EVALUATOR, Kind.REFUSED}:
        return problem
    raise problem
