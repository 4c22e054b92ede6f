"""Why a read over HTTP gave no answer. One class a cause.

No error of this room holds a token, a signed link or a query: addresses are named by their origin alone.
"""

from typing import TYPE_CHECKING

from opvalue.errors import Kind, OpvalueError

if TYPE_CHECKING:
    from opvalue.http.client import Response


class Offline(OpvalueError):
    """A read needs the network and --offline forbids it; no socket was opened."""

    code = "http.offline"
    kind = Kind.NOT_OBSERVED
    advice = "Run without --offline."

    def __init__(self, message: str, *, otherwise: str = "") -> None:
        """``otherwise`` is what the command at hand takes in place of the network, where it takes anything."""
        hint = f"{self.advice.removesuffix('.')}, or {otherwise}." if otherwise else None
        super().__init__(message, expected="no --offline", found="--offline", hint=hint)


class NetworkFailed(OpvalueError):
    """No whole answer came after every try: no connection, a reset, a cut or silent one, or no such name."""

    code = "http.network-failed"
    kind = Kind.NOT_OBSERVED
    advice = "Check the connection and HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and run the command again."


class ServerFailed(OpvalueError):
    """The server answered with an error of its own (5xx and the like) after every try."""

    code = "http.server-failed"
    kind = Kind.NOT_OBSERVED
    advice = "Run the command again later; https://www.githubstatus.com tells of outages of github.com."


class CertificateRefused(OpvalueError):
    """The server's certificate is not one that this machine trusts."""

    code = "http.certificate-refused"
    kind = Kind.NOT_OBSERVED
    advice = "Point SSL_CERT_FILE at the certificate authority of your enterprise server or proxy."


class CertificatesUnusable(OpvalueError):
    """SSL_CERT_FILE, SSL_CERT_DIR or REQUESTS_CA_BUNDLE names something that holds no certificates."""

    code = "http.certificates-unusable"
    kind = Kind.USAGE
    advice = "Point the variable at a file of PEM certificates (or a folder of them), or unset it."


class ProxyRefused(OpvalueError):
    """The proxy wants another login than the one in its address, or none was given."""

    code = "http.proxy-refused"
    kind = Kind.NOT_OBSERVED
    advice = "Put the login into HTTPS_PROXY or HTTP_PROXY, or name the host in NO_PROXY."


class ProxyUnusable(OpvalueError):
    """A proxy variable holds something that is not the address of a proxy this program can use."""

    code = "http.proxy-unusable"
    kind = Kind.USAGE
    advice = "Write http://HOST:PORT into HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or unset it."


class RateLimited(OpvalueError):
    """The hourly limit of requests is used up, and its reset is later than this program waits."""

    code = "http.rate-limited"
    kind = Kind.NOT_OBSERVED
    advice = "Run the command again after the reset."


class SecondaryLimited(OpvalueError):
    """The server asks to slow down (a secondary rate limit), for longer than this program waits."""

    code = "http.secondary-limit"
    kind = Kind.NOT_OBSERVED
    advice = "Wait some minutes, and make fewer requests at a time."


class TokenMissing(OpvalueError):
    """The host wants a token and none was found for it."""

    code = "http.token-missing"
    kind = Kind.CREDENTIALS
    advice = "Set one of the variables named, or log in with `gh auth login --hostname HOST`."


class TokenMalformed(OpvalueError):
    """A variable holds something that cannot be a token, such as several words."""

    code = "http.token-malformed"
    kind = Kind.CREDENTIALS
    advice = "Set the variable to the token alone: one word of printable ASCII."


class Unauthorized(OpvalueError):
    """The host does not accept the token that was sent."""

    code = "http.unauthorized"
    kind = Kind.CREDENTIALS
    advice = "The token has expired, was revoked, or is for another host. Make a new one and set it again."


class Forbidden(OpvalueError):
    """The host knows the token and denies it this read; a rate limit is told apart."""

    code = "http.forbidden"
    kind = Kind.CREDENTIALS
    advice = "Give the token read access to Actions and contents of the repository, and authorise it for SSO if asked."


class AnonymousRefused(OpvalueError):
    """An address that is read without a token on purpose is not shown to everybody."""

    code = "http.anonymous-refused"
    kind = Kind.NOT_OBSERVED
    advice = "The token is sent for repositories that the evaluator declares only; others are read as anybody may."


class RedirectDowngraded(OpvalueError):
    """An encrypted address redirected to an unencrypted one; it was not followed (AR-10)."""

    code = "http.redirect-downgraded"
    kind = Kind.NOT_OBSERVED
    advice = "Something between here and the server rewrites its answers; find out what."


class TooManyRedirects(OpvalueError):
    """A read was redirected more often than is followed."""

    code = "http.too-many-redirects"
    kind = Kind.NOT_OBSERVED
    advice = "Check the address of the server, and the proxy in between."


class RedirectUnusable(OpvalueError):
    """A redirect leads nowhere: no address, not a web address, or one with a login in it."""

    code = "http.redirect-unusable"
    kind = Kind.NOT_OBSERVED
    advice = "Check the address of the server, and the proxy in between."


class LinkRefused(OpvalueError):
    """The storage behind a download refused its signed link, and a fresh one as well."""

    code = "http.link-refused"
    kind = Kind.NOT_OBSERVED
    advice = "Check this machine's clock and the proxy in between, and run the command again."


class OutsideApi(OpvalueError):
    """An address that lies outside the API of the hosts in use; nothing was sent there."""

    code = "http.outside-api"
    kind = Kind.REFUSED
    advice = "Only addresses at a host's own API are read; a page link that leads elsewhere is not followed."


class ApiRootRefused(OpvalueError):
    """The root of a host's API is no https address (http only on this machine), or serves two hosts at once."""

    code = "http.api-root"
    kind = Kind.USAGE
    advice = "Name the host alone, such as ghe.example.com."


class AnswerTooLarge(OpvalueError):
    """An answer is larger than is read into memory."""

    code = "http.answer-too-large"
    kind = Kind.NOT_OBSERVED
    advice = "The limit is fixed; ask for less at a time."


class AnswerEncoded(OpvalueError):
    """A download came compressed although that was not asked for, so its size and digest could not be checked."""

    code = "http.answer-encoded"
    kind = Kind.NOT_OBSERVED
    advice = "Check the proxy in between; it must not change what it passes on."


class DownloadTooLarge(OpvalueError):
    """A download is larger than its cap; nothing of it was kept."""

    code = "http.download-too-large"
    kind = Kind.ARTIFACT
    advice = "The limit is fixed; an artifact of this size is not a run's grader archive."


class DownloadAnswered(OpvalueError):
    """A download was answered with a status that is neither success nor worth another try.

    ``response`` is that answer, its body cut at 64 KiB; ``at_api`` tells whether the API gave it or the storage behind.
    """

    code = "http.download-answered"
    kind = Kind.ARTIFACT
    advice = "Check that the artifact still exists."

    def __init__(self, message: str, response: "Response", *, at_api: bool) -> None:
        super().__init__(message, expected="status 200", found=f"status {response.status}")
        self.response = response
        self.at_api = at_api
