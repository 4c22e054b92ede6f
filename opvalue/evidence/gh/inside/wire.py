"""The conversation with the broker: bare HTTP/1.1 over its socket, one exchange a connection.

Each request for evidence names the command it is part of. When the command has printed what it had to, it says so: one
that is ended between reading and printing leaves the broker without that word.
"""

import posix
from _socket import AF_UNIX, SOCK_STREAM, socket

from .failure import Failed
from .streams import native

NOT_OBSERVED = 599
"""The broker's own word that there is no answer; its body says why, in one line."""
_CHUNK = 1 << 16
_LONGEST_NAME = 100
_NO_MORE = 24  # EMFILE, on every system
# Long enough to see what was asked, short enough for a line of a report.
_TOLD = 1000


class Answer:
    """What came back. Header names are as sent."""

    __slots__ = ("body", "headers", "reason", "status")

    def __init__(self, status: int, reason: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body

    def header(self, name: str) -> str:
        """Return the first header of that name (in lower case), or nothing."""
        return next((value for found, value in self.headers if found.lower() == name), "")


class Broker:
    """The broker, by the folder that holds its socket."""

    __slots__ = ("command", "folder")

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.command = ""
        """The name of this command, once it has asked for evidence."""

    def ask(self, method: str, target: str, headers: "list[tuple[str, str]]", body: bytes) -> Answer:
        """Ask for evidence: as ``exchange``, and from now on this command has something to print."""
        self.command = self.command or posix.urandom(12).hex()
        return self.exchange(method, target, [*headers, ("Opvalue-Command", self.command)], body)

    def printed(self) -> None:
        """Tell the broker that nothing of what was read is to be printed any more."""
        if self.command:
            self.tell("printed", self.command)

    def exchange(self, method: str, target: str, headers: "list[tuple[str, str]]", body: bytes = b"") -> Answer:
        """Send one request and return its whole answer. Raises ``Failed``, also when the broker has no answer."""
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        head = native("\r\n".join(lines)) + b"\r\n\r\n"
        try:
            connection = self._connect()
            try:
                _send(connection, head + body)
                answer = _receive(connection, bodiless=method == "HEAD")
            finally:
                connection.close()
        except OSError as error:
            why = error.strerror or "the connection failed"
            raise Failed(f"gh: no word from the evidence broker: {why}") from None
        if answer is None:
            raise Failed("gh: the evidence broker's answer was cut short")
        if answer.status == NOT_OBSERVED:
            line = answer.body.decode("utf-8", "replace").strip()
            raise Failed(f"gh: {line or 'the evidence broker has no answer'}")
        return answer

    def tell(self, matter: str, text: str) -> None:
        """Tell the broker what is the matter, so that it counts whatever the script makes of it."""
        body = native(text)[:_TOLD]
        try:
            self.exchange("POST", f"opvalue:{matter}", [("Content-Type", "text/plain; charset=utf-8")], body)
        except Failed:
            return  # Nobody there to be told; the command fails all the same.

    def _connect(self) -> socket:
        connection = _new_socket()
        try:
            name = f"{self.folder}/socket"
            if len(native(name)) <= _LONGEST_NAME:
                connection.connect(native(name))
            else:
                _connect_from_within(connection, self.folder)
        except OSError:
            connection.close()
            raise
        return connection


def _new_socket() -> socket:
    try:
        return socket(AF_UNIX, SOCK_STREAM)
    except OSError as error:
        if error.errno != _NO_MORE:
            raise
    # The script left no descriptor. What matters more than standard input is that the broker hears of it.
    posix.close(0)
    return socket(AF_UNIX, SOCK_STREAM)


def _connect_from_within(connection: socket, folder: str) -> None:
    """Connect by the plain name: the system takes no longer ones."""
    here = posix.open(".", posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        posix.chdir(native(folder))
        try:
            connection.connect(b"socket")
        finally:
            posix.fchdir(here)
    finally:
        posix.close(here)


def _send(connection: socket, data: bytes) -> None:
    try:
        connection.sendall(data)
    except BrokenPipeError:
        return  # The broker may refuse before it has read everything; what it says is what counts.


def _receive(connection: socket, *, bodiless: bool) -> "Answer | None":
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(_CHUNK)
        if not part:
            return None
        received += part
    head, _, rest = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("utf-8", "surrogateescape").split("\r\n")
    status, _, reason = first.partition(" ")[2].partition(" ")
    pairs = (line.partition(":") for line in lines)
    headers = [(name, value.strip()) for name, _, value in pairs]
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    if len(status) != 3 or not status.isdecimal() or len(lengths) != 1 or not lengths[0].isdecimal():
        # Without a length nobody knows whether the answer is whole.
        return None
    length = int(lengths[0])
    parts, missing = [rest], length - len(rest)
    while missing > 0 and not bodiless:
        part = connection.recv(min(missing, 1 << 20))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return Answer(int(status), reason, headers, b"".join(parts)[:length])
