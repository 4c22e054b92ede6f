"""A broker on a socket, a source that answers from a table, and a child that speaks bare HTTP."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from opvalue.errors import OpvalueError
from opvalue.evidence.broker import Broker, Recorded, Source
from opvalue.evidence.bundle import Bundle, Header, Profile, read_bundle, write
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.evidence.scope import Scope
from opvalue.identity import GITHUB, Digest, Instant
from opvalue.limits import Limits

NOW = Instant.parse("2026-08-30T12:00:00Z")
WIDGETS = Scope(frozenset({"acme/widgets"}), frozenset({42}))
REPOSITORY = "/repos/acme/widgets"
JSON = "application/json; charset=utf-8"
PATIENCE = 20.0


class Said(NamedTuple):
    """What the child was answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Reply = Answer | OpvalueError | Callable[[Request], Answer]


def answer(value: Any = None, status: int = 200, **headers: str) -> Answer:
    """Return an answer; ``value`` is its JSON, or bytes of no known kind."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    usual = "application/octet-stream" if isinstance(value, bytes) else JSON
    named = {"content-type": usual, **{name.replace("_", "-"): text for name, text in headers.items()}}
    return Answer(status, tuple(sorted(named.items())), body)


def next_page(target: str) -> str:
    """Return a Link header that names a next page."""
    address = target if "://" in target else f"https://api.github.com{target}"
    return f'<{address}>; rel="next", <https://api.github.com/x?page=9>; rel="last"'


class Table:
    """A source that answers from a table by target. The declared repository is there; nothing else is."""

    def __init__(self, replies: Mapping[str, Reply] | None = None) -> None:
        self.replies: dict[str, Reply] = {REPOSITORY: answer({"id": 42}), **(replies or {})}
        self.asked: list[tuple[str, bool]] = []
        self._lock = threading.Lock()

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:
        with self._lock:
            self.asked.append((request.target, authorised))
        reply = self.replies.get(request.target, answer({"message": "Not Found"}, 404))
        if isinstance(reply, OpvalueError):
            raise reply
        return Exchange(request, reply if isinstance(reply, Answer) else reply(request), None, NOW)

    @property
    def targets(self) -> list[str]:
        return [target for target, _ in self.asked]


class Child:
    """Speaks to the broker's socket."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def connect(self) -> socket.socket:
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        peer.settimeout(PATIENCE)
        peer.connect(str(self.path))
        return peer

    def raw(self, data: bytes) -> bytes:
        """Send bytes, and return all that comes back. A broker that has heard enough may stop listening."""
        with self.connect() as peer:
            try:
                peer.sendall(data)
                peer.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            return _all(peer)

    def ask(self, method: str, target: str, body: bytes = b"", **headers: str) -> Said:
        """Send one request and return its answer."""
        named = {"Host": "github.com", **{name.replace("_", "-"): text for name, text in headers.items()}}
        if method == "POST":
            named.setdefault("Content-Type", JSON)
        named["Content-Length"] = str(len(body))
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {text}" for name, text in named.items()), "", ""]
        return said(self.raw("\r\n".join(lines).encode() + body))

    def get(self, target: str, **headers: str) -> Said:
        return self.ask("GET", target, b"", **headers)

    def query(self, document: str, **variables: Any) -> Said:
        return self.ask("POST", "/graphql", json.dumps({"query": document, "variables": variables}).encode())


def _all(peer: socket.socket) -> bytes:
    data = bytearray()
    try:
        while more := peer.recv(1 << 16):
            data += more
    except ConnectionResetError:
        pass
    return bytes(data)


def said(data: bytes) -> Said:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert first.startswith("HTTP/1.1 "), first
    assert headers["connection"] == "close"
    assert int(headers["content-length"]) == len(body)
    return Said(int(first.split(" ")[1]), headers, body)


@contextmanager
def listening(source: Source, *, limits: Limits | None = None, **more: Any) -> Iterator[tuple[Broker, Child]]:
    """Give a broker that listens, and a child of it."""
    more = {"scope": WIDGETS, "host": GITHUB, **more}
    broker = Broker(source, limits=limits or Limits(), **more)
    with TemporaryDirectory(prefix="b") as folder:
        path = Path(folder) / "socket"
        with broker.listen(path):
            yield broker, Child(path)
        assert not path.exists()


def replayed(broker: Broker) -> Recorded:
    """Return what a grading recorded, after it was a file."""
    some = Digest.of(b"")
    header = Header(GITHUB, 42, "123", 1, some, some, (NOW,), not broker.failures, (), Profile("gh-2.48", "jq-1.7.1"))
    return Recorded(read_bundle(write(Bundle.of(header, broker.exchanges))))


def own_threads() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name.startswith("broker")]


def wait_for(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def codes(broker: Broker) -> list[str]:
    return [failure.code for failure in broker.failures]


def only_failure(broker: Broker, code: str) -> str:
    """Return the message of the one failure, which has this code."""
    (failure,) = broker.failures
    assert failure.code == code, failure
    assert "\n" not in failure.message
    return failure.message
