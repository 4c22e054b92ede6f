"""Reads for evidence: what is sent, with and without a token, queries, and what they end with."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from opvalue.errors import Kind
from opvalue.http import Ask
from tests.http.conftest import CANARY, NOW, MakeClient, Waits, fails
from tests.http.site import Reply, Site, json_reply, redirect

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]
CAP = 1000
QUERY = b'{"query":"{viewer{login}}"}'


def get(site: Site, path: str = "/x", **more: Any) -> Ask:
    return Ask("GET", site.root + path, **more)


def query(site: Site) -> Ask:
    return Ask("POST", f"{site.root}/graphql", body=QUERY)


def test_what_is_asked_for_is_sent(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply("[1]"))
    ask = get(site, "/repos/a/b?q=1%2F2", accept="application/vnd.github.raw", api_version="2026-01-01")
    assert make_client(site.root).exchange(ask, anonymous=False, cap=CAP).body == b"[1]"
    (asked,) = site.asked
    assert (asked.method, asked.path) == ("GET", "/repos/a/b?q=1%2F2")
    assert asked.headers["accept"] == "application/vnd.github.raw"
    assert asked.headers["x-github-api-version"] == "2026-01-01"
    assert asked.headers["authorization"] == f"Bearer {CANARY}"
    assert "content-type" not in asked.headers


def test_the_usual_version_where_none_is_named(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply())
    make_client(site.root).exchange(get(site), anonymous=False, cap=CAP)
    assert site.asked[0].headers["x-github-api-version"] == "2022-11-28"
    assert site.asked[0].headers["accept"] == "*/*"


@pytest.mark.parametrize("ask", [get, query])
def test_anonymous_sends_no_token_on_any_hop(serve: Serve, make_client: MakeClient, ask: Callable[..., Ask]) -> None:
    site: Site = serve(lambda asked: redirect("/y") if asked.path == "/x" else json_reply())
    assert make_client(site.root).exchange(ask(site), anonymous=True, cap=CAP).status == 200
    assert all("authorization" not in asked.headers for asked in site.asked)
    assert CANARY not in site.seen


@pytest.mark.parametrize("status", [401, 403])
def test_a_denial_without_a_token_is_no_lack_of_credentials(serve: Serve, make_client: MakeClient, status: int) -> None:
    site = serve(lambda _: json_reply('{"message":"Requires authentication"}', status))
    client = make_client(site.root)
    error = fails("http.anonymous-refused", lambda: client.exchange(get(site), anonymous=True, cap=CAP))
    assert error.kind is Kind.NOT_OBSERVED
    assert error.found == f"status {status}: Requires authentication"


@pytest.mark.parametrize(
    ("status", "token", "code"),
    [(401, True, "http.unauthorized"), (403, True, "http.forbidden"), (401, False, "http.token-missing")],
)
def test_other_denials_are_as_ever(
    serve: Serve, make_client: MakeClient, status: int, *, token: bool, code: str
) -> None:
    site = serve(lambda _: json_reply('{"message":"no"}', status))
    client = make_client(site.root, environ=None if token else {})
    fails(code, lambda: client.exchange(get(site), anonymous=False, cap=CAP))


def test_an_anonymous_limit_does_not_ask_for_a_token(serve: Serve, make_client: MakeClient) -> None:
    headers = {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) + 4000)}
    site = serve(lambda _: json_reply('{"message":"limit"}', 403, **headers))
    client = make_client(site.root)
    error = fails("http.rate-limited", lambda: client.exchange(get(site), anonymous=True, cap=CAP))
    assert error.hint == "Run the command again after the reset."


@pytest.mark.parametrize("size", [CAP, CAP + 1])
def test_the_cap_is_the_callers(serve: Serve, make_client: MakeClient, size: int) -> None:
    site = serve(lambda _: Reply(200, (), b"x" * size))
    client = make_client(site.root)
    if size == CAP:
        assert len(client.exchange(get(site), anonymous=False, cap=CAP).body) == CAP
        return
    error = fails("http.answer-too-large", lambda: client.exchange(get(site), anonymous=False, cap=CAP))
    assert error.expected == "at most 1000 bytes"
    assert len(site.asked) == 1


def test_a_query_is_posted(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply('{"data":{}}'))
    answer = make_client(site.root).exchange(query(site), anonymous=False, cap=CAP)
    assert answer.body == b'{"data":{}}'
    (asked,) = site.asked
    assert (asked.method, asked.path, asked.body) == ("POST", "/graphql", QUERY)
    assert asked.headers["content-type"] == "application/json; charset=utf-8"
    assert asked.headers["authorization"] == f"Bearer {CANARY}"


@pytest.mark.parametrize("reply", [Reply(reset=True), json_reply("{}", 502), Reply(200, (), b"{}", cut=1)])
def test_a_query_is_repeated_like_any_read(serve: Serve, make_client: MakeClient, waits: Waits, reply: Reply) -> None:
    replies: Iterator[Reply] = iter([reply, json_reply('{"data":1}')])
    site = serve(lambda _: next(replies))
    assert make_client(site.root).exchange(query(site), anonymous=False, cap=CAP).body == b'{"data":1}'
    assert [asked.body for asked in site.asked] == [QUERY, QUERY]
    assert waits.seconds == [0.5]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("away", [False, True])
def test_what_is_posted_is_not_sent_on(serve: Serve, make_client: MakeClient, status: int, *, away: bool) -> None:
    other = serve(lambda _: json_reply())
    site: Site = serve(lambda _: redirect(f"{other.root}/graphql" if away else "/elsewhere", status))
    client = make_client(site.root)
    fails("http.redirect-unusable", lambda: client.exchange(query(site), anonymous=False, cap=CAP))
    assert len(site.asked) == 1
    assert other.asked == []


def test_a_redirect_elsewhere_carries_neither_token_nor_what_was_asked_for(
    serve: Serve, make_client: MakeClient
) -> None:
    storage = serve(lambda _: Reply(200, (), b"tar"))
    site: Site = serve(lambda _: redirect(f"{storage.root}/tarball"))
    ask = get(site, accept="application/vnd.github.v3+json", api_version="2026-01-01")
    assert make_client(site.root).exchange(ask, anonymous=False, cap=CAP).body == b"tar"
    (asked,) = storage.asked
    assert not {"authorization", "x-github-api-version"} & set(asked.headers)
    assert asked.headers["accept"] == "*/*"


def errors(*found: Any, **more: Any) -> str:
    return json.dumps({"data": None, "errors": list(found), **more})


LIMITED = errors({"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."})
LIMITED_TOO = errors(
    {"type": "RATE_LIMIT", "code": "graphql_rate_limit", "message": "API rate limit already exceeded for user ID 1."}
)
SLOWED = errors({"message": "You have exceeded a secondary rate limit."})


@pytest.mark.parametrize(
    ("body", "headers", "wait"),
    [
        (LIMITED, {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) + 30)}, 31),
        (LIMITED, {"Retry_After": "12"}, 12),
        (LIMITED, {}, 60),
        (LIMITED_TOO, {"Retry_After": "12"}, 12),
        (SLOWED, {}, 60),
        (SLOWED, {"Retry_After": "7"}, 7),
    ],
)
def test_a_limit_told_in_an_error_of_a_query_is_waited_for(
    serve: Serve, make_client: MakeClient, waits: Waits, body: str, headers: dict[str, str], wait: float
) -> None:
    replies = iter([json_reply(body, 200, **headers), json_reply("{}")])
    site = serve(lambda _: next(replies))
    assert make_client(site.root).exchange(query(site), anonymous=False, cap=CAP).body == b"{}"
    assert waits.seconds == [wait]


@pytest.mark.parametrize(("body", "code"), [(LIMITED, "http.rate-limited"), (SLOWED, "http.secondary-limit")])
def test_a_limit_of_queries_that_stays_is_said(serve: Serve, make_client: MakeClient, body: str, code: str) -> None:
    site = serve(lambda _: json_reply(body, X_RateLimit_Reset=str(int(NOW) + 4000), Retry_After="4000"))
    client = make_client(site.root)
    fails(code, lambda: client.exchange(query(site), anonymous=False, cap=CAP))


@pytest.mark.parametrize(
    "body",
    [
        errors({"type": "NOT_FOUND", "message": "Could not resolve"}),
        errors("text", None, {"message": 1, "type": 2}),
        json.dumps({"data": {"body": 'a secondary rate limit with "errors"'}, "errors": 3}),
        '{"data":{"body":"secondary rate limit"},"errors":',
        '["errors"]',
    ],
)
def test_other_errors_of_queries_are_for_the_caller(
    serve: Serve, make_client: MakeClient, waits: Waits, body: str
) -> None:
    site = serve(lambda _: json_reply(body))
    assert make_client(site.root).exchange(query(site), anonymous=False, cap=CAP).body == body.encode()
    assert waits.seconds == []


def test_what_is_got_is_not_read_as_a_querys_answer(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = serve(lambda _: json_reply(LIMITED))
    assert make_client(site.root).exchange(get(site), anonymous=False, cap=CAP).status == 200
    assert waits.seconds == []
