"""One ``git cat-file --batch`` process kept open, bounded in time and bytes.

Asks for objects by full id only, and returns what git says; the caller re-hashes. A process that hangs, dies or is
about to send more than was asked for is killed; the next request starts another. Safe to share between threads.
"""

import contextlib
import os
import re
import selectors
import subprocess
import threading
import time
import weakref
from typing import NamedTuple, Self

from opvalue.checkout.command import Call
from opvalue.checkout.errors import GitFailed, GitMissing, GitTimedOut, ObjectTooLarge, ObjectUnreadable
from opvalue.errors import machine_fault

_HEADER = re.compile(rb"([0-9a-f]+) (?:(missing)|(commit|tree|blob|tag) ([0-9]{1,18}))")
_MAX_HEADER = 256
_CHUNK = 1 << 16
_MAX_TALK = 1 << 14
_END_SECONDS = 2.0


class RawObject(NamedTuple):
    """What git returned for an id: the type it claims and the content. Not verified."""

    kind: str
    data: bytes


class BatchReader:
    """Reads objects one at a time. ``seconds`` bounds each request."""

    def __init__(self, call: Call, seconds: float) -> None:
        self._call = call
        self._seconds = seconds
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def read(self, oid: str, limit: int) -> RawObject | None:
        """Return the object, or ``None`` when the store does not hold it.

        Raises ``ObjectTooLarge`` before reading more than ``limit`` bytes, ``ObjectUnreadable``, ``GitTimedOut``,
        ``GitFailed``, ``GitMissing`` and the ``MachineFault`` of a machine that starts no more processes.
        """
        with self._lock:
            child = self._child or _Child(self._call)
            self._child = None
            try:
                found = child.ask(oid, limit, time.monotonic() + self._seconds)
            except BaseException:
                child.stop()
                raise
            self._child = child
            return found

    def close(self) -> None:
        """End the process. A later ``read`` starts another."""
        with self._lock:
            if self._child is not None:
                self._child.stop()
                self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Child:
    """The process and what it has sent so far."""

    def __init__(self, call: Call) -> None:
        try:
            process = subprocess.Popen(
                [*call.argv, "cat-file", "--batch"],
                bufsize=0,
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(call.env),
                start_new_session=True,
            )
        except OSError as error:
            raise machine_fault(error) or GitMissing(f"cannot start {call.argv[0]}: {error.strerror}") from None
        self._input, self._output, self._errors = _descriptors(process)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)
        self._received = bytearray()
        self._talk = bytearray()
        self.stop = weakref.finalize(self, _end, process, self._selector)

    def ask(self, oid: str, limit: int, deadline: float) -> RawObject | None:
        try:
            os.write(self._input, oid.encode("ascii") + b"\n")
        except OSError:
            raise self._died(oid, deadline) from None
        header = self._header(oid, deadline)
        found = _HEADER.fullmatch(header)
        if found is None or found[1].decode() != oid:
            raise GitFailed(f"git answered a request for {oid} with something else", found=repr(header[:80]))
        if found[2]:
            self._check_silent(oid)
            return None
        size = int(found[4])
        if size > limit:
            raise ObjectTooLarge(f"object {oid} is too large", expected=f"at most {limit} bytes", found=f"{size} bytes")
        while len(self._received) <= size:
            self._receive(oid, deadline, size)
        data = bytes(self._received[:size])
        del self._received[: size + 1]
        return RawObject(found[3].decode(), data)

    def _header(self, oid: str, deadline: float) -> bytes:
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > _MAX_HEADER:
                raise GitFailed(f"git answered a request for {oid} with something else")
            self._receive(oid, deadline)
        header = bytes(self._received[:end])
        del self._received[: end + 1]
        return header

    def _receive(self, oid: str, deadline: float, size: int | None = None) -> None:
        ready = self._ready(deadline)
        if not ready:
            # An altered header may announce more than there is; git then waits for the next request.
            expected = None if size is None else f"{size} bytes"
            raise GitTimedOut(
                f"git did not return object {oid} in time", expected=expected, found=f"{len(self._received)} bytes"
            )
        if self._errors in ready:
            self._hear()
        if self._output in ready:
            chunk = os.read(self._output, _CHUNK)
            if not chunk:
                raise self._died(oid, deadline)
            self._received += chunk

    def _hear(self) -> bool:
        """Take what git says on standard error, whose pipe must not fill. Returns ``False`` at its end."""
        chunk = os.read(self._errors, _CHUNK)
        self._talk += chunk[: _MAX_TALK - len(self._talk)]
        if not chunk:
            self._selector.unregister(self._errors)
        return bool(chunk)

    def _ready(self, deadline: float) -> list[int]:
        return [key.fd for key, _ in self._selector.select(max(0.0, deadline - time.monotonic()))]

    def _check_silent(self, oid: str) -> None:
        """Git calls a damaged object missing, too, after saying on standard error what is wrong with it."""
        while self._errors in self._ready(0.0) and self._hear():
            pass
        if self._talk:
            raise self._unreadable(oid)

    def _died(self, oid: str, deadline: float) -> ObjectUnreadable:
        self._selector.unregister(self._output)
        while self._selector.get_map() and self._ready(deadline):
            self._hear()
        return self._unreadable(oid)

    def _unreadable(self, oid: str) -> ObjectUnreadable:
        said = self._talk.decode("utf-8", "replace").strip()
        return ObjectUnreadable(f"git cannot read object {oid}: {said or 'it ended without a word'}")


def _descriptors(process: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    streams = (process.stdin, process.stdout, process.stderr)
    first, second, third = (stream.fileno() for stream in streams if stream is not None)
    return first, second, third


def _end(process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> None:
    selector.close()
    process.kill()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_END_SECONDS)
