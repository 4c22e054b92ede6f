"""The made-up server over loopback HTTP: one port for the API, one for the blob store, one for a stranger.

Bounded and self-ending: a fixed number of requests, a deadline for each connection, and threads that end with the
process. Every port also answers as a plain HTTP proxy, so that a client may reach made-up names such as
``api.github.localhost`` through it. For tests that allow loopback sockets.
"""

import os
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

from tests.sim.sim import Sim
from tests.sim.wire import Fault, FaultKind, Reply, Request

LOOPBACK: Final = "127.0.0.1"
PROXIED_HOST: Final = "github.localhost"
"""``GH_HOST`` for a client that goes through ``proxy_url``; gh speaks plain HTTP to it."""
PROXIED_BLOBS: Final = "http://blobs.example"
"""Not below ``localhost``: gh sends its token to every name there."""
_SECONDS: Final = 30.0
_MAX_REQUESTS: Final = 20_000
_MAX_BODY: Final = 1 << 20
_MOST_BYTES: Final = 4 << 30
_BODILESS: Final = frozenset({204, 304})


class SimServer:
    """Serves ``sim`` while the context is open. With ``proxied`` signed links lead to a name behind the proxy."""

    def __init__(self, sim: Sim, *, proxied: bool = False) -> None:
        self.sim = sim
        self._lock = threading.Lock()
        self._servers = [_Server(self) for _ in range(3)]
        self._threads: list[threading.Thread] = []
        self.api_url, self.blob_url, self.stranger_url = (server.url for server in self._servers)
        self.proxy_url = self.api_url
        self.blob_origin = PROXIED_BLOBS if proxied else self.blob_url

    def __enter__(self) -> Self:
        self._before = (self.sim.blob_origin, set(self.sim.api_origins))
        self.sim.blob_origin = self.blob_origin
        self.sim.api_origins |= {self.api_url, f"http://api.{PROXIED_HOST}", f"http://{PROXIED_HOST}"}
        for server in self._servers:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
            thread.start()
            self._threads.append(thread)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join(_SECONDS)
        self.sim.blob_origin, self.sim.api_origins = self._before

    def reply(self, request: Request) -> Reply | None:
        """Return the answer, or ``None`` when this server has served enough."""
        with self._lock:
            return self.sim.handle(request) if len(self.sim.requests) < _MAX_REQUESTS else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A handler that sleeps through a slow body must not hold up the end of a test.
    block_on_close = False

    def __init__(self, owner: SimServer) -> None:
        super().__init__((LOOPBACK, 0), _Handler)
        self.owner = owner
        self.url = f"http://{LOOPBACK}:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when a client goes away: tests of bounds do that on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _SECONDS
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name the base class has
        """Keep the terminal quiet."""

    def _serve(self) -> None:
        body = self._body()
        headers = dict(self.headers.items())
        absolute = self.path if "://" in self.path else f"http://{self.headers.get('host', '')}{self.path}"
        reply = self.server.owner.reply(Request.to(absolute, headers, method=self.command, body=body))
        fault = None if reply is None else reply.fault
        if reply is None or (fault is not None and not self._survives(fault)):
            self.close_connection = True
            return
        self._send(reply)

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(min(int(self.headers.get("content-length") or 0), _MAX_BODY))
        parts = []
        while size := int(self.rfile.readline(64), 16):
            parts.append(self.rfile.read(min(size, _MAX_BODY)))
            self.rfile.readline(64)
        self.rfile.readline(64)
        return b"".join(parts)

    def _survives(self, fault: Fault) -> bool:
        if fault.kind is FaultKind.DELAYED:
            time.sleep(min(fault.seconds, _SECONDS))
        elif fault.kind is FaultKind.RESET:
            self._reset()
        return fault.kind in {FaultKind.DELAYED, FaultKind.CUT, FaultKind.ENDLESS}

    def _reset(self) -> None:
        # The base class would say goodbye first; only a socket taken from it ends with a reset.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())

    def _send(self, reply: Reply) -> None:
        body = memoryview(reply.body)
        kind = None if reply.fault is None else reply.fault.kind
        promised = len(body) if reply.length is None else reply.length
        unbounded = kind is FaultKind.ENDLESS and reply.length is None
        if kind is FaultKind.CUT:
            body = body[: len(body) // 2]
        self.send_response_only(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status not in _BODILESS and not unbounded:
            self.send_header("content-length", str(promised))
        self.end_headers()
        if kind is FaultKind.ENDLESS:
            self._send_on(body, _MOST_BYTES if unbounded else promised)
        else:
            self._send_body(body, reply)
        if len(body) < promised or kind in {FaultKind.CUT, FaultKind.ENDLESS}:
            self.close_connection = True

    def _send_on(self, body: memoryview, most: int) -> None:
        for _ in range(-(-most // max(len(body), 1))):
            self.wfile.write(body)

    def _send_body(self, body: memoryview, reply: Reply) -> None:
        for start in range(0, len(body), reply.chunk):
            if reply.pause and start:
                time.sleep(min(reply.pause, _SECONDS))
            self.wfile.write(body[start : start + reply.chunk])
