"""Everything of a script that is executed: each run made once, shared by all rules, counted.

The script runs as in a regrade: privately laid out, in an empty folder, within limits, in the sandbox where it works.
What goes wrong with it is a value here, for the rules to judge; what goes wrong with this machine is raised. What is
more than quick is made by ``verifier.making``, which is loaded when it is first asked for.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final

from opvalue.errors import OpvalueError
from opvalue.evaluator import Runner, Staged, StandIn
from opvalue.identity import RepoPath
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonRefused, loads
from verifier.ended import HOST, Ended, ended, of_the_script
from verifier.rule import Profile
from verifier.subject import Case, Subject

if TYPE_CHECKING:
    from verifier.graded import Grade
    from verifier.making import Making

_LIMITS: Final = Limits()


class Runs:
    """The runs of one script. Made by ``open_runs``; not to be used after its block.

    Without a definition there is nothing but its syntax and how the definition failed: everything else is ``None``.
    """

    def __init__(self, subject: Subject, runner: Runner, staged: Staged, stack: ExitStack) -> None:
        self._subject = subject
        self._runner = runner
        self._staged = staged
        self._stack = stack
        self._defined_runs = 0

    @cached_property
    def syntax(self) -> OpvalueError | None:
        """Why ``bash -n`` refuses the script, or ``None``."""
        try:
            self._staged.check_syntax()
        except OpvalueError as problem:
            return of_the_script(problem)
        return None

    @cached_property
    def defined(self) -> Ended:
        """How ``--definition`` ended; not run where the syntax is wrong."""
        if self.syntax is not None:
            return Ended(None, self.syntax)
        self._defined_runs = 1
        return ended(self._staged, "--definition", seconds=_LIMITS.definition_seconds)

    @property
    def definition(self) -> bytes | OpvalueError:
        """What ``--definition`` prints, or how it failed."""
        failed = self.defined.failed
        return failed if failed is not None else self.defined.stdout or b""

    @cached_property
    def document(self) -> JsonObject | None:
        """The definition as an object, complete or not; ``None`` where it is none."""
        try:
            found = loads(self.defined.stdout or b"", what="the definition")
        except JsonRefused:
            return None
        return found if isinstance(found, dict) else None

    @property
    def scripts_run(self) -> int:
        """Times the script was started, in all its modes."""
        return self._defined_runs + (self._making.scripts_run if self._is_making and self._making else 0)

    @property
    def grade_runs(self) -> int:
        """How many of them graded."""
        return self._making.grade_runs if self._is_making and self._making else 0

    def begin(self, profile: Profile) -> None:
        """Begin what a profile runs, in the background."""
        if profile is not Profile.QUICK and self._making is not None:
            self._making.begin(profile)

    def metric(self, evidence: bytes, *, again: bool = False) -> Ended | None:
        """Return how ``--metric`` ended on an evidence object; ``again``: a second time, elsewhere.

        ``None`` where it was not run, because the script hangs.
        """
        return None if self._making is None else self._making.metric(evidence, again=again)

    def grade(self, name: str) -> "Grade | None":
        """Return a grading of ``verifier.plan``; ``None`` where it was not made, because the script hangs."""
        return None if self._making is None else self._making.grade(name)

    def grades(self, *names: str) -> "Iterator[Grade]":
        """Yield those of some gradings that were made."""
        for name in names:
            grade = self.grade(name)
            if grade is not None:
                yield grade

    def was_begun(self, name: str) -> bool:
        """Tell whether a grading belongs to what was begun."""
        return self._making is not None and self._making.was_begun(name)

    def case(self, case: Case, *, as_of: bool = False) -> "Grade | None":
        """Return the grading of an author's case; ``as_of``: without what came after its cutoff."""
        return None if self._making is None else self._making.case(case, as_of=as_of)

    def made(self) -> Iterator[Ended]:
        """Yield every run that was begun so far, when it has ended."""
        yield self.defined
        if self._is_making and self._making is not None:
            yield from self._making.made()

    @property
    def _is_making(self) -> bool:
        return "_making" in self.__dict__

    @cached_property
    def _making(self) -> "Making | None":
        if self.document is None:
            return None
        from verifier.making import Making  # noqa: PLC0415 - the quick profile does without

        return Making(self._subject, self.document, self._runner, _files(self._subject), self._stack)


@contextmanager
def open_runs(subject: Subject, runner: Runner) -> Iterator[Runs]:
    """Lay the script and what it sources out, for its runs within the block."""
    with ExitStack() as stack:
        staged = stack.enter_context(runner.stage(subject.path, _files(subject), HOST, StandIn()))
        yield Runs(subject, runner, staged, stack)


def _files(subject: Subject) -> tuple[tuple[RepoPath, bytes], ...]:
    closure = subject.closure
    return ((subject.path, subject.data),) if isinstance(closure, OpvalueError) else closure.files
