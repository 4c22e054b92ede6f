import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.conclusion.json_places import JsonPlaces

TEXT = """{
  "a": [{"b": 1}, "]"],
  "\\u0062": {"x\\"y": {}, "z": -1e3},
\t"a b":null}"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("b", 'x"y', "none"), (3, 22), (3, 22)),
        (("a",), (2, 8), (2, 3)),
        (("b",), (3, 13), (3, 3)),
        (("b", 'x"y'), (3, 22), (3, 14)),
        (("b", "z"), (3, 31), (3, 26)),
        (("a b",), (4, 8), (4, 2)),
        (("b", "absent", "deeper"), (3, 13), (3, 13)),
        (("a", "b"), (2, 8), (2, 8)),
        (("absent",), (1, 1), (1, 1)),
    ],
)
def test_places(path: tuple[str, ...], value: tuple[int, int], key: tuple[int, int]) -> None:
    assert JsonPlaces(TEXT).find(path) == value
    assert JsonPlaces(TEXT).find(path, key=True) == key


_VALUES = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=4)),
    max_leaves=12,
)


@given(_VALUES, st.sampled_from([None, 1, "\t"]))
def test_every_value_is_found_where_it_is_written(value: Any, indent: Any) -> None:
    text = json.dumps(value, indent=indent)
    places = JsonPlaces(text)
    lines = text.split("\n")

    def check(inner: Any, path: tuple[str, ...]) -> None:
        line, column = places.find(path)
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        assert json.JSONDecoder().raw_decode(rest)[0] == inner
        for key, child in inner.items() if isinstance(inner, dict) else ():
            check(child, (*path, key))

    check(value, ())
