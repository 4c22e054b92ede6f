"""What a request is identified by, and what of an answer is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.evidence.errors import BodyUnexpected, HeaderUnclear, NotARead, RequestRefused
from opvalue.evidence.exchange import Answer, Request, http_date, kept_headers, normalise, plain
from opvalue.identity import GITHUB, Digest, Host

ENTERPRISE = Host("ghe.example.com")


def asked(
    target: str = "/repos/acme/widgets",
    *,
    method: str = "GET",
    host: Host = GITHUB,
    accept: str = "",
    version: str = "",
    body: bytes = b"",
) -> Request:
    return normalise(method, target, host=host, accept=accept, api_version=version, body=body)


def test_a_request_is_all_that_its_answer_depends_on() -> None:
    request = asked("/repos/acme/widgets/issues?b=2&a=1", accept=" application/json ", version="2022-11-28")
    assert request == Request("GET", "/repos/acme/widgets/issues", "b=2&a=1", "application/json", "2022-11-28", b"")
    assert request.key() == (*request[:5], Digest.of(b"").hex)
    assert request.target == "/repos/acme/widgets/issues?b=2&a=1"


def test_without_a_media_type_anything_is_asked_for() -> None:
    assert asked().accept == "*/*"
    assert asked(accept="  ").accept == "*/*"


@pytest.mark.parametrize(
    ("host", "path", "address"),
    [
        (GITHUB, "/user?a=b", "https://api.github.com/user?a=b"),
        (ENTERPRISE, "/user", "https://ghe.example.com/api/v3/user"),
    ],
)
def test_a_read_has_its_address_below_the_root(host: Host, path: str, address: str) -> None:
    assert asked(path, host=host).address(host) == address


def test_graphql_has_its_own_address_on_each_host() -> None:
    request = asked("/graphql", method="POST", body=b"{}")
    assert request.address(GITHUB) == "https://api.github.com/graphql"
    assert request.address(ENTERPRISE) == "https://ghe.example.com/api/graphql"
    assert asked("https://ghe.example.com/api/graphql", method="POST", host=ENTERPRISE, body=b"{}") == request


def test_a_request_is_described_on_one_short_line() -> None:
    assert asked("/repos/acme/widgets/issues?page=2").described() == "GET /repos/acme/widgets/issues?page=2"
    body = b'{"query":"{viewer{login}}"}'
    assert asked("/graphql", method="POST", body=body).described() == f"POST /graphql {Digest.of(body).hex[:12]}"
    long = asked("/" + "x" * 500).described()
    assert (len(long), long[-3:]) == (160, "...")


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("PUT", "/user"),
        ("PATCH", "/user"),
        ("DELETE", "/repos/acme/widgets"),
        ("HEAD", "/user"),
        ("get", "/user"),
        ("GET ", "/user"),
        ("", "/user"),
        ("POST", "/user"),
        ("POST", "/repos/acme/widgets/issues"),
        ("POST", "/graphql/"),
        ("POST", "/graphql?query=x"),
        ("GET", "/graphql"),
        ("GET", "/graphql?query={viewer{login}}"),
        ("M" * 100, "/user"),
    ],
)
def test_what_is_not_a_read_is_refused(method: str, target: str) -> None:
    with pytest.raises(NotARead) as refused:
        asked(target, method=method)
    assert refused.value.code == "evidence.not-a-read"


def test_a_get_has_no_body() -> None:
    with pytest.raises(BodyUnexpected) as refused:
        asked(body=b"x")
    assert refused.value.code == "evidence.body-unexpected"


@pytest.mark.parametrize(
    ("accept", "version"),
    [("a\nb", ""), ("a\rb", ""), ("é", ""), ("a" * 513, ""), ("", "2022\n"), ("", "x y"), ("", "v" * 33), ("", "é")],
)
def test_a_header_that_is_not_plain_is_refused(accept: str, version: str) -> None:
    with pytest.raises(HeaderUnclear) as refused:
        asked(accept=accept, version=version)
    assert refused.value.code == "evidence.header-unclear"


@given(st.sampled_from(["GET", "POST"]), st.text(max_size=30), st.text(max_size=10), st.text(max_size=10), st.binary())
def test_a_request_is_its_own_spelling(method: str, rest: str, accept: str, version: str, body: bytes) -> None:
    try:
        request = normalise(method, "/" + rest, host=GITHUB, accept=accept, api_version=version, body=body)
    except RequestRefused:
        return
    method, _, _, accept, version, body = request
    assert normalise(method, request.target, host=GITHUB, accept=accept, api_version=version, body=body) == request


@pytest.mark.parametrize("text", ["Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 31 Dec 2016 23:59:60 GMT"])
def test_a_date_of_http_is_kept(text: str) -> None:
    assert http_date(text) == text


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov \N{ARABIC-INDIC DIGIT ONE}994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT\n",
        "sun, 06 nov 1994 08:49:37 gmt",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ],
)
def test_any_other_text_is_no_date(text: str | None) -> None:
    assert http_date(text) is None


def test_few_headers_are_kept_in_order() -> None:
    given_headers = [
        ("Link", '<https://api.github.com/x?page=2>; rel="next"'),
        ("Set-Cookie", "session=secret"),
        ("ETag", 'W/"1"'),
        ("Content-Type", " application/json; charset=utf-8 "),
        ("X-RateLimit-Remaining", "10"),
        ("X-GitHub-Media-Type", "github.v3; format=json"),
        ("X-OAuth-Scopes", "repo"),
        ("Location", "https://elsewhere"),
    ]
    assert kept_headers(given_headers, host=GITHUB, root=GITHUB.api_url) == (
        ("content-type", "application/json; charset=utf-8"),
        ("link", '<https://api.github.com/x?page=2>; rel="next"'),
        ("x-github-media-type", "github.v3; format=json"),
    )


def test_repeated_headers_are_joined() -> None:
    kept = kept_headers([("Link", "<a>"), ("link", "<b>")], host=GITHUB, root=GITHUB.api_url)
    assert kept == (("link", "<a>, <b>"),)


def test_a_kept_header_is_one_plain_line() -> None:
    kept = kept_headers([("Content-Type", "a\tb\x1b[31m\x85c")], host=GITHUB, root=GITHUB.api_url)
    assert kept == (("content-type", "a b\\u001b[31m\\u0085c"),)
    assert plain("a\nb\u202ec") == "a b\\u202ec"


@pytest.mark.parametrize(
    ("address", "moved"),
    [
        ("http://127.0.0.1:8123/repositories/1/issues?page=2", "https://api.github.com/repositories/1/issues?page=2"),
        ("http://127.0.0.1:8123?page=2", "https://api.github.com?page=2"),
        ("http://127.0.0.1:81234/x", "http://127.0.0.1:81234/x"),
        ("http://127.0.0.1:8123", "http://127.0.0.1:8123"),
        ("https://elsewhere.example/x", "https://elsewhere.example/x"),
    ],
)
def test_links_do_not_tell_where_the_api_was_reached(address: str, moved: str) -> None:
    kept = kept_headers([("Link", f'<{address}>; rel="next"')], host=GITHUB, root="http://127.0.0.1:8123")
    assert kept == (("link", f'<{moved}>; rel="next"'),)


def test_an_answer_gives_its_headers_by_name() -> None:
    answer = Answer(200, (("content-type", "text/plain"),), b"")
    assert answer.header("content-type") == "text/plain"
    assert answer.header("link") is None
