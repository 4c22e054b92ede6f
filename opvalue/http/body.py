"""Read an answer's body within bounds of size and time."""

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from opvalue.http.client import Response

if TYPE_CHECKING:
    import httpx


def within(chunks: Iterable[bytes], seconds: float) -> Iterator[bytes]:
    """Pass chunks on until they come too late. Raises ``TimeoutError``."""
    end = time.monotonic() + seconds
    for chunk in chunks:
        if time.monotonic() > end:
            raise TimeoutError
        yield chunk


def read(response: "httpx.Response", most: int, seconds: float) -> tuple[Response, bool]:
    """Return an answer with at most ``most`` bytes of its unpacked body, and whether that is all of it.

    Raises ``TimeoutError`` and what httpx raises.
    """
    body = bytearray()
    for chunk in within(response.iter_bytes(), seconds):
        body += chunk
        if len(body) > most:
            break
    return Response(response.status_code, dict(response.headers), bytes(body[:most])), len(body) <= most
