"""Keep the HTTP library's log lines to itself: they hold whole addresses, and a signed link is a secret.

Only lines written while this room reads are dropped, in this thread; what else a program does with httpx stays logged.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_LOGGERS: Final = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
)
_reading: ContextVar[bool] = ContextVar("reading", default=False)


def _keep(_: logging.LogRecord) -> bool:
    return not _reading.get()


@contextmanager
def quiet() -> Iterator[None]:
    """Drop what the HTTP library logs within the block."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_keep)
    before = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(before)
