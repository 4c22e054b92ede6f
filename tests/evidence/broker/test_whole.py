"""Whole JSON, told from everything that only begins or ends like it."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.evidence.broker.whole import is_whole_json

WHOLE = [
    b"{}",
    b" [1]\n",
    b"null",
    b'"text"',
    b"0",
    b"-0",
    b"1e999",
    b'{"a":"\\"]}"}',
    b'"\\u0000"',
    b'"\\ud83d\\ude00"',
]
NOT_WHOLE = [
    b"",
    b" \n",
    b"nul",
    b"[}",
    b'{"number" 1 }',
    b'{"number":1}}',
    b'{"number":1,}',
    b'{"number":NaN}',
    b"[Infinity]",
    b"[01]",
    b"{'a':1}",
    b'{"a":"\x00"}',
    b'{"a":"\n"}',
    b'{"a":"\\x"}',
    b'{"a":"\\ud800"}',
    b'{"a":"\xff"}',
    b'{"\xed\xa0\x80":1}',
    b"\xef\xbb\xbf{}",
    b"{}{}",
    b"{}\x00",
    b'{"a":1}\n<html>',
    "{}".encode("utf-16"),
]


@pytest.mark.parametrize("body", WHOLE)
def test_one_document_is_whole(body: bytes) -> None:
    assert is_whole_json(body)


@pytest.mark.parametrize("body", NOT_WHOLE)
def test_what_is_no_document_is_not(body: bytes) -> None:
    assert not is_whole_json(body)


DEPTHS = [(1, True), (8, True), (9, True), (128, True), (129, False), (20_000, False), (1_000_000, False)]


@pytest.mark.parametrize(("depth", "whole"), DEPTHS)
def test_nesting_ends_at_one_depth(depth: int, whole: bool) -> None:
    assert is_whole_json(b"[" * depth + b"]" * depth) is whole
    assert is_whole_json(b'{"a":' * depth + b"1" + b"}" * depth) is whole


def test_much_nesting_is_measured_once() -> None:
    begun = time.perf_counter()
    for depth in (100, 126, 127):
        body = b"[" + (b"[" * depth + b"]" * depth + b",") * (500_000 // depth) + b"[]]"
        assert is_whole_json(body)
        assert not is_whole_json(body.replace(b"[]]", b"[" * 128 + b"]" * 129))
    assert not is_whole_json(b"[" * 2**24 + b"]" * 2**24)
    assert time.perf_counter() - begun < 8


def test_wide_is_not_deep() -> None:
    assert is_whole_json(b"[" + b'{"a":["[[["]},' * 5_000 + b"[]]")


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_every_cut_of_an_object_is_noticed(value: object) -> None:
    body = json.dumps({"value": value}).encode()
    assert is_whole_json(body) or "\\ud" in body.decode()
    assert not any(is_whole_json(body[:cut]) for cut in range(len(body)))
