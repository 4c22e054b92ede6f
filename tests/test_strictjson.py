import json
import math
import tracemalloc
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue import strictjson
from opvalue.errors import Kind
from opvalue.strictjson import (
    JsonNotEncodable,
    JsonRefused,
    JsonSeveralValues,
    JsonValue,
    dumps,
    dumps_compact,
    is_deeper,
    is_number,
    kind_of,
    loads,
    loads_object,
    same,
)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"null", None),
        (b" \t\r\n true \n", True),
        (b"0", 0),
        (b"-0", 0),
        (b"1e0", 1.0),
        (b"1.0", 1.0),
        (b"12345678901234567890123456789012", 12345678901234567890123456789012),
        (b"1.7976931348623157e308", 1.7976931348623157e308),
        (b"1e-400", 0.0),
        (b'"\\u00e9\\ud83d\\ude00\xc3\xa9"', "é😀é"),
        (b'{"b": 1, "a": [{}, []]}', {"b": 1, "a": [{}, []]}),
        (b'{"a": 1, "A": 2}', {"a": 1, "A": 2}),
        (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        (b'""', ""),
    ],
)
def test_strict_documents(data: bytes, value: JsonValue) -> None:
    assert loads(data) == value


def test_key_order_is_kept() -> None:
    assert list(loads_object(b'{"b": 1, "a": 2, "c": 3}')) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is not JSON"),
        (b" \n", "is not JSON"),
        (b"nul", "is not JSON"),
        (b"True", "is not JSON"),
        (b"undefined", "is not JSON"),
        (b"'a'", "is not JSON"),
        (b"{a: 1}", "is not JSON"),
        (b"[1,]", "is not JSON"),
        (b'{"a": 1,}', "is not JSON"),
        (b'{"a": 1 "b": 2}', "is not JSON"),
        (b'{"a"}', "is not JSON"),
        (b"[1 2]", "is not JSON"),
        (b"[01]", "is not JSON"),
        (b"[1.]", "is not JSON"),
        (b"[.5]", "is not JSON"),
        (b"[+1]", "is not JSON"),
        (b"[0x10]", "is not JSON"),
        (b"[1_000]", "is not JSON"),
        (b"// c\n1", "is not JSON"),
        (b"\x00", "is not JSON"),
        (b"\x0b1", "is not JSON"),
        ("\u00a01".encode(), "is not JSON"),
        (b'"a\nb"', "is not JSON"),
        (b'"a\x00b"', "is not JSON"),
        (b'"\\x41"', "is not JSON"),
        (b'"\\u12"', "is not JSON"),
        (b'"abc', "is not JSON"),
        (b'{"a": 1', "is not JSON"),
        ("[\u0661]".encode(), "is not JSON"),
        ("[1\u0661]".encode(), "is not JSON"),
        (b"NaN", "a number JSON does not have"),
        (b"[Infinity]", "a number JSON does not have"),
        (b'{"a": -Infinity}', "a number JSON does not have"),
        (b"1e400", "overflows a double"),
        (b"-1e400", "overflows a double"),
        (b"[1.8e308]", "overflows a double"),
        (b"1e99999999999", "overflows a double"),
        (b"1" * 65, "a number that is too long"),
        (b"-" + b"1" * 64, "a number that is too long"),
        (b"0." + b"1" * 63, "a number that is too long"),
        (b"1" * 1_000_000, "a number that is too long"),
        (b'{"value":1,"value":0}', "a duplicate key"),
        (b'{"value":1,"value":1}', "a duplicate key"),
        (b'{"a":{"b":1,"\\u0062":2}}', "a duplicate key"),
        (b'{"":1,"":2}', "a duplicate key"),
        (b'[{"\\ud800":1,"\\ud800":2}]', "a duplicate key"),
        (b"\xef\xbb\xbf{}", "a byte order mark"),
        (b"\xef\xbb\xbf", "a byte order mark"),
        ('{"a": 1}'.encode("utf-16"), "is not UTF-8"),
        ('{"a": 1}'.encode("utf-16-le"), "is not JSON"),
        ('{"a": 1}'.encode("utf-16-be"), "is not JSON"),
        ('{"a": 1}'.encode("utf-32"), "is not UTF-8"),
        (b'"\xff"', "is not UTF-8"),
        (b'"\xc0\xaf"', "is not UTF-8"),
        (b'"\xed\xa0\x80"', "is not UTF-8"),
        (b'"\xf4\x90\x80\x80"', "is not UTF-8"),
        (b'"\xe2\x80"', "is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'[{"a":' * 50_000, "nested too deeply"),
    ],
)
def test_refused_documents(data: bytes, why: str) -> None:
    with pytest.raises(JsonRefused) as caught:
        loads(data, what="the manifest")
    assert why in caught.value.message
    assert caught.value.message.startswith("the manifest ")
    assert caught.value.code == "json.refused"
    assert caught.value.kind is Kind.REFUSED
    assert len(caught.value.diagnostics()) < 1000


