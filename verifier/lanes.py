"""Two places to run a script in at the same time, and the jobs that wait for them."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from typing import Final, TypeVar

from opvalue.errors import Kind, OpvalueError
from opvalue.evaluator import Probe, Runner, Staged, StandIn
from opvalue.identity import Host, RepoPath
from opvalue.process import LeftRunning
from verifier.graded import Ended

HOST: Final = Host("github.com")
LANES: Final = 2
T = TypeVar("T")


class Lanes:
    """Lays the script out in each lane; every job gets one of them to itself, jobs begin in the order they came."""

    def __init__(
        self, stack: ExitStack, runner: Runner, path: RepoPath, files: tuple[tuple[RepoPath, bytes], ...], gh: StandIn
    ) -> None:
        self._free: SimpleQueue[Staged] = SimpleQueue()
        for _ in range(LANES):
            self._free.put(stack.enter_context(runner.stage(path, files, HOST, gh)))
        self._pool = ThreadPoolExecutor(LANES, thread_name_prefix="verify")
        # Entered last: ended before the lanes are removed.
        stack.callback(self._pool.shutdown, wait=True, cancel_futures=True)

    def begin(self, job: Callable[[Staged], T]) -> "Future[T]":
        """Have a job done when there is a lane for it. A job may wait for jobs that were begun before it."""
        return self._pool.submit(self._do, job)

    def _do(self, job: Callable[[Staged], T]) -> T:
        lane = self._free.get()
        try:
            return job(lane)
        finally:
            self._free.put(lane)


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
