"""Limits told apart from denial (HB-05), and what either ends with (HB-03)."""

from collections.abc import Callable, Iterator

import pytest

from opvalue.errors import Kind
from opvalue.limits import Limits
from tests.http.conftest import CANARY, NOW, MakeClient, Waits, fails
from tests.http.site import Reply, Site, json_reply

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]

SECONDARY = '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}'
ABUSE = '{"message":"You have triggered an abuse detection mechanism."}'
LINKED = '{"message":"Slow down","documentation_url":"https://docs.github.com/rest#about-secondary-rate-limits"}'
PRIMARY = '{"message":"API rate limit exceeded for user ID 1."}'
DENIED = '{"message":"Resource not accessible by personal access token"}'


def reset_in(seconds: int) -> dict[str, str]:
    return {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) + seconds)}


def once(serve: Serve, reply: Reply) -> Site:
    """A site that gives ``reply`` first, and then an answer."""
    replies: Iterator[Reply] = iter([reply, json_reply("[1]")])
    return serve(lambda _: next(replies))


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize(
    ("body", "headers", "wait"),
    [
        (PRIMARY, reset_in(30), 31),
        (PRIMARY, reset_in(30) | {"Retry_After": "12"}, 12),
        (PRIMARY, reset_in(-30), 0.5),
        (PRIMARY, {"X_RateLimit_Remaining": "0"}, 60),
        (SECONDARY, {}, 60),
        (ABUSE, {}, 60),
        (LINKED, {}, 60),
        (SECONDARY, {"Retry_After": "7"}, 7),
        (SECONDARY, {"Retry_After": "Fri, 15 Jan 2027 08:00:09 GMT"}, 9),
        (SECONDARY, reset_in(3000) | {"Retry_After": "7"}, 7),
        (DENIED, {"Retry_After": "5"}, 5),
    ],
)
def test_a_limit_is_waited_for(
    serve: Serve, make_client: MakeClient, waits: Waits, status: int, body: str, headers: dict[str, str], wait: float
) -> None:
    site = once(serve, json_reply(body, status, **headers))
    assert make_client(site.root).get(site.root).body == b"[1]"
    assert waits.seconds == [wait]


def test_too_many_requests_without_a_word_is_a_secondary_limit(
    serve: Serve, make_client: MakeClient, waits: Waits
) -> None:
    site = once(serve, json_reply("{}", 429))
    assert make_client(site.root).get(site.root).body == b"[1]"
    assert waits.seconds == [60]