@pytest.mark.parametrize("data", [b"{}{}", b"1 2", b"[]\n[]\n", b"{} x", b"01", b"1\x00", b"null\xc2\xa0", b"-0-0"])
def test_more_than_one_value(data: bytes) -> None:
    with pytest.raises(JsonSeveralValues) as caught:
        loads(data)
    assert caught.value.code == "json.more-than-one-value"
    assert caught.value.message == "document holds more than one JSON value"
    assert caught.value.expected == "exactly one JSON value"


def test_error_names_the_place() -> None:
    with pytest.raises(JsonRefused) as caught:
        loads(b'{\n  "a": 1,\n  "b": oops\n}')
    assert caught.value.found == "line 3, column 8: '1,\\n  \"b\": oops\\n}'"


def test_duplicate_is_named() -> None:
    with pytest.raises(JsonRefused) as caught:
        loads(b'{"a": 1, "b": 2, "b": 3, "a": 4}')
    assert caught.value.found == "'b'"


@pytest.mark.parametrize("depth", [1, 127, 128])
def test_depth_up_to_the_limit(depth: int) -> None:
    assert loads(b"[" * depth + b"]" * depth) is not None
    assert loads(b'{"a":' * depth + b"1" + b"}" * depth) is not None


def test_depth_over_the_limit() -> None:
    with pytest.raises(JsonRefused, match="nested too deeply") as caught:
        loads(b"[" * 129 + b"]" * 129)
    assert caught.value.expected == "at most 128 levels"
    with pytest.raises(JsonRefused, match="nested too deeply"):
        loads(b"[[[]]]", max_depth=2)


KEYS = st.text('[]"\\\\', max_size=3)
JSON = st.recursive(
    st.one_of(st.integers(), st.text('[]{}"\\\\a', max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=20,
)
BRACKETS = st.sampled_from([b"[", b"]", b"{", b"}", b'"', b"\\", b"[]", b'"a"', b"1", b",", b'"\\""'])


def depth(value: object) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@given(JSON, st.integers(0, 6), st.lists(BRACKETS, max_size=8).map(b"".join), st.sampled_from([1, 2, 7, 1 << 16]))
@settings(max_examples=400, deadline=None)
def test_depth(value: JsonValue, levels: int, behind: bytes, part: int) -> None:
    text = json.dumps(value).encode()
    with patch.object(strictjson, "_PART", part):
        assert is_deeper(text, levels) is (depth(value) > levels)
        # Of what is no JSON as well, nothing passes that begins too deep: a parser would follow it there.
        deep = b"[" * (levels + 1) + text + behind
        assert is_deeper(deep, levels)


@given(st.lists(BRACKETS, max_size=30).map(b"".join), st.integers(0, 9), st.sampled_from([1, 2, 7, 1 << 16]))
@settings(max_examples=600, deadline=None)
def test_depth_of_any_bytes(data: bytes, levels: int, part: int) -> None:
    try:
        expected = depth(json.loads(data)) > levels
    except ValueError:
        return
    with patch.object(strictjson, "_PART", part):
        assert is_deeper(data, levels) is expected


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert loads(b"[" + b"[]," * 1000 + b"[]]") == [[]] * 1001


@pytest.mark.parametrize("text", ["[" * 500, "{" * 500, '\\"' + "[" * 500, "\\\\", '\\\\\\"' + "[" * 500])
def test_brackets_in_strings_are_not_depth(text: str) -> None:
    data = f'["{text}", "{"[" * 200}"]'.encode()
    assert loads(data) == json.loads(data)


def test_number_up_to_the_limit() -> None:
    assert loads(b"1" * 64) == int("1" * 64)
    assert loads(b"1" * 200, max_number=300) == int("1" * 200)


def test_long_integer_that_overflows_is_refused_whatever_the_length_limit() -> None:
    with pytest.raises(JsonRefused, match="overflows a double"):
        loads(b"1" * 5000, max_number=10_000)


def test_long_string_costs_little_memory() -> None:
    data = b'["' + b"x" * (4 << 20) + b'"' + b",[]" * 200 + b"]"
    tracemalloc.start()
    loads(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * len(data)


def test_lone_surrogates_are_kept_and_written_escaped() -> None:
    value = loads(b'{"\\ud800": ["\\udfff", "\\udc00\\ud800"]}')
    assert value == {"\ud800": ["\udfff", "\udc00\ud800"]}
    text = dumps_compact(value)
    assert text == '{"\\ud800":["\\udfff","\\udc00\\ud800"]}'
    assert loads(text.encode()) == value


@pytest.mark.parametrize(
    ("data", "found"),
    [(b"[]", "array"), (b"null", "null"), (b"1", "number"), (b'"{}"', "string"), (b"true", "boolean")],
)
def test_only_an_object(data: bytes, found: str) -> None:
    with pytest.raises(JsonRefused, match="is not a JSON object") as caught:
        loads_object(data)
    assert caught.value.found == found


def test_canonical_text() -> None:
    value = {"b": [1, {"c": None}], "a": True, "e": [], "f": {}, "ä": '—\u2028\x1b\t"\\/'}
    assert dumps(value) == (
        '{\n  "b": [\n    1,\n    {\n      "c": null\n    }\n  ],\n  "a": true,\n  "e": [],\n  "f": {},\n'
        '  "ä": "—\u2028\\u001b\\t\\"\\\\/"\n}\n'
    )
    assert dumps_compact({"b": [1, 0.5], "a": "x"}) == '{"b":[1,0.5],"a":"x"}'


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1"),
        (1.0, "1"),
        (-0.0, "0"),
        (0.0, "0"),
        (-0, "0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-07, "1e-07"),
        (5e-324, "5e-324"),
        (-2.0, "-2"),
        (2.0**53, "9007199254740992"),
        (1e22, "1e+22"),
        (10**30, "1" + "0" * 30),
        (True, "true"),
    ],
)
def test_one_number_one_spelling(number: float, text: str) -> None:
    assert dumps_compact(number) == text
    assert dumps_compact([{"a": number}]) == f'[{{"a":{text}}}]'


def test_tuples_are_arrays() -> None:
    assert dumps_compact((1, (2.0,))) == "[1,[2]]"


def _endless() -> list[object]:
    inner: list[object] = []
    inner.append(inner)
    return inner


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, [math.nan], {"a": math.inf}, {1, 2}, b"x", object(), _endless()]
)
def test_what_json_cannot_carry(value: object) -> None:
    with pytest.raises(JsonNotEncodable) as caught:
        dumps(value)
    assert caught.value.code == "json.not-encodable"
    assert caught.value.kind is Kind.INTERNAL


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (0, "number"),
        (0.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
        (b"", "bytes"),
    ],
)
def test_kind_of(value: object, name: str) -> None:
    assert kind_of(value) == name


