"""A Unix socket to listen at, also where its path is longer than an address holds.

The folder is the caller's: private to this user, so that nobody else connects.
"""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from opvalue.errors import machine_fault
from opvalue.evidence.broker.errors import SocketUnusable

_QUEUE: Final = 128
_MOST: Final = 100
"""Bytes of an address that every system takes; macOS ends at 104, Linux at 108."""


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """Listen at ``path`` within the block; nothing is left there. Raises ``SocketUnusable`` and ``MachineFault``."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        try:
            _bind(listener, path)
            listener.listen(_QUEUE)
        except OSError as error:
            raise machine_fault(error) or SocketUnusable(
                f"cannot listen at {path}",
                expected="a private folder with a short path",
                found=error.strerror or str(error),
            ) from None
        yield listener
    finally:
        listener.close()
        with suppress(OSError):
            path.unlink()


def _bind(listener: socket.socket, path: Path) -> None:
    address = os.fsencode(path)
    if len(address) <= _MOST or sys.platform != "linux":
        listener.bind(address)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        listener.bind(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        os.close(folder)
