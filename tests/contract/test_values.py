import math

import pytest

from opvalue.contract.values import ABSENT, is_share, is_slug, is_text, positive_zero, shown


@pytest.mark.parametrize("value", ["a", " a ", "—", "\u200b", "0"])
def test_text(value: object) -> None:
    assert is_text(value)


@pytest.mark.parametrize(
    "value", ["", " ", "\t\r\n", "\u00a0\u2003\u3000", "\ufeff", " \ufeff\x85", None, 1, [], ABSENT]
)
def test_blank_or_no_text(value: object) -> None:
    assert not is_text(value)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, -0.0, 5e-324, 0.5])
def test_share(value: object) -> None:
    assert is_share(value)


@pytest.mark.parametrize(
    "value", [True, False, None, "1", -5e-324, 1.0000000000000002, 2, -1, math.nan, math.inf, [1], ABSENT]
)
def test_no_share(value: object) -> None:
    assert not is_share(value)


@pytest.mark.parametrize("value", ["acme/widgets", "A-b_c/x.y-z", "a/b"])
def test_slug(value: object) -> None:
    assert is_slug(value)


@pytest.mark.parametrize(
    "value", ["", "acme", "acme/", "/widgets", "ghe.example.com/acme/widgets", "a b/c", "a/..", 1, None]
)
def test_no_slug(value: object) -> None:
    assert not is_slug(value)


def test_positive_zero() -> None:
    assert math.copysign(1, positive_zero(-0.0)) == 1
    assert positive_zero(0.25) == 0.25
    assert positive_zero(1) == 1


def test_shown_is_short_json() -> None:
    assert shown(ABSENT) == "nothing"
    assert shown(None) == "null"
    assert shown({"a": True}) == '{"a":true}'
    assert shown("x" * 100) == '"' + "x" * 59 + "..."
