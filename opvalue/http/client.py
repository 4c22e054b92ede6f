"""What the rest of the project knows of HTTP: reads with a bounded answer, and downloads against a cap.

Declarations only, no connection here. ``HttpxClient`` implements them; so does anything a test puts in its place.
Not offered: writing. Every read may be repeated, so it is repeated when it fails; a GraphQL query is a read as well.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol

from opvalue.identity import Digest

if TYPE_CHECKING:
    from opvalue.http.credentials import Credentials

GITHUB_JSON: Final = "application/vnd.github+json"
"""The media type GitHub's REST API asks its callers to accept."""


class Response(NamedTuple):
    """An answer, whole and in memory."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; repeated headers joined by a comma and a space."""
    body: bytes

    @property
    def media_type(self) -> str:
        """The type and subtype in lower case without parameters, empty when none was given."""
        return media_type(self.headers.get("content-type", ""))


class Ask(NamedTuple):
    """One read for evidence, as somebody else wants it asked."""

    method: str
    """``GET``, or ``POST`` for a GraphQL query. Not checked: that a posted document is a query; the caller does."""
    url: str
    """An absolute address at a known API."""
    accept: str = "*/*"
    api_version: str = ""
    """Empty for the one this program is written for."""
    body: bytes = b""
    """The JSON text of a ``POST``."""


class Download(NamedTuple):
    """What a download brought into the file: all of it, as the server sent it."""

    bytes: int
    sha256: Digest
    media_type: str
    """As the server named it, without parameters; empty when it did not. Not a promise about the bytes."""


class Client(Protocol):
    """Reads from the APIs of known hosts.

    Each method raises ``Offline``, ``NetworkFailed``, ``ServerFailed``, ``CertificateRefused``, ``ProxyRefused``,
    ``RateLimited``, ``SecondaryLimited``, ``TokenMissing``, ``TokenMalformed``, ``Unauthorized``, ``Forbidden``,
    ``RedirectDowngraded``, ``TooManyRedirects``, ``RedirectUnusable``, ``LinkRefused``, ``OutsideApi``.
    """

    @property
    def credentials(self) -> "Credentials":
        """Whose tokens are used, for errors that say whether one was sent and what was looked for (AR-08)."""
        ...

    def get(self, url: str, *, accept: str = GITHUB_JSON, etag: str | None = None) -> Response:
        """Read an absolute address at a known API; redirects are followed.

        Returned: any status but those of the errors, so 200, 304 (to ``etag``), 404, 410 and so on, which the caller
        judges. Also raises ``AnswerTooLarge``.
        """
        ...

    def exchange(self, ask: Ask, *, anonymous: bool, cap: int) -> Response:
        """Read on somebody else's behalf: without a token when ``anonymous``, at most ``cap`` bytes of unpacked body.

        Returned and repeated as ``get`` does. A query that is redirected raises ``RedirectUnusable``; an answer that
        says in a GraphQL error that a limit is reached is a limit. Also raises ``AnswerTooLarge``, and
        ``AnonymousRefused`` where a denial is due to the missing token.
        """
        ...

    def download(self, url: str, into: BinaryIO, *, cap: int) -> Download:
        """Stream what lies behind an absolute address at a known API into a seekable file, from its current position.

        A cut one is resumed or begun anew, each time with a fresh link from the API. On any failure the file is cut
        back to where it was. ``cap`` is in bytes. Not checked: what the bytes are; the caller looks at the media type
        and compares the digest. Also raises ``DownloadTooLarge``, ``DownloadAnswered``, ``AnswerEncoded`` and
        ``opvalue.atomic.OutputUnwritable``.
        """
        ...


def media_type(content_type: str) -> str:
    """Return the type and subtype of a Content-Type value in lower case, without its parameters."""
    return content_type.partition(";")[0].strip().lower()
