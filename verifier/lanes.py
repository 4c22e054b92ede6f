"""Two places to run a script in at the same time, and the jobs that wait for them."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from queue import SimpleQueue
from types import TracebackType
from typing import Final, TypeVar

from opvalue.evaluator import Runner, Staged, StandIn
from opvalue.identity import RepoPath
from opvalue.process import others_stopped
from verifier.ended import HOST

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
        stack.push(self._end)

    def begin(self, job: Callable[[Staged], T]) -> "Future[T]":
        """Have a job done when there is a lane for it. A job may wait for jobs that were begun before it."""
        return self._pool.submit(self._do, job)

    def _end(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Wait for the jobs; where nobody wants their outcome any more, kill what they run."""
        with nullcontext() if kind is None else others_stopped():
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _do(self, job: Callable[[Staged], T]) -> T:
        lane = self._free.get()
        try:
            return job(lane)
        finally:
            self._free.put(lane)