def test_a_reset_too_far_away_is_not_waited_for(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = serve(lambda _: json_reply(PRIMARY, 403, **reset_in(2400)))
    client = make_client(site.root)
    error = fails("http.rate-limited", lambda: client.get(site.root))
    assert error.kind is Kind.NOT_OBSERVED
    assert error.found == "no request left until 2027-01-15T08:40:00.000Z"
    assert "GH_TOKEN" in error.message
    assert (len(site.asked), waits.seconds) == (1, [])


def test_without_a_token_the_limits_error_says_that_one_would_help(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply(PRIMARY, 403, X_RateLimit_Remaining="0", X_RateLimit_Reset="9" * 11))
    client = make_client(site.root, environ={}, limits=Limits(read_tries=1))
    error = fails("http.rate-limited", lambda: client.get(site.root))
    assert error.found == "no request left until 5138-11-16T09:46:39.000Z"
    assert (
        error.hint
        == "A token raises the limit. Looked for: GH_TOKEN, GITHUB_TOKEN, gh auth token --hostname github.com."
    )


def test_a_reset_that_is_no_time_is_not_shown(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply(PRIMARY, 403, X_RateLimit_Remaining="0", X_RateLimit_Reset="never"))
    client = make_client(site.root, limits=Limits(read_tries=1))
    assert fails("http.rate-limited", lambda: client.get(site.root)).found == "no request left"


def test_a_secondary_limit_that_stays_ends_within_the_cap(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = serve(lambda _: json_reply(SECONDARY, 403))
    client = make_client(site.root)
    error = fails("http.secondary-limit", lambda: client.get(site.root))
    assert error.kind is Kind.NOT_OBSERVED
    assert error.found == "no wait named"
    assert waits.seconds == [60, 120]


def test_a_secondary_limit_with_a_long_wait_names_it(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = serve(lambda _: json_reply(SECONDARY, 429, Retry_After="3600"))
    client = make_client(site.root)
    error = fails("http.secondary-limit", lambda: client.get(site.root))
    assert error.found == "a wait of 3600 seconds"
    assert waits.seconds == []


@pytest.mark.parametrize("remaining", [{}, {"X_RateLimit_Remaining": "41"}])
def test_a_denial_is_not_tried_again(
    serve: Serve, make_client: MakeClient, waits: Waits, remaining: dict[str, str]
) -> None:
    site = serve(lambda _: json_reply(DENIED, 403, **remaining))
    client = make_client(site.root)
    error = fails("http.forbidden", lambda: client.get(site.root))
    assert error.kind is Kind.CREDENTIALS
    assert error.message == "github.com denies this read to the token from GH_TOKEN"
    assert error.found == "status 403: Resource not accessible by personal access token"
    assert (len(site.asked), waits.seconds) == (1, [])


def test_a_denial_for_want_of_sso_says_so(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply('{"message":"SAML"}', 403, X_GitHub_SSO="required; url=https://x"))
    client = make_client(site.root)
    error = fails("http.forbidden", lambda: client.get(site.root))
    assert error.found == "status 403: SAML (the token is not authorised for SSO)"


def test_a_token_that_is_not_accepted(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = serve(lambda _: json_reply('{"message":"Bad credentials"}', 401))
    client = make_client(site.root)
    error = fails("http.unauthorized", lambda: client.get(site.root))
    assert error.kind is Kind.CREDENTIALS
    assert error.message == "github.com does not accept the token from GH_TOKEN"
    assert error.found == "status 401: Bad credentials"
    assert (len(site.asked), waits.seconds) == (1, [])


@pytest.mark.parametrize("status", [401, 403])
def test_no_token_where_one_is_wanted_names_what_was_looked_for(
    serve: Serve, make_client: MakeClient, status: int
) -> None:
    site = serve(lambda _: json_reply('{"message":"Requires authentication"}', status))
    client = make_client(site.root, environ={})
    error = fails("http.token-missing", lambda: client.get(site.root))
    assert error.kind is Kind.CREDENTIALS
    assert error.expected == "GH_TOKEN or GITHUB_TOKEN or gh auth token --hostname github.com"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f'{{"message":"you sent {CANARY}"}}', "status 401: you sent ***"),
        ('{"message":"' + "long" * 100 + '"}', "status 401: " + "long" * 50),
        ('{"message":7}', "status 401"),
        ("[]", "status 401"),
        ("<html>", "status 401"),
        ("\x1b[31m", "status 401"),
    ],
)
def test_the_apis_words_are_shown_without_the_token_and_short(
    serve: Serve, make_client: MakeClient, body: str, found: str
) -> None:
    site = serve(lambda _: json_reply(body, 401))
    client = make_client(site.root)
    assert fails("http.unauthorized", lambda: client.get(site.root)).found == found


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 599])
def test_a_failing_server_is_asked_again(serve: Serve, make_client: MakeClient, waits: Waits, status: int) -> None:
    site = serve(lambda _: json_reply("{}", status))
    client = make_client(site.root)
    error = fails("http.server-failed", lambda: client.get(site.root))
    assert error.kind is Kind.NOT_OBSERVED
    assert error.found == f"status {status}"
    assert waits.seconds == [0.5, 1, 2, 4]


def test_a_failing_server_may_name_the_wait(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = once(serve, json_reply("{}", 503, Retry_After="20"))
    assert make_client(site.root).get(site.root).body == b"[1]"
    assert waits.seconds == [20]
