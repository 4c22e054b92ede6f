"""Stop the children that other threads wait for: a signal reaches the main thread alone.

Not done: stopping the threads. They see that their children were killed, and may start no others meanwhile.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from opvalue.errors import Interrupted

_lock = Lock()
_running: set[Callable[[], None]] = set()
_stopping: set[object] = set()
"""Who has stopped the others, and has not let go yet."""


@contextmanager
def stoppable(kill: Callable[[], None]) -> Iterator[None]:
    """Let ``others_stopped`` call ``kill`` during the body. Raises ``Interrupted`` where that is going on already."""
    with _lock:
        if _stopping:
            raise Interrupted("interrupted")
        _running.add(kill)
    try:
        yield
    finally:
        with _lock:
            _running.discard(kill)


@contextmanager
def others_stopped() -> Iterator[None]:
    """Kill every child that is being waited for, and let none be started until the end of the body."""
    stopper = object()
    with _lock:
        _stopping.add(stopper)
        for kill in _running:
            kill()
    try:
        yield
    finally:
        with _lock:
            _stopping.discard(stopper)
