"""What an answer means: usable, worth another try, a limit, a denial (HB-03, HB-05).

Pure: it looks at an answer that was read. Only the API's own word counts for limits and denials; the storage behind
a signed link knows neither token nor limit.
"""

from typing import Final, NamedTuple, NoReturn

from opvalue.http.client import Response
from opvalue.http.credentials import Token
from opvalue.http.errors import (
    AnonymousRefused,
    Forbidden,
    LinkRefused,
    ProxyRefused,
    RateLimited,
    SecondaryLimited,
    ServerFailed,
    TokenMissing,
    Unauthorized,
)
from opvalue.http.retries import Again
from opvalue.http.waits import reset_after, reset_time, retry_after
from opvalue.identity import Host, Instant
from opvalue.strictjson import JsonObject, JsonRefused, loads

SECONDARY_SECONDS: Final = 60.0
"""The wait GitHub documents for a secondary limit that names none."""

_SECONDARY_WORDS: Final = (b"secondary rate limit", b"secondary-rate-limits", b"abuse detection mechanism")
_PRIMARY_TYPES: Final = ("RATE_LIMITED", "RATE_LIMIT")
"""What GitHub's GraphQL API calls an exhausted limit, in two spellings of its own."""
_SHOWN: Final = 200


class Asker(NamedTuple):
    """On whose behalf a read is made, for the words of an error."""

    host: Host
    token: Token | None
    looked_for: tuple[str, ...]
    """Empty for a read that is made without a token on purpose."""


def nobody(host: Host) -> Asker:
    """Return whom a read without a token on purpose is made for."""
    return Asker(host, None, ())


def judge(response: Response, asker: Asker, *, at_api: bool, now: float) -> Again | None:
    """Return ``None`` for an answer the caller should judge, or that and why to try again.

    ``now`` is in seconds since the epoch. Raises ``ProxyRefused``, ``TokenMissing``, ``AnonymousRefused``,
    ``Unauthorized``, ``Forbidden``.
    """
    status = response.status
    if status == 407:
        raise ProxyRefused("the proxy asks for a login")
    if status >= 500 or status == 408 or (status == 429 and not at_api):
        return _server_failed(response, asker, now=now, at_api=at_api)
    if not at_api:
        refused = f"the storage that {asker.host} pointed to refused its link"
        return Again(LinkRefused(refused, found=f"status {status}")) if status in {401, 403} else None
    limit = _limit(response, asker, now) if status in {403, 429} else None
    if limit is None and status in {401, 403}:
        _deny(response, asker)
    return limit


def judge_query(response: Response, asker: Asker, *, now: float) -> Again | None:
    """Return that and why to try again when a GraphQL answer of status 200 tells of a limit in its errors."""
    if b'"errors"' not in response.body:
        return None
    try:
        document = loads(response.body, what="the answer")
    except JsonRefused:
        return None
    errors = document.get("errors") if isinstance(document, dict) else None
    found = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    asked = retry_after(response.headers, now)
    if any(_tells_of_secondary(error) for error in found):
        return _secondary(asker, asked)
    if any(error.get("type") in _PRIMARY_TYPES for error in found):
        wait = asked if asked is not None else reset_after(response.headers, now)
        return Again(_rate_limited(response, asker), SECONDARY_SECONDS if wait is None else wait, grows=wait is None)
    return None


def _tells_of_secondary(error: JsonObject) -> bool:
    message = error.get("message")
    return isinstance(message, str) and any(word in message.lower().encode() for word in _SECONDARY_WORDS)


def _server_failed(response: Response, asker: Asker, *, now: float, at_api: bool) -> Again:
    who = f"the API of {asker.host}" if at_api else f"the storage that {asker.host} pointed to"
    error = ServerFailed(f"{who} failed", expected="an answer", found=f"status {response.status}")
    asked = retry_after(response.headers, now)
    return Again(error) if asked is None else Again(error, asked, grows=False)


def _limit(response: Response, asker: Asker, now: float) -> Again | None:
    headers = response.headers
    asked = retry_after(headers, now)
    words = response.body.lower()
    secondary = any(word in words for word in _SECONDARY_WORDS)
    if not secondary and headers.get("x-ratelimit-remaining", "").strip() == "0":
        wait = asked if asked is not None else reset_after(headers, now)
        return Again(_rate_limited(response, asker), SECONDARY_SECONDS if wait is None else wait, grows=wait is None)
    if not secondary and asked is None and response.status != 429:
        return None
    return _secondary(asker, asked)


def _secondary(asker: Asker, asked: float | None) -> Again:
    found = "no wait named" if asked is None else f"a wait of {asked:.0f} seconds"
    error = SecondaryLimited(f"{asker.host} asks to slow down (secondary rate limit)", found=found)
    return Again(error, SECONDARY_SECONDS if asked is None else asked, grows=asked is None)


def _rate_limited(response: Response, asker: Asker) -> RateLimited:
    reset = reset_time(response.headers)
    # The last year an instant can be written in; a reset beyond it is no reset.
    known = reset is not None and reset < 253_402_300_800
    who = f"the token from {asker.token.source}" if asker.token else "requests without a token"
    looked_for = ", ".join(asker.looked_for)
    return RateLimited(
        f"{asker.host} answers no more requests for now: the hourly limit of {who} is used up",
        found=f"no request left until {Instant((reset or 0) * 1000)}" if known else "no request left",
        hint=f"A token raises the limit. Looked for: {looked_for}." if looked_for and not asker.token else None,
    )


def _deny(response: Response, asker: Asker) -> NoReturn:
    """Raise what a 401 or 403 means that is no limit."""
    found = _said(response, asker.token)
    if asker.token is None and not asker.looked_for:
        raise AnonymousRefused(f"{asker.host} does not show this to everybody", found=found)
    if asker.token is None:
        raise TokenMissing(
            f"{asker.host} wants a token and none was found", expected=" or ".join(asker.looked_for), found=found
        )
    if response.status == 401:
        raise Unauthorized(f"{asker.host} does not accept the token from {asker.token.source}", found=found)
    raise Forbidden(f"{asker.host} denies this read to the token from {asker.token.source}", found=found)


def _said(response: Response, token: Token | None) -> str:
    """Return the status and the API's own words, without the token should they repeat it."""
    status = f"status {response.status}"
    try:
        document = loads(response.body, what="the answer")
    except JsonRefused:
        return status
    message = document.get("message") if isinstance(document, dict) else None
    if not isinstance(message, str):
        return status
    if token is not None:
        message = message.replace(token.reveal(), "***")
    if "x-github-sso" in response.headers:
        message += " (the token is not authorised for SSO)"
    return f"{status}: {message[:_SHOWN]}"
