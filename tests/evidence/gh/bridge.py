"""A broker for tests: the wire between the stand-in and its broker, bridged to the made-up GitHub.

No scope, no rules, no recording; redirects are followed and headers are cut to an allow-list, as the real one does.
"""

import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from opvalue.identity import Host
from tests.sim import Fault, Reply, Request, Sim

_ALLOWED: Final = frozenset({"content-type", "link", "etag", "last-modified"})
_REASONS: Final = {
    200: "OK",
    201: "Created",
    204: "No Content",
    304: "Not Modified",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    410: "Gone",
    422: "Unprocessable Entity",
    500: "Internal Server Error",
}
_MAX_HOPS: Final = 5
_PRINTED: Final = b"POST opvalue:printed "
_TAKEN: Final = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"


class Bridge:
    """Listens on ``folder/socket`` while the context is open."""

    def __init__(self, sim: Sim, folder: Path, host: Host) -> None:
        self._sim = sim
        self._host = host
        self._lock = threading.Lock()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / "socket"))
        self._listening.listen(64)
        self.told: list[str] = []
        """What stand-ins said they cannot serve."""
        self.heads: list[bytes] = []
        """The head of every request, as sent; not of what says only that a command has printed."""
        self.raw: bytes | None = None
        """Sent in place of every answer, if given."""
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._sim.api_origins.add(Request.to(self._host.api_url).origin)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(10)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(20)
            head, body = _read(connection)
            with self._lock:
                answer = _TAKEN if head.startswith(_PRINTED) else self._noted(head, body)
            try:
                connection.sendall(answer)
            except OSError:
                return

    def _noted(self, head: bytes, body: bytes) -> bytes:
        self.heads.append(head)
        return self.raw if self.raw is not None else self._respond(head, body)

    def _respond(self, head: bytes, body: bytes) -> bytes:
        first, *lines = head.decode().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if target.startswith("opvalue:"):
            self.told.append(f"{target.removeprefix('opvalue:')} {body.decode()}")
            return _TAKEN
        if headers.pop("host") != self._host.name:
            return _refused(f"{target} is of another host")
        return self._ask(method, self._url(target), headers, body)

    def _url(self, target: str) -> str:
        if target == "/graphql":
            return self._host.graphql_url
        return target if "://" in target else self._host.api_url + target

    def _ask(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
        for _ in range(_MAX_HOPS):
            reply = self._sim.handle(Request.to(url, headers, method=method, body=body))
            if isinstance(reply.fault, Fault):
                return _refused("the connection failed")
            if reply.status not in {301, 302, 307, 308}:
                return _written(reply)
            url = reply.headers["location"]
        return _refused("too many redirects")


def _read(connection: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return data, b""
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    length = next((int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")), 0)
    while len(body) < length and (part := connection.recv(65536)):
        body += part
    return head, body


def _written(reply: Reply) -> bytes:
    lines = [f"HTTP/1.1 {reply.status} {_REASONS[reply.status]}"]
    lines += [f"{name.title()}: {value}" for name, value in reply.headers.items() if name in _ALLOWED]
    lines += [f"Content-Length: {len(reply.body)}", "Connection: close"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + bytes(reply.body)


def _refused(line: str) -> bytes:
    head = f"HTTP/1.1 599 Not Observed\r\nContent-Type: text/plain\r\nContent-Length: {len(line)}\r\n\r\n"
    return f"{head}{line}".encode()
