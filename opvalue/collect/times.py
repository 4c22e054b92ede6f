"""When an event happened: the ordering key in milliseconds (reference 1.2).

The unit of a number comes from its source, never from its magnitude. A text counts only as a full ISO date and time
with seconds and a zone. Anything else leaves the event untimed, its time kept as it was found.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from opvalue.strictjson import JsonObject, JsonValue, is_number

NAMES: Final = ("timestamp", "ts", "time", "created_at")
"""Fields that hold an event's time, the first present counts; then ``message.timestamp``."""

_MOST: Final = 8.64e15
_MILLISECONDS: Final = 1000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_DATE_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_NO_TIME: Final = object()


def stamp(record: JsonObject) -> tuple[bool, JsonValue]:
    """Return whether ``record`` states a time, and that time as it was found."""
    for name in NAMES:
        value = record.get(name, _NO_TIME)
        if value is not _NO_TIME:
            return True, value  # type: ignore[return-value]
    message = record.get("message")
    if isinstance(message, dict) and "timestamp" in message:
        return True, message["timestamp"]
    return False, None


def milliseconds(value: JsonValue, *, seconds: bool = False) -> int | float | None:
    """Return ``value`` as milliseconds since 1970, or ``None``. ``seconds``: numbers of this source are seconds."""
    if isinstance(value, str):
        return _of_text(value)
    if not is_number(value):
        return None
    number = value * _MILLISECONDS if seconds else value
    within = abs(number) <= _MOST  # false also of NaN
    if not within:
        return None
    return int(number) if number == int(number) else number


def _of_text(text: str) -> int | None:
    found = _DATE_TIME.fullmatch(text)
    if found is None:
        return None
    fraction = (found[7] or "")[:3].ljust(3, "0")
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    try:
        moment = datetime(year, month, day, hour, minute, second, int(fraction) * 1000, tzinfo=UTC)
    except ValueError:
        return None
    hours, minutes = int(found[9] or 0), int(found[10] or 0)
    if hours > 23 or minutes > 59:
        return None
    offset = timedelta(hours=hours, minutes=minutes)
    since = moment - _EPOCH
    return (since + offset if found[8] == "-" else since - offset) // _MILLISECOND
