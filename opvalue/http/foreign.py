"""What the HTTP library raises, in this project's words. Nothing of an address but its origin gets through."""

import re
import ssl
from typing import Final

import httpx

from opvalue.http.errors import CertificateRefused, NetworkFailed, ProxyRefused
from opvalue.http.retries import NEVER, Again

FOREIGN: Final = (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError)
"""Everything that a request or the reading of its answer raises on account of the network or the other side."""

# Of the library's texts only these: others quote headers, and a redirect's header is a signed link.
_CUT = re.compile(r"received [0-9]+ bytes, expected [0-9]+|incomplete chunked read|Server disconnected")


def translate(error: Exception, where: str) -> Again:
    """Return what a foreign exception means for a read of ``where``, the name of an API."""
    certificate = _certificate_error(error)
    if certificate is not None:
        return Again(
            CertificateRefused(f"the certificate of {where} is not trusted", found=certificate.verify_message), NEVER
        )
    if isinstance(error, httpx.ProxyError) and "407" in str(error):
        return Again(ProxyRefused("the proxy asks for a login"), NEVER)
    return Again(NetworkFailed(f"no whole answer came from {where}", found=_words(error)))


def _words(error: Exception) -> str:
    match error:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return "no connection in time"
        case httpx.TimeoutException():
            return "silence for too long"
        case TimeoutError():
            return "not done in time"
        case httpx.ProxyError():
            return "the proxy refused to connect"
        case httpx.ConnectError():
            return f"no connection: {_system(error)}"
        case httpx.NetworkError():
            return f"the connection broke: {_system(error)}"
        case httpx.RemoteProtocolError():
            cut = _CUT.search(str(error))
            return f"the answer was cut: {cut[0]}" if cut else "an answer that is not HTTP"
        case httpx.DecodingError():
            return "an answer whose compression is broken or was not asked for"
        case _:
            return type(error).__name__


def _system(error: BaseException | None) -> str:
    """Return the operating system's words behind an error; those hold no address."""
    while error is not None:
        if isinstance(error, OSError) and error.strerror:
            return error.strerror
        error = error.__cause__ or error.__context__
    return "closed by the other side"


def _certificate_error(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return error
        error = error.__cause__ or error.__context__
    return None
