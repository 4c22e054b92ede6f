"""What passes between a client and the made-up server, however it travels. Pure values."""

import enum
import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qsl, unquote, urlsplit

JSON_TYPE = "application/json; charset=utf-8"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class FaultKind(enum.Enum):
    """How a transport fails on the way back."""

    REFUSED = "refused"
    """The connection ends before a byte of the answer."""
    RESET = "reset"
    """The connection is reset."""
    CUT = "cut"
    """The head and half of the body arrive, then the connection ends."""
    DELAYED = "delayed"
    """The answer comes whole, after ``seconds``."""
    ENDLESS = "endless"
    """The body comes over and over, of no length or of the one the head promises, until the client has enough."""


class Fault(NamedTuple):
    """One failure of the transport."""

    kind: FaultKind
    seconds: float = 0.0


class Request(NamedTuple):
    """One request as the server understood it. Header names are in lower case; ``query`` keeps its order."""

    method: str
    scheme: str
    host: str
    """With the port, unless it is the scheme's own."""
    path: str
    """Percent signs decoded."""
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    body: bytes = b""
    """What was posted."""

    @classmethod
    def to(cls, url: str, headers: Mapping[str, str] | None = None, *, method: str = "GET", body: bytes = b"") -> Self:
        """Return the request for ``url``."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.port is not None and parts.port != _DEFAULT_PORTS.get(parts.scheme):
            host = f"{host}:{parts.port}"
        query = tuple(parse_qsl(parts.query, keep_blank_values=True))
        lowered = {name.lower(): value for name, value in (headers or {}).items()}
        return cls(method, parts.scheme, host, unquote(parts.path) or "/", query, lowered, body)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.host}"

    @property
    def token(self) -> str | None:
        """The credential that came along, or ``None``."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token if scheme.lower() in {"bearer", "token"} and token else None

    def argument(self, name: str, default: str = "") -> str:
        """Return a query argument."""
        return dict(self.query).get(name, default)


class Reply(NamedTuple):
    """One answer. ``fault`` tells the transport to fail on the way; ``chunk`` and ``pause`` make the body slow."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; the length is added by the transport."""
    body: bytes | memoryview = b""
    fault: Fault | None = None
    chunk: int = 1 << 16
    pause: float = 0.0
    length: int | None = None
    """The length the head promises; the body's own when ``None``. A longer one makes a cut body."""

    @classmethod
    def of(cls, value: Any, status: int = 200, **headers: str) -> Self:
        """Return a JSON answer."""
        return cls(status, {"content-type": JSON_TYPE, **headers}, json.dumps(value).encode())

    @classmethod
    def problem(cls, status: int, message: str, **headers: str) -> Self:
        """Return GitHub's usual error document."""
        document = {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
        return cls.of(document, status, **headers)

    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(bytes(self.body))

    def with_header(self, name: str, value: str) -> Self:
        """Return the answer with one more header."""
        return self._replace(headers={**self.headers, name: value})


# Answers a whole host gives, whatever is asked of it.


def primary_limit(reset: int) -> Reply:
    """The hourly quota is used up; it is renewed at ``reset``, in seconds since 1970."""
    return Reply.problem(403, "API rate limit exceeded for user ID 1.")._replace(
        headers={
            "content-type": JSON_TYPE,
            "x-ratelimit-limit": "5000",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": str(reset),
        }
    )


def secondary_limit(retry_after: str | None = None, *, status: int = 403) -> Reply:
    """Too many requests in a short time; with or without a word on how long to wait (HB-05)."""
    reply = Reply.problem(status, "You have exceeded a secondary rate limit. Please wait a few minutes.")
    return reply if retry_after is None else reply.with_header("retry-after", retry_after)
