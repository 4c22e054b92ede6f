"""What a request's head may be."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.errors import RequestTooLarge, RequestUnclear
from opvalue.evidence.broker.head import Head, parse


def test_a_plain_head() -> None:
    head = parse(b"GET /x?y=%20 HTTP/1.1\r\nHost: github.com\r\nAccept:\t a, b \t\r\nX-Empty:", most=9)
    assert head == Head("GET", "/x?y=%20", {"host": "github.com", "accept": "a, b", "x-empty": ""}, 0)
    assert parse(b"POST /graphql HTTP/1.1\r\nContent-Length: 9", most=9).length == 9


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "request line"),
        (b"\r\nGET / HTTP/1.1", "request line"),
        (b"GET / HTTP/1.0", "request line"),
        (b"GET / HTTP/2", "request line"),
        (b"GET /  HTTP/1.1", "request line"),
        (b"GET  / HTTP/1.1", "request line"),
        (b" GET / HTTP/1.1", "request line"),
        (b"GET / HTTP/1.1 ", "request line"),
        (b"get / HTTP/1.1", "request line"),
        (b"GET /a b HTTP/1.1", "request line"),
        (b"GET /a\tb HTTP/1.1", "request line"),
        (b"GET /\xc3\xa9 HTTP/1.1", "request line"),
        (b"GET /\x00 HTTP/1.1", "request line"),
        (b"GET /\nHTTP/1.1", "request line"),
        (b"GET /", "request line"),
        (b"GET / HTTP/1.1\nHost: x", "request line"),
        (b"GET / HTTP/1.1\r\nHost : x", "no header"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n folded", "no header"),
        (b"GET / HTTP/1.1\r\nHost: x\ny: z", "no header"),
        (b"GET / HTTP/1.1\r\nHost: x\ry: z", "no header"),
        (b"GET / HTTP/1.1\r\nHost: x\x00", "no header"),
        (b"GET / HTTP/1.1\r\nHost: \xe9", "no header"),
        (b"GET / HTTP/1.1\r\nHost", "no header"),
        (b"GET / HTTP/1.1\r\n: x", "no header"),
        (b"GET / HTTP/1.1\r\nA(: x", "no header"),
        (b"GET / HTTP/1.1\r\n\r\nHost: x", "no header"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nhOST: x", "twice"),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1", "twice"),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked", "transfer coding"),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: identity\r\nContent-Length: 1", "transfer coding"),
        (b"GET / HTTP/1.1\r\nContent-Length: +1", "no number"),
        (b"GET / HTTP/1.1\r\nContent-Length: -1", "no number"),
        (b"GET / HTTP/1.1\r\nContent-Length: 01", "no number"),
        (b"GET / HTTP/1.1\r\nContent-Length: 1, 1", "no number"),
        (b"GET / HTTP/1.1\r\nContent-Length: 1_0", "no number"),
        (b"GET / HTTP/1.1\r\nContent-Length: 0x1", "no number"),
        (b"GET / HTTP/1.1\r\nContent-Length:", "no number"),
    ],
)
def test_what_readers_could_differ_on_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(OpvalueError) as caught:
        parse(data, most=9)
    assert caught.value.code == "evidence.request-unclear"
    assert why in caught.value.message


def test_too_much_is_refused() -> None:
    for data in (
        b"GET / HTTP/1.1\r\nContent-Length: 10",
        b"GET / HTTP/1.1" + b"".join(b"\r\nX-%d: y" % number for number in range(65)),
    ):
        with pytest.raises(OpvalueError) as caught:
            parse(data, most=9)
        assert caught.value.code == "evidence.request-too-large"


@given(st.binary(max_size=300) | st.text(alphabet="GET /HTP1.\r\n:ahost-", max_size=60).map(str.encode))
def test_any_bytes_are_a_head_or_refused(data: bytes) -> None:
    with suppress(RequestUnclear, RequestTooLarge):
        head = parse(data, most=100)
        assert not any(char in head.target for char in " \r\n\t\0")
        assert all(value == value.strip() for value in head.headers.values())


@given(st.sampled_from([b"GET /x HTTP/1.1\r\nHost: github.com\r\nAccept: */*"]), st.data())
def test_an_inserted_line_end_never_makes_another_header(data: bytes, drawn: st.DataObject) -> None:
    place = drawn.draw(st.integers(0, len(data)))
    what = drawn.draw(st.sampled_from([b"\r", b"\n", b"\x0b", b"\x0c", b"\x85", b"\x1c"]))
    with pytest.raises(OpvalueError):
        parse(data[:place] + what + data[place:], most=0)


@pytest.mark.parametrize("piece", [b" ", b"\t", b"x", b"x ", b"x  ", b":"])
def test_a_hostile_line_takes_no_more_than_its_length(piece: bytes) -> None:
    line = b"GET / HTTP/1.1\r\nA:" + piece * (64_000 // len(piece)) + b"\x80"
    begun = time.perf_counter()
    with pytest.raises(RequestUnclear):
        parse(line, most=9)
    assert time.perf_counter() - begun < 1
