"""What the rest of the project knows of HTTP: reads with a bounded answer, and downloads against a cap.

Declarations only, no connection here. ``HttpxClient`` implements them; so does anything a test puts in its place.
Not offered: writing. Every read may be repeated, so it is repeated when it fails.
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


class Download(NamedTuple):
    """What a download brought into the file: all of it, as the server sent it."""

    bytes: int
    sha256: Digest
    media_type: str
    """As the server named it, without parameters; empty when it did not. Not a promise about the bytes."""


class Client(Protocol):
    """Reads from the APIs of known hosts.

    Either method raises ``Offline``, ``NetworkFailed``, ``ServerFailed``, ``CertificateRefused``, ``ProxyRefused``,
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
