"""Where a script is run a second time."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from opvalue.identity import Instant
from verifier.elsewhere import environment


@pytest.mark.parametrize("time", ["00:00:00", "09:30:00", "11:29:59", "11:30:00", "12:00:00", "23:59:59"])
def test_a_time_falls_on_another_day_and_at_another_minute(time: str) -> None:
    moment = f"2026-08-11T{time}Z"
    found = environment(Instant.parse(moment))
    behind = found["TZ"] == "BEHIND11:30"
    offset = -timedelta(hours=11, minutes=30) if behind else timedelta(hours=13, minutes=45)
    assert behind or found["TZ"] == "AHEAD-13:45"
    utc = datetime.fromisoformat(moment).astimezone(UTC)
    there = utc.astimezone(timezone(offset))
    assert there.date() != utc.date()
    assert there.minute != utc.minute
    assert (found["LC_ALL"], found["LANG"]) == ("C.UTF-8", "C.UTF-8")