def test_booleans_are_no_numbers() -> None:
    assert is_number(0)
    assert is_number(-0.5)
    assert not is_number(True)
    assert not is_number("1")
    assert not is_number(None)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (0, -0.0),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}),
        ([], []),
        ({}, {}),
        ("a", "a"),
        (None, None),
        (True, True),
    ],
)
def test_same(left: object, right: object) -> None:
    assert same(left, right)
    assert same(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (False, 0),
        (None, False),
        (None, 0),
        ("1", 1),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": 1}, {"a": True}),
        ({"a": None}, {}),
        ({"a": None}, {"b": None}),
        ([], {}),
        ("", []),
        (9007199254740993, 9007199254740992.0),
    ],
)
def test_not_same(left: object, right: object) -> None:
    assert not same(left, right)
    assert not same(right, left)


_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


@given(_VALUES)
def test_what_is_written_reads_back_the_same(value: JsonValue) -> None:
    for text in (dumps(value), dumps_compact(value)):
        assert same(loads(text.encode()), value)
    assert dumps(loads(dumps(value).encode())) == dumps(value)


@given(_VALUES)
def test_a_value_is_the_same_as_itself(value: JsonValue) -> None:
    assert same(value, json.loads(json.dumps(value)))


@given(
    st.binary() | st.text().map(str.encode) | st.text(alphabet='{}[]",:0123456789eE+-.truefalsn\\u ').map(str.encode)
)
def test_any_bytes_are_read_or_refused_as_the_standard_reader_would(data: bytes) -> None:
    try:
        value = loads(data)
    except JsonRefused:
        return
    assert value == json.loads(data)


@given(_VALUES, st.data())
def test_a_document_cut_anywhere_is_refused(value: JsonValue, data: st.DataObject) -> None:
    text = dumps_compact([value]).encode()
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(JsonRefused):
        loads(text[:cut])


def test_the_last_of_two_keys_counts_where_that_is_asked_for() -> None:
    assert loads(b'{"a":1,"a":2}', unique_keys=False) == {"a": 2}


def test_a_long_number_is_cut_in_its_refusal() -> None:
    with pytest.raises(JsonRefused) as refused:
        loads(b"1" * 1000, max_number=2000)
    assert refused.value.found == "1" * 40 + "... (1000 characters)"
