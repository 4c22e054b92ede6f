"""Metrics that make a number of nothing."""

import pytest

from tests.verifier.running import found

_ID = "metric-missing"
_FORM = 'type != "object" or (.events | type) != "array" then null'


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ('type != "object" or (.events | type) != "array" then 0', "gives 0 for the example missing"),
        (".events == null then null", "fails for the example malformed"),
        ('(.events | type) == "string" then 1 elif .events == null then null', "gives 1 for the example malformed"),
    ],
)
def test_a_number_or_a_failure_is_an_error(new: str, text: str) -> None:
    assert any(one.startswith("error") and text in one for one in found(_ID, (_FORM, new)))


def test_null_is_fine() -> None:
    assert found(_ID) == []
