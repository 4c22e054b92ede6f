"""Elements of an array found whole are those found token by token; lines come in stretches, the long ones as none."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.session import framing
from opvalue.session.errors import ArrayMalformed
from opvalue.session.framing import LOOKED_AT, elements, opened, stretches

PIECES = (b"{", b"}", b"[", b"]", b",", b'"', b"\\", b"1", b" ", b"\n", b"{}", b"},{", b'{"a":1}', b'{"a":[{},{}]}')
ODD = (b'"},{"', b'{"a":"},{"}', b'{"a":1}{"b":2}', b"{} 1", b'{"\\u0061":"\xff"}', b"[{},{}]")


def cut(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def outcome(data: bytes, size: int, most: int) -> object:
    try:
        return list(elements(cut(data, size), most))
    except ArrayMalformed as refused:
        return refused.message


@given(
    st.lists(st.sampled_from((*PIECES, *ODD)), max_size=16).map(b"".join),
    st.sampled_from([1, 2, 5, 100]),
    st.sampled_from([3, 1000]),
)
@settings(max_examples=600, deadline=None)
def test_found_whole_or_token_by_token(inner: bytes, size: int, most: int) -> None:
    data = b"[" + inner + b"]"
    found = outcome(data, size, most)
    with patch.object(framing, "_is_value", lambda _text: False):
        assert outcome(data, size, most) == found


def test_the_tokens_of_ordinary_elements_are_not_looked_at() -> None:
    event = b'{"type":"x.y","data":{"a":[1,{"b":"} ] ,"}]},"provenance":{}}'
    data = b"[" + b",\n ".join([event] * 50) + b"]"
    tokens: list[bytes] = []
    enter = framing._Array._enter

    def noted(array: framing._Array, token: bytes) -> None:
        tokens.append(token)
        enter(array, token)

    with patch.object(framing._Array, "_enter", noted):
        assert [one.content for one in elements([data], 1000)] == [event] * 50
    assert len(tokens) < 40, "only those of the last one"


@pytest.mark.parametrize("unit", [b"{},1", b"1", b"{}", b'{"a":[{},{}]}', b'{"a":1}x', b'"},{"'])
@pytest.mark.parametrize("rest", [b"", b",{},{}"])
def test_each_place_is_tried_once(unit: bytes, rest: bytes) -> None:
    data = b"[" + b",".join([unit] * 3000) + rest + b"]"
    tried: list[int] = []
    real = framing._is_value

    def count(text: bytes) -> bool:
        tried.append(len(text))
        return real(text)

    with patch.object(framing, "_is_value", count):
        assert len(list(elements([data], 1000))) >= 3000
    assert sum(tried) <= len(data)


@given(st.lists(st.sampled_from([b"a", b"bb", b"\n", b"\r", b"cccc"]), max_size=20).map(b"".join), st.integers(1, 9))
@settings(max_examples=300, deadline=None)
def test_stretches(data: bytes, size: int) -> None:
    *lines, last = data.split(b"\n")
    expected = [line + b"\n" if len(line) <= 5 else None for line in lines]
    if last:
        expected.append(last if len(last) <= 5 else None)
    assert [line for stretch in stretches(cut(data, size), 5) for line in stretch] == expected


def test_a_line_that_is_too_long_is_known_before_it_ends() -> None:
    def endless() -> Iterator[bytes]:
        yield b"a\nbbb"
        yield b"bbb"
        raise AssertionError("nobody needs more")

    found = stretches(endless(), 5)
    assert [next(found), next(found)] == [[b"a\n"], [None]]


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_white_space_around_elements_counts_alike_in_blocks_of_any_size(size: int) -> None:
    # The first one has eight bytes up to its comma, and none of those before the array.
    for most, first in ((8, b'{"a":1}'), (7, None)):
        found = list(elements(cut(b' \n\t [{"a":1} ,{"b":2}]', size), most))
        assert [one.content for one in found] == [first, b'{"b":2}']


@pytest.mark.parametrize("before", [0, 3, 4096, LOOKED_AT - 1, LOOKED_AT, LOOKED_AT + 1])
@pytest.mark.parametrize("size", [1 << 12, 100_003, LOOKED_AT, LOOKED_AT + 1, 1 << 22])
def test_where_an_array_may_begin(before: int, size: int) -> None:
    assert opened(cut(b" " * before + b"[]", size)).is_array is (before < LOOKED_AT)


def test_where_an_array_begins_is_looked_for_in_so_much_and_no_more() -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(LOOKED_AT >> 12):
            yield b" " * (1 << 12)
        raise AssertionError("nobody needs more")

    assert not opened(endless()).is_array


def test_containers_that_hold_none_are_not_looked_into() -> None:
    tokens: list[bytes] = []
    enter = framing._Array._enter

    def noted(array: framing._Array, token: bytes) -> None:
        tokens.append(token)
        enter(array, token)

    element = b'{"a":[%b]}' % b",".join([b'{"b":"]","c":1}', b"[1,2,{}]", b'"}"'] * 500)
    with patch.object(framing._Array, "_enter", noted):
        assert [one.content for one in elements(cut(b"[" + element + b"]", 10_000), 100_000)] == [element]
    assert len(tokens) < 2.2 * 500, "those of the second kind, which do hold one"


NESTED = (
    b"[]",
    b"{}",
    b"[1,[2]]",
    b'{"a":{"b":[{}]}}',
    b'"]"',
    b'"\\"["',
    b'{"k":"}"}',
    b"[[[{}]]]",
    b",",
    b"x",
    b'"',
    b"[",
    b"}",
)


@given(st.lists(st.sampled_from(NESTED), max_size=12).map(b"".join), st.sampled_from([1, 2, 5, 100]))
@settings(max_examples=400, deadline=None)
def test_what_is_flat_is_passed_over_at_once(inner: bytes, size: int) -> None:
    data = b"[[" + inner + b"],1]"
    found = outcome(data, size, 1000)
    with patch.object(framing, "_end_of_flat", lambda _block, position: position):
        assert outcome(data, size, 1000) == found
