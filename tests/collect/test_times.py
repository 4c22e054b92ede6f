"""When an event happened."""

from typing import Any

import pytest

from opvalue.collect.times import milliseconds, stamp

AT = 1793613601000


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, 0),
        (-5, -5),
        (1.5, 1.5),
        (2.0, 2),
        (8.64e15, 8640000000000000),
        (8.64e15 + 2, None),
        (-8.7e15, None),
        (10**400, None),
        (True, None),
        (None, None),
        ({}, None),
        ("2026-11-02T10:00:01Z", AT),
        ("2026-11-02T10:00:01.100Z", AT + 100),
        ("2026-11-02T10:00:01.123456789Z", AT + 123),
        ("2026-11-02T12:30:01+02:30", AT),
        ("2026-11-02T07:30:01-02:30", AT),
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2026-11-02", None),
        ("2026-11-02T10:00Z", None),
        ("2026-11-02T10:00:01", None),
        ("2026-11-02 10:00:01Z", None),
        ("2026-02-30T10:00:01Z", None),
        ("2026-11-02T10:00:60Z", None),
        ("2026-11-02T24:00:00Z", None),
        ("2026-11-02T10:00:01+24:00", None),
        ("2026-11-02T10:00:01+02:60", None),
        ("0000-01-01T00:00:00Z", None),
        ("1793613601000", None),
        ("\uff12026-11-02T10:00:01Z", None),
        ("2026-11-02T10:00:01Z\n", None),
        ("", None),
        ("***", None),
    ],
)
def test_milliseconds(value: Any, expected: float | None) -> None:
    assert milliseconds(value) == expected
    assert type(milliseconds(value)) is type(expected)


def test_seconds_are_the_sources_word() -> None:
    assert milliseconds(1793613601.25, seconds=True) == AT + 250
    assert milliseconds("2026-11-02T10:00:01Z", seconds=True) == AT
    assert milliseconds(8.64e15, seconds=True) is None


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"message": {"timestamp": 5}, "created_at": 4, "time": 3, "ts": 2, "timestamp": 1}, (True, 1)),
        ({"message": {"timestamp": 5}, "created_at": 4, "time": 3, "ts": 2}, (True, 2)),
        ({"message": {"timestamp": 5}, "created_at": 4, "time": 3}, (True, 3)),
        ({"message": {"timestamp": 5}, "created_at": 4}, (True, 4)),
        ({"message": {"timestamp": 5}}, (True, 5)),
        ({"timestamp": None, "ts": 2}, (True, None)),
        ({"message": "x"}, (False, None)),
        ({"message": {}}, (False, None)),
    ],
)
def test_the_first_time_that_is_stated(record: Any, expected: tuple[bool, Any]) -> None:
    assert stamp(record) == expected
