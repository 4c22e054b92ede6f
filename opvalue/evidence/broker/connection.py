"""One connection from the child: read one request, send one answer, see whether it was taken.

Every wait has an end. That an answer was taken is seen in how the other side closes: where it leaves bytes unread,
Linux says so. Not seen here: whether it was printed, which the stand-in says itself (``grading``).
"""

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from opvalue.evidence.broker.errors import (
    AnswerNotTaken,
    RequestCut,
    RequestSlow,
    RequestTooLarge,
    RequestUnclear,
)
from opvalue.evidence.broker.head import END, parse
from opvalue.evidence.broker.ledger import Failure
from opvalue.evidence.broker.policy import Received
from opvalue.evidence.exchange import Answer
from opvalue.limits import Limits

_CHUNK: Final = 64 * 1024
_LOOK_SECONDS: Final = 0.05
"""Between looks at whether an answer was read whole, where that can be seen before the other side closes."""

_REFUSING_SECONDS: Final = 1.0
"""For a refusal to be sent to somebody who may not read at all."""
_REFUSED_STATUS: Final = "599 Not Observed"
_REASONS: Final = {200: "OK", 404: "Not Found", 409: "Conflict", 410: "Gone", 422: "Unprocessable Entity"}


class Connection:
    """A connected socket. Close it."""

    def __init__(self, peer: socket.socket, limits: Limits) -> None:
        self._peer = peer
        self._limits = limits
        self.is_asking = False
        """Whether the answer is being looked for, which nothing here can end."""

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Look for the answer within the block."""
        self.is_asking = True
        try:
            yield
        finally:
            self.is_asking = False

    def receive(self) -> Received:
        """Return the one request that comes.

        Raises ``RequestUnclear``, ``RequestCut``, ``RequestSlow``, ``RequestTooLarge``.
        """
        end = time.monotonic() + self._limits.evidence_request_seconds
        data = bytearray()
        most = self._limits.evidence_head_bytes
        while (place := data.find(END)) < 0:
            if len(data) > most:
                raise RequestTooLarge("the head of a request is too large", expected=f"at most {most} bytes")
            data += self._some(end, "head" if data else "first byte")
        if place > most:
            raise RequestTooLarge("the head of a request is too large", expected=f"at most {most} bytes")
        head = parse(bytes(data[:place]), most=self._limits.evidence_body_bytes)
        body = data[place + len(END) :]
        while len(body) < head.length:
            body += self._some(end, "body")
        if len(body) > head.length:
            raise RequestUnclear("something follows a request", expected="one request a connection")
        return Received(head, bytes(body))

    def send(self, answer: Answer | Failure | None) -> None:
        """Send an answer, or nothing but that a note was taken, and see it taken. Raises ``AnswerNotTaken``.

        A failure has stuck already: it is said to whoever still listens.
        """
        if isinstance(answer, Failure):
            self._refuse(answer)
            return
        head, body = _answered(answer)
        end = time.monotonic() + self._limits.evidence_taking_seconds
        try:
            self._send_all(head, end)
            self._send_all(body, end)
            self._peer.shutdown(socket.SHUT_WR)
            self._see_taken(end)
        except TimeoutError:
            raise AnswerNotTaken("an answer was not taken in time", found=f"{len(body)} bytes") from None
        except OSError:
            raise AnswerNotTaken("an answer was not taken whole", found=f"{len(body)} bytes") from None

    def _refuse(self, failure: Failure) -> None:
        body = f"{failure.message} [{failure.code}]\n".encode()
        head = _head(_REFUSED_STATUS, (("content-type", "text/plain; charset=utf-8"),), len(body))
        with suppress(OSError):
            self._send_all(head + body, time.monotonic() + _REFUSING_SECONDS)

    def cut(self) -> None:
        """End whatever is under way, from another thread."""
        with suppress(OSError):
            self._peer.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the socket."""
        self._peer.close()

    def _some(self, end: float, missing: str) -> bytes:
        try:
            self._peer.settimeout(_left(end))
            data = self._peer.recv(_CHUNK)
        except TimeoutError:
            raise RequestSlow(f"the {missing} of a request did not come in time") from None
        except OSError:
            data = b""
        if not data:
            raise RequestCut(f"a request ended before its {missing} was there")
        return data

    def _send_all(self, data: bytes, end: float) -> None:
        # A timeout of sendall would begin anew with each part.
        rest = memoryview(data)
        while rest:
            self._peer.settimeout(_left(end))
            rest = rest[self._peer.send(rest[:_CHUNK]) :]

    def _see_taken(self, end: float) -> None:
        """Wait until the other side has closed, or has read all. Raises ``OSError`` where it has not."""
        while True:
            self._peer.settimeout(min(_left(end), _LOOK_SECONDS))
            try:
                more = self._peer.recv(1)
            except TimeoutError:
                if _unread(self._peer) == 0:
                    return
                continue
            if more:
                raise AnswerNotTaken("something came after a request", found="bytes that are no request")
            return


def _left(end: float) -> float:
    """Return the seconds until ``end``. Raises ``TimeoutError``."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _unread(peer: socket.socket) -> int | None:
    """Return how much of what was sent waits to be read; ``None`` where the system does not say."""
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415 - a fast reader has closed before this is asked
    import termios  # noqa: PLC0415

    try:
        return int.from_bytes(fcntl.ioctl(peer.fileno(), termios.TIOCOUTQ, bytes(4)), sys.byteorder)
    except (OSError, ValueError):
        # ValueError is what a closed socket's number makes.
        return None


def _answered(answer: Answer | None) -> tuple[bytes, bytes]:
    """Return head and body as they are sent."""
    if answer is None:
        return _head("204 No Content", (), 0), b""
    status = f"{answer.status} {_REASONS.get(answer.status, '')}".rstrip()
    return _head(status, answer.headers, len(answer.body)), answer.body


def _head(status: str, headers: tuple[tuple[str, str], ...], length: int) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join((*lines, f"content-length: {length}", "connection: close", "", "")).encode("latin-1", "replace")
