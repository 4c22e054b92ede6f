"""One request for evidence and its answer, in the one spelling that is compared, recorded and replayed (DESIGN 5).

Pure values. Not decided here: whose evidence it is and whether a GraphQL document only reads (``scope``), and what is
secret (``redaction``). Nothing is sent.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from opvalue.errors import printable
from opvalue.evidence.address import GRAPHQL_PATH, below_root
from opvalue.evidence.errors import BodyUnexpected, HeaderUnclear, NotARead
from opvalue.identity import Digest, Host, Instant
from opvalue.limits import Limits

ANYTHING: Final = "*/*"
"""The media type of a request that names none."""

RECORDED_HEADERS: Final = frozenset({"content-type", "link", "x-github-media-type"})
"""The headers of an answer that are kept. All others vary with the time, the token or the server."""

_MAX_ACCEPT: Final = Limits().accept_characters
_SHOWN: Final = 160

_MEDIA_TYPES = re.compile(r"[\x20-\x7e]*")
_VERSION = re.compile(r"[0-9A-Za-z.-]{0,32}")
_DATE = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?:0[1-9]|[12][0-9]|3[01]) "
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} "
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60) GMT",
    re.ASCII,
)
_LINK_ADDRESS = re.compile(r"<([^<>]*)>")


class Request(NamedTuple):
    """One HTTP request, normalised. Equal requests have equal answers within one snapshot."""

    method: str
    """``GET``, or ``POST`` for GraphQL."""
    path: str
    """Below the API root; begins with ``/``. GraphQL is ``/graphql`` on every host."""
    query: str
    """The query string without ``?``, in the order it was given; empty for none."""
    accept: str
    """The media types asked for; ``*/*`` when none is named."""
    api_version: str
    """The version asked for, such as ``2022-11-28``; empty for none."""
    body: bytes
    """Empty for ``GET``."""

    def key(self) -> tuple[str, str, str, str, str, str]:
        """Return what identifies the request and sorts it: all of it, the body by its SHA-256."""
        return (self.method, self.path, self.query, self.accept, self.api_version, Digest.of(self.body).hex)

    @property
    def id(self) -> str:
        """The SHA-256 of the key's parts, a line each: a short name of the request in every bundle that has it."""
        return Digest.of("".join(f"{part}\n" for part in self.key()).encode()).hex

    @property
    def target(self) -> str:
        """The path with its query, below the API root."""
        return f"{self.path}?{self.query}" if self.query else self.path

    def address(self, host: Host) -> str:
        """Return the absolute address on ``host``."""
        return host.graphql_url if self.path == GRAPHQL_PATH else host.api_url + self.target

    def described(self) -> str:
        """Return a short text for people, printable: ``GET /repos/acme/widgets/issues?page=2``."""
        text = f"{self.method} {self.target}"
        if self.body:
            text += f" {Digest.of(self.body).hex[:12]}"
        return printable(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


class Answer(NamedTuple):
    """What the server said, as far as it is kept."""

    status: int
    """The HTTP status, after redirects."""
    headers: tuple[tuple[str, str], ...]
    """Those of ``RECORDED_HEADERS`` that were there: lower-case names, sorted; see ``kept_headers``."""
    body: bytes
    """The body, redacted."""

    def header(self, name: str) -> str | None:
        """Return the value of the header ``name`` (lower case), or ``None``."""
        return next((value for found, value in self.headers if found == name), None)


class Exchange(NamedTuple):
    """A request, its answer, and when it was given."""

    request: Request
    answer: Answer
    server_date: str | None
    """The server's ``Date`` header, where it is one: see ``http_date``. For people; nothing is decided by it."""
    observed_at: Instant
    """The recorder's clock when the answer was whole."""


def normalise(method: str, target: str, *, host: Host, accept: str, api_version: str, body: bytes) -> Request:
    """Return the request an evaluator means, or raise the ``RequestRefused`` that names why it is none.

    ``target`` is a path below the API root with its query, or an absolute address on the API's own origin and below
    its root. Not checked: whether a GraphQL body only reads (``scope.check_read``).
    """
    if method not in {"GET", "POST"}:
        raise NotARead("the method is not a read", expected="GET, or POST to graphql", found=repr(method[:20]))
    path, query = below_root(target, host)
    # GraphQL over GET would carry its document, and so a mutation, in the query.
    if (method == "POST") != (path == GRAPHQL_PATH) or (method == "POST" and query):
        raise NotARead(
            "a POST goes to graphql, and nothing else does",
            expected="GET, or POST to graphql without a query string",
            found=f"{method} {path[:80]}",
        )
    if method == "GET" and body:
        raise BodyUnexpected("a GET carries a body", expected="no body", found=f"{len(body)} bytes")
    return Request(method, path, query, _media_types(accept), _version(api_version), body)


def plain(text: str) -> str:
    """Return ``text`` on one line that steers no terminal: tabs and line feeds as spaces, the rest escaped."""
    return printable(text.translate({ord("\t"): " ", ord("\n"): " "}))


def http_date(text: str | None) -> str | None:
    """Return ``text`` when it is a date of HTTP (RFC 9110, IMF-fixdate), else ``None``: free text may hold anything.

    Not checked: that the month has such a day, and the day such a name.
    """
    return text if text is not None and _DATE.fullmatch(text) else None


def kept_headers(headers: Iterable[tuple[str, str]], *, host: Host, root: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of an answer that are recorded: lower-case names, sorted, repeated ones joined with commas.

    ``root`` is the API root the answer came from. Addresses below it in ``Link`` are written below the root that
    ``host`` has by rule, so that a record does not tell where the API was reached. Not done here: redaction.
    """
    found: dict[str, str] = {}
    for given, text in headers:
        name, value = given.lower(), plain(text.strip())
        if name in RECORDED_HEADERS:
            found[name] = f"{found[name]}, {value}" if name in found else value
    if "link" in found:
        found["link"] = _LINK_ADDRESS.sub(lambda link: f"<{_moved(link[1], root, host.api_url)}>", found["link"])
    return tuple(sorted(found.items()))


def _moved(address: str, root: str, to: str) -> str:
    rest = address.removeprefix(root)
    return to + rest if rest != address and rest[:1] in {"/", "?"} else address


def _media_types(text: str) -> str:
    text = text.strip(" \t")
    if len(text) > _MAX_ACCEPT or not _MEDIA_TYPES.fullmatch(text):
        raise HeaderUnclear("the media type asked for is too long or not plain text", found=repr(text[:80]))
    return text or ANYTHING


def _version(text: str) -> str:
    text = text.strip(" \t")
    if not _VERSION.fullmatch(text):
        raise HeaderUnclear(
            "the API version asked for is not one", expected="such as 2022-11-28", found=repr(text[:80])
        )
    return text
