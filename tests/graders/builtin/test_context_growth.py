import pytest

from opvalue.graders.builtin.context_growth import measure
from tests.graders.samples import lookups, requests


def test_one_request() -> None:
    assert measure(requests(count=1, total_tokens=150, first_total=150)).value == 1


def test_the_total_over_the_first() -> None:
    assert measure(requests(count=2, total_tokens=450, first_total=150)).value == 3


@pytest.mark.parametrize("first", [None, 0])
def test_nothing_to_divide_by(first: int | None) -> None:
    grown = requests(count=2, total_tokens=300, first_total=first)
    assert measure(grown) == (None, "the first request shows no tokens")


def test_a_later_request_that_shows_no_tokens() -> None:
    short = requests(count=3, total_tokens=450, first_total=150, without_tokens=1)
    assert measure(short) == (None, "a request shows no tokens")


def test_without_requests() -> None:
    assert measure(lookups(collected=frozenset({"firewall"}))).value is None
