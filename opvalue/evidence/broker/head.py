"""The head of one request, read strictly: what a lenient reader could take otherwise is refused (RFC 9112).

Pure: bytes in, values out. Refused are bare CR or LF, folded lines, a space before a colon, repeated headers, transfer
codings, other versions than HTTP/1.1, anything outside printable ASCII. Not judged here: what is asked for.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from opvalue.evidence.broker.errors import RequestTooLarge, RequestUnclear

END: Final = b"\r\n\r\n"
"""What ends a head."""

_MAX_HEADERS: Final = 64
_SHOWN: Final = 60

_REQUEST_LINE = re.compile(rb"([A-Z]{1,16}) ([\x21-\x7e]+) HTTP/1\.1")
# Possessive: with blanks that two parts may take, a line of blanks would be looked at once for each of them.
_HEADER = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]++):[ \t]*+((?:[\x21-\x7e]++(?:[ \t]++[\x21-\x7e]++)*+)?+)[ \t]*+")
_LENGTH = re.compile(r"0|[1-9][0-9]{0,17}")


class Head(NamedTuple):
    """Request line and headers."""

    method: str
    target: str
    headers: Mapping[str, str]
    """Names in lower case, each once."""
    length: int
    """Bytes of the body that follows."""


def parse(data: bytes, *, most: int) -> Head:
    """Return the head that ``data`` is, its ``END`` left off; ``most`` bounds the body it announces.

    Raises ``RequestUnclear`` and ``RequestTooLarge``.
    """
    first, *lines = data.split(b"\r\n")
    found = _REQUEST_LINE.fullmatch(first)
    if found is None:
        raise _unclear("does not begin with a request line", first)
    headers = _headers(lines)
    if "transfer-encoding" in headers:
        raise _unclear("has a transfer coding", headers["transfer-encoding"].encode())
    return Head(found[1].decode(), found[2].decode(), headers, _length(headers, most))


def _headers(lines: list[bytes]) -> dict[str, str]:
    if len(lines) > _MAX_HEADERS:
        raise RequestTooLarge("a request has too many headers", expected=f"at most {_MAX_HEADERS}")
    headers: dict[str, str] = {}
    for line in lines:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise _unclear("has a line that is no header", line)
        name = found[1].decode().lower()
        if name in headers:
            raise _unclear("has a header twice", found[1])
        headers[name] = found[2].decode()
    return headers


def _length(headers: Mapping[str, str], most: int) -> int:
    text = headers.get("content-length", "0")
    if not _LENGTH.fullmatch(text):
        raise _unclear("has a length that is no number", text.encode())
    if int(text) > most:
        raise RequestTooLarge("the body of a request is too large", expected=f"at most {most} bytes", found=text)
    return int(text)


def _unclear(why: str, found: bytes) -> RequestUnclear:
    return RequestUnclear(
        f"a request {why}", expected="one plain HTTP/1.1 request", found=repr(found[:_SHOWN].decode("latin-1"))
    )
