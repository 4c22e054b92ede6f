"""Bytes cut into lines."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from opvalue.session.lines import Line, split


def test_lines_end_at_line_feeds_alone() -> None:
    assert list(split([b"a\r\n\n\x0b\x0c\xe2\x80\xa8b\rc"], 99)) == [
        Line(1, b"a\r", True),
        Line(2, b"", True),
        Line(3, b"\x0b\x0c\xe2\x80\xa8b\rc", False),
    ]
    assert list(split([], 9)) == list(split([b"", b""], 9)) == []


def test_a_long_line_is_not_kept() -> None:
    assert list(split([b"12", b"34\n123", b"\n", b"12345"], 3)) == [
        Line(1, None, True),
        Line(2, b"123", True),
        Line(3, None, True),
    ]


@given(st.binary(max_size=60).map(lambda data: data.replace(b"a", b"\n")), st.lists(st.integers(1, 9), max_size=20))
def test_where_the_blocks_end_makes_no_difference(data: bytes, cuts: list[int]) -> None:
    def blocks() -> Iterator[bytes]:
        rest = data
        for cut in cuts:
            yield rest[:cut]
            rest = rest[cut:]
        yield rest

    lines = list(split(blocks(), 99))
    assert lines == list(split([data], 99))
    assert b"".join((line.content or b"") + b"\n" * line.ended for line in lines) == data


def test_a_long_line_is_known_before_it_ends() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"12"

    assert next(split(endless(), 3)) == Line(1, None, True)
    assert list(split([b"1234", b"5", b"6\n78"], 3)) == [Line(1, None, True), Line(2, b"78", False)]
