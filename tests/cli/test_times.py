"""Times are shown as dates where there is one, and never as more digits than a person reads."""

import pytest

from opvalue.cli.times import duration, moment, seconds


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1.5, "1970-01-01T00:00:00.001Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "253402300800000 ms"),
        (-62_135_596_800_001, "-62135596800001 ms"),
        (1e300, "1e+300 ms"),
        (int("1" * 300), "1.111e+299 ms"),
    ],
)
def test_a_moment(milliseconds: float, shown: str) -> None:
    assert moment(milliseconds) == shown


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (0, "0 ms"),
        (12, "12 ms"),
        (12.5, "12.5 ms"),
        (12.0, "12 ms"),
        (-0.0, "0 ms"),
        (10**250, "1e+250 ms"),
        (10**18, "1000000000000000000 ms"),
        (10**19, "1e+19 ms"),
        (1e308, "1e+308 ms"),
        (5e-324, "5e-324 ms"),
    ],
)
def test_a_duration(milliseconds: float, shown: str) -> None:
    assert duration(milliseconds) == shown


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        (0, 61_250, "61.250"),
        (1_700_000_000_123, 1_700_000_000_124, "0.001"),
        (5, 4, "-0.001"),
        (0, 999_999_999_999_999, "999999999999.999"),
        (0, 10**15, "1e+12"),
        (0, 1e300, "1e+297"),
        (-1.7e308, 1.7e308, "3.4e+305"),
        (1.7e308, -(10**308), "-2.7e+305"),
    ],
)
def test_seconds_between_two_times(start: float, end: float, shown: str) -> None:
    assert seconds(start, end) == shown
