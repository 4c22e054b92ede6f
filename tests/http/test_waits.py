"""How long a server asks to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.http.waits import reset_after, reset_time, retry_after
from tests.http.conftest import NOW

AT = "Fri, 15 Jan 2027 08:00:00 GMT"
"""The instant ``NOW``."""
LATER = "Fri, 15 Jan 2027 08:01:40 GMT"
EARLIER = "Fri, 15 Jan 2027 07:59:00 GMT"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0", 0),
        ("30", 30),
        (" 30 ", 30),
        (AT, 0),
        (LATER, 100),
        (EARLIER, 0),
        ("Friday, 15-Jan-27 08:01:40 GMT", 100),
        ("Fri Jan 15 08:01:40 2027", 100),
        ("Fri, 15 Jan 2027 09:01:40 +0100", 100),
        ("Fri, 15 Jan 2027 08:01:40 -0000", 100),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("9" * 5000, None),
        ("Fri, 99 Jan 2027 08:01:40 GMT", None),
        ("Fri, 15 Jan 99999 08:01:40 GMT", None),
        ("\u0663\u0660", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, expected: float | None) -> None:
    assert retry_after({"retry-after": value}, NOW) == expected


def test_no_header_is_no_wait() -> None:
    assert (retry_after({}, NOW), reset_after({}, NOW), reset_time({})) == (None, None, None)


def test_the_servers_clock_beats_ours() -> None:
    for wrong in (0.0, NOW + 86_400):
        assert retry_after({"retry-after": LATER, "date": AT}, wrong) == 100
        assert reset_after({"x-ratelimit-reset": str(int(NOW) + 100), "date": AT}, wrong) == 101
    assert retry_after({"retry-after": LATER, "date": "nonsense"}, NOW) == 100


@pytest.mark.parametrize(
    ("value", "expected"),
    [(str(int(NOW)), 1), (str(int(NOW) + 59), 60), (str(int(NOW) - 99), 0), ("x", None), ("-5", None), ("1e9", None)],
)
def test_the_reset_is_waited_out(value: str, expected: float | None) -> None:
    assert reset_after({"x-ratelimit-reset": value}, NOW) == expected


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_header_gives_a_wait_or_none(one: str, other: str) -> None:
    for wait in (retry_after({"retry-after": one, "date": other}, NOW), reset_after({"x-ratelimit-reset": one}, NOW)):
        assert wait is None or wait >= 0
