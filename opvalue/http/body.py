"""Read an answer's body within bounds of size and time.

Unpacked here and not by the HTTP library, which unpacks what it received at once and as often as the server says: a
few hundred bytes packed twice fill the memory before anybody can count them.
"""

import time
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from opvalue.http.client import Response

if TYPE_CHECKING:
    import httpx

_PLAIN: Final = frozenset({"", "identity"})
_GZIP: Final = frozenset({"gzip", "x-gzip"})
"""RFC 9110, 8.4.1.3: two names of the one coding that is asked for."""
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS


def within(chunks: Iterable[bytes], seconds: float) -> Iterator[bytes]:
    """Pass chunks on until they come too late. Raises ``TimeoutError``."""
    end = time.monotonic() + seconds
    for chunk in chunks:
        if time.monotonic() > end:
            raise TimeoutError
        yield chunk


def read(response: "httpx.Response", most: int, seconds: float) -> tuple[Response, bool]:
    """Return an answer with at most ``most`` bytes of its unpacked body, and whether that is all of it.

    Raises ``TimeoutError`` and what httpx raises; its ``DecodingError`` also for a coding that was not asked for.
    """
    body = bytearray()
    for chunk in _unpacked(response, most + 1, seconds):
        body += chunk
        if len(body) > most:
            break
    return Response(response.status_code, dict(response.headers), bytes(body[:most])), len(body) <= most


def _unpacked(response: "httpx.Response", most: int, seconds: float) -> Iterator[bytes]:
    """Yield the body's bytes, of a packed one no more than ``most``."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    chunks = within(response.iter_raw(), seconds)
    if coding in _PLAIN:
        return chunks
    if coding in _GZIP:
        return _gunzipped(chunks, most)
    raise _broken(f"packed as {coding[:40]}")


def _gunzipped(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    unpacker, started, left = zlib.decompressobj(_GZIP_WINDOW), False, most
    for chunk in filter(None, chunks):
        started = True
        try:
            block = unpacker.decompress(chunk, left)
        except zlib.error:
            raise _broken("packed data that is damaged") from None
        left -= len(block)
        yield block
        if not left:
            return
        if unpacker.unused_data:
            raise _broken("more than the packed data")
    # An answer that is to have no body, such as a 304, may name a coding all the same.
    if started and not unpacker.eof:
        raise _broken("packed data that was cut")


def _broken(what: str) -> "httpx.DecodingError":
    import httpx  # noqa: PLC0415 - loaded already by whoever has an answer

    return httpx.DecodingError(what)
