"""One piece of work in a thread of its own. Loading ``concurrent.futures`` would cost more than a quick check gains."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Generic, TypeVar

from opvalue.process import others_stopped

T = TypeVar("T")


class Beside(Generic[T]):
    """Work that goes on. Made by ``beside``."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._done: list[T] = []
        self._failed: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def result(self) -> T:
        """Wait for the work and return what it returned. Raises what it raised."""
        self.wait()
        if self._failed is not None:
            raise self._failed
        return self._done[0]

    def wait(self) -> None:
        """Wait for the work, however it ends."""
        self._thread.join()

    def _run(self) -> None:
        try:
            self._done.append(self._work())
        except BaseException as failed:
            self._failed = failed


@contextmanager
def beside(work: Callable[[], T]) -> Iterator[Beside[T]]:
    """Begin the work; at the end of the block it has ended."""
    running = Beside(work)
    try:
        yield running
    except BaseException:
        with others_stopped():
            running.wait()
        raise
    running.wait()
