"""A small web site on loopback that records what it was asked, answers from a function, and can misbehave."""

import select
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import NamedTuple

_PATIENCE = 10.0
_TLS_HANDSHAKE = b"\x16"


class Asked(NamedTuple):
    """One request as the site saw it."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes = b""

    @property
    def text(self) -> str:
        return f"{self.method} {self.path}\n" + "\n".join(f"{name}: {value}" for name, value in self.headers.items())


class Reply(NamedTuple):
    """What the site does with one request."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    cut: int | None = None
    """Promise the whole body, send so many bytes of it, and close."""
    reset: bool = False
    """Break the connection without a word."""
    hold: float = 0.0
    """Seconds to wait before answering."""
    drip: float = 0.0
    """Seconds between single bytes of the body."""
    close: bool = False
    raw: bytes | None = None
    """Exactly these bytes and nothing else."""


Answer = Callable[[Asked], Reply]


class Site:
    """Serves until closed. ``answer`` may be replaced at any time."""

    def __init__(self, answer: Answer, context: ssl.SSLContext | None = None) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self.root_scheme = "http" if context is None else "https"
        self.context = context
        """With one, the site speaks TLS to who begins with it; plain HTTP to others, on the same port."""
        self._wake, self._woken = socket.socketpair()
        self._ending = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        # Bound and never listening: while nobody listens, the port is refused and still nobody else's.
        self._keeper = _bound(0)
        self.port: int = self._keeper.getsockname()[1]
        self._listener = self._listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def root(self) -> str:
        return f"{self.root_scheme}://127.0.0.1:{self.port}"

    @property
    def seen(self) -> str:
        """Everything that was asked, as text to search."""
        return "\n\n".join(asked.text for asked in self.asked)

    def refuse(self) -> None:
        """Stop listening: new connections are refused by the system."""
        self._listener.close()
        self._poke()

    def listen_again(self) -> None:
        if self._listener.fileno() == -1:
            self._listener = self._listen()
            self._poke()

    def pause(self, seconds: float) -> None:
        self._ending.wait(min(seconds, _PATIENCE))

    def close(self) -> None:
        self._ending.set()
        self._poke()
        self._thread.join(_PATIENCE)
        self._listener.close()
        self._keeper.close()
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(_PATIENCE)
        self._wake.close()
        self._woken.close()

    def _listen(self) -> socket.socket:
        listener = _bound(self.port)
        listener.listen(16)
        return listener

    def _poke(self) -> None:
        self._wake.send(b".")

    def _serve(self) -> None:
        while not self._ending.is_set():
            listener = self._listener
            watched = [self._woken] if listener.fileno() == -1 else [self._woken, listener]
            try:
                ready, _, _ = select.select(watched, [], [], _PATIENCE)
                if self._woken in ready:
                    self._woken.recv(64)
                elif ready:
                    self._begin(listener.accept()[0])
            except (OSError, ValueError):
                continue

    def _begin(self, connection: socket.socket) -> None:
        connection.settimeout(_PATIENCE)
        self._open.add(connection)
        thread = threading.Thread(target=self._talk, args=(connection,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _talk(self, connection: socket.socket) -> None:
        talking = connection
        try:
            if self.context is not None and connection.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE:
                talking = self.context.wrap_socket(connection, server_side=True)
                self._open.add(talking)
            _Handler(talking, ("127.0.0.1", 0), self)  # type: ignore[arg-type]
        except (OSError, ValueError):
            pass
        finally:
            for one in {connection, talking}:
                self._open.discard(one)
                with suppress(OSError):
                    one.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site  # type: ignore[assignment]

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["content-length"])))

    def _answer(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        self.server.asked.append(asked)
        reply = self.server.answer(asked)
        self.server.pause(reply.hold)
        self.close_connection = self.close_connection or reply.close or reply.cut is not None
        if reply.reset:
            self._reset()
        elif reply.raw is not None:
            self.wfile.write(reply.raw)
            self.close_connection = True
        else:
            self._send(reply)

    def do_CONNECT(self) -> None:
        asked = Asked(self.command, self.path, {name.lower(): value for name, value in self.headers.items()})
        self.server.asked.append(asked)
        self.close_connection = True
        reply = self.server.answer(asked)
        if reply.status != 200:
            self._send(reply)
            return
        self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        host, _, port = self.path.partition(":")
        with socket.create_connection((host, int(port)), _PATIENCE) as other:
            _relay(self.connection, other)

    def _send(self, reply: Reply) -> None:
        self.send_response_only(reply.status)
        names = {name.lower() for name, _ in reply.headers}
        for name, value in reply.headers:
            self.send_header(name, value)
        if not names & {"content-length", "transfer-encoding"} and reply.status not in {204, 304}:
            self.send_header("Content-Length", str(len(reply.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        body = reply.body if reply.cut is None else reply.body[: reply.cut]
        if not reply.drip:
            self.wfile.write(body)
            return
        for place in range(len(body)):
            self.wfile.write(body[place : place + 1])
            self.server.pause(reply.drip)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # The reader and writer files hold the socket open as well.
        self.rfile.close()
        self.connection.close()
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


def _relay(one: socket.socket, other: socket.socket) -> None:
    ends = {one: other, other: one}
    while True:
        ready, _, _ = select.select(list(ends), [], [], _PATIENCE)
        if not ready:
            return
        for end in ready:
            data = end.recv(65536)
            if not data:
                return
            ends[end].sendall(data)


@contextmanager
def serving(answer: Answer, context: ssl.SSLContext | None = None) -> Iterator[Site]:
    """Serve within the block."""
    site = Site(answer, context)
    try:
        yield site
    finally:
        site.close()


def json_reply(text: str = '{"ok":true}', status: int = 200, **headers: str) -> Reply:
    extra = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(status, (("Content-Type", "application/json; charset=utf-8"), *extra), text.encode())


def redirect(to: str, status: int = 302) -> Reply:
    return Reply(status, (("Location", to),))


def _bound(port: int) -> socket.socket:
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    one.bind(("127.0.0.1", port))
    return one
