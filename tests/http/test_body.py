"""The body of an answer: unpacked once, within its bound, and never believed to be whole when it is not."""

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator

import httpx
import pytest

from opvalue.http.body import read

MIB = 1024 * 1024


def answer(body: bytes, coding: str | None = "gzip", size: int = 65_536) -> httpx.Response:
    """An answer as it comes from a connection, in pieces of ``size``."""

    def pieces() -> Iterator[bytes]:
        yield from (body[place : place + size] for place in range(0, len(body), size))

    return httpx.Response(200, headers={} if coding is None else {"content-encoding": coding}, content=pieces())


def unpacked(body: bytes, coding: str | None = "gzip", *, most: int = 100, size: int = 65_536) -> tuple[bytes, bool]:
    response, whole = read(answer(body, coding, size), most, 60)
    return response.body, whole


@pytest.mark.parametrize("coding", ["gzip", "GZIP", " x-gzip "])
@pytest.mark.parametrize("size", [1, 7, 65_536])
def test_a_packed_body_is_unpacked_in_any_pieces(coding: str, size: int) -> None:
    assert unpacked(gzip.compress(b"a" * 100), coding, size=size) == (b"a" * 100, True)
    assert unpacked(gzip.compress(b"a" * 101), coding, size=size) == (b"a" * 100, False)


@pytest.mark.parametrize("coding", [None, "", "identity", "Identity"])
def test_a_plain_body_is_taken_as_it_is(coding: str | None) -> None:
    assert unpacked(b"a" * 100, coding) == (b"a" * 100, True)
    assert unpacked(b"a" * 101, coding) == (b"a" * 100, False)


def test_no_body_at_all_is_none_whatever_coding_is_named() -> None:
    assert unpacked(b"") == (b"", True)


def test_no_more_is_unpacked_than_counts() -> None:
    bomb = gzip.compress(bytes(64 * MIB))
    assert len(bomb) < 65_536
    tracemalloc.start()
    try:
        assert unpacked(bomb, most=1000) == (bytes(1000), False)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MIB


@pytest.mark.parametrize("coding", ["gzip, gzip", "deflate", "br", "zstd", "identity, gzip", "x" * 100])
def test_a_coding_that_was_not_asked_for_is_not_unpacked(coding: str) -> None:
    with pytest.raises(httpx.DecodingError, match=rf"^packed as {coding[:40]}$"):
        unpacked(gzip.compress(gzip.compress(b"a")), coding)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"not packed", "damaged"),
        (gzip.compress(b"a")[:-1], "cut"),
        (gzip.compress(b"a")[:5], "cut"),
        (gzip.compress(b"a") + b"\0", "more than"),
        (gzip.compress(b"a") + gzip.compress(b"b"), "more than"),
        (zlib.compress(b"a"), "damaged"),
        (gzip.compress(b"a")[:-8] + bytes(8), "damaged"),
    ],
)
@pytest.mark.parametrize("size", [1, 65_536])
def test_packed_data_that_is_not_whole(body: bytes, why: str, size: int) -> None:
    with pytest.raises(httpx.DecodingError, match=why):
        unpacked(body, size=size)
