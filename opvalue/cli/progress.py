"""One line on a terminal that says what is going on, from the second second on. Prints only to the stream given.

The second is measured by the process's own timer, not by a thread: a process with a second thread is not forked, and a
large session is read by several processes. Where the timer is not free, a thread it is.
"""

import signal
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, Protocol, Self, TextIO

from opvalue.cli.folding import within
from opvalue.errors import printable

DELAY_SECONDS: Final = 1.0
_ERASE: Final = "\r\x1b[K"
_COLUMNS: Final = 80
_AGAIN_SECONDS: Final = 0.05


class _Timer(Protocol):
    """What calls a function once, later; and again a little later as long as that answers that it could not act."""

    def start(self) -> None:
        """Begin to wait."""

    def cancel(self) -> None:
        """Call nothing any more."""


class _Alarm:
    """A timer without a thread. The call is made in the main thread, between two steps of whatever that does."""

    def __init__(self, seconds: float, call: Callable[[], bool]) -> None:
        self._seconds = seconds
        self._call = call

    def start(self) -> None:
        """Begin to wait."""
        signal.signal(signal.SIGALRM, lambda *_: self._ring())
        # Of no seconds it would never go off.
        signal.setitimer(signal.ITIMER_REAL, max(self._seconds, 1e-6))

    def cancel(self) -> None:
        """Call nothing any more."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def _ring(self) -> None:
        if not self._call():
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)


class _Thread:
    """A timer that waits in a thread of its own, and makes the call there."""

    def __init__(self, seconds: float, call: Callable[[], bool]) -> None:
        self._seconds = seconds
        self._call = call
        self._cancelled = threading.Event()

    def start(self) -> None:
        """Begin to wait."""
        threading.Thread(target=self._wait, daemon=True).start()

    def cancel(self) -> None:
        """Call nothing any more."""
        self._cancelled.set()

    def _wait(self) -> None:
        seconds = self._seconds
        while not self._cancelled.wait(seconds) and not self._call():
            seconds = _AGAIN_SECONDS


def _timer(seconds: float, call: Callable[[], bool]) -> _Timer:
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL:
        return _Alarm(seconds, call)
    return _Thread(seconds, call)


class Progress:
    """Call it with a text as the work moves on; leave the ``with`` block to erase it. Without a stream it is silent."""

    def __init__(self, stream: TextIO | None, *, columns: int = _COLUMNS, delay: float = DELAY_SECONDS) -> None:
        """``columns``: how wide the terminal is; a line that it breaks could not be erased."""
        self._stream = stream
        self._most = max(columns - 1, 0)
        self._text = ""
        self._shown = False
        self._ended = False
        self._lock = threading.Lock()
        self._delay = delay
        self._timer: _Timer | None = None

    def __enter__(self) -> Self:
        if self._stream is not None:
            self._timer = _timer(self._delay, self._show)
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._ended = True
            if self._shown:
                self._write(_ERASE)

    def __call__(self, text: str) -> None:
        """Say what is being done now."""
        with self._lock:
            self._text = within(printable(text).replace("\n", " "), self._most)
            if self._shown:
                self._write(_ERASE + self._text)

    def aside(self, write: Callable[[], object]) -> None:
        """Call ``write``, which writes lines to the same terminal, with the line taken away for as long."""
        with self._lock:
            if self._shown and not self._ended:
                self._write(_ERASE)
            write()
            if self._shown and not self._ended:
                self._write(self._text)

    def _show(self) -> bool:
        """Show the line from now on; return whether that could be done, or something was just being written."""
        # Waiting could be for ever: an alarm may go off while this very thread holds the lock.
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if not self._ended:
                self._shown = True
                self._write(_ERASE + self._text)
            return True
        finally:
            self._lock.release()

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, UnicodeEncodeError):
            self._stream = None
