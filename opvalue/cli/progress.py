"""One line on a terminal that says what is going on, from the second second on. Prints only to the stream given."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TextIO

from opvalue.errors import printable

DELAY_SECONDS: Final = 1.0
_ERASE: Final = "\r\x1b[K"
_COLUMNS: Final = 80


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
        self._timer = threading.Timer(delay, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if self._stream is not None:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._ended = True
            if self._shown:
                self._write(_ERASE)

    def __call__(self, text: str) -> None:
        """Say what is being done now."""
        with self._lock:
            self._text = printable(text).replace("\n", " ")[: self._most]
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

    def _show(self) -> None:
        with self._lock:
            if self._ended:
                return
            self._shown = True
            self._write(_ERASE + self._text)

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, UnicodeEncodeError):
            self._stream = None
