"""How long a server asks to wait, from the headers of its answer (RFC 9110 10.2.3; GitHub's rate limits).

Times are taken relative to the server's own ``Date`` where it gives one, so a wrong clock here changes nothing.
"""

import re
from collections.abc import Mapping

_SECONDS = re.compile(r"[0-9]{1,9}")
_EPOCH = re.compile(r"[0-9]{1,11}")


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that ``Retry-After`` asks for, as a number or a date; ``None`` without a readable one.

    ``now`` is this machine's time in seconds since the epoch.
    """
    text = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    moment = _date(text)
    return None if moment is None else max(0.0, moment - _server_time(headers, now))


def reset_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds until just after ``x-ratelimit-reset``; ``None`` without a readable one."""
    moment = reset_time(headers)
    return None if moment is None else max(0.0, moment + 1 - _server_time(headers, now))


def reset_time(headers: Mapping[str, str]) -> int | None:
    """Return ``x-ratelimit-reset`` in seconds since the epoch; ``None`` without a readable one."""
    text = headers.get("x-ratelimit-reset", "").strip()
    return int(text) if _EPOCH.fullmatch(text) else None


def _server_time(headers: Mapping[str, str], now: float) -> float:
    moment = _date(headers.get("date", ""))
    return now if moment is None else moment


def _date(text: str) -> float | None:
    from datetime import UTC  # noqa: PLC0415 - a mail parser is a lot to load for a header that is seldom there
    from email.utils import parsedate_to_datetime  # noqa: PLC0415

    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
