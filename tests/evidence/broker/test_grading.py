"""What is passed on, with the credential or without, what an answer is worth, and that failures stick."""

import json
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.scope import Scope
from opvalue.http import (
    AnonymousRefused,
    Forbidden,
    NetworkFailed,
    RateLimited,
    SecondaryLimited,
    ServerFailed,
    TokenMissing,
    Unauthorized,
)
from opvalue.identity import Host
from opvalue.limits import Limits
from tests.evidence.broker.scene import REPOSITORY, Table, answer, codes, listening, next_page, only_failure

ISSUES = f"{REPOSITORY}/issues"
FOUND = answer([{"number": 1}])
FAILING = {
    "http.network-failed": NetworkFailed("no whole answer came"),
    "http.server-failed": ServerFailed("failed", found="status 502"),
    "http.unauthorized": Unauthorized("not accepted"),
    "http.token-missing": TokenMissing("none"),
    "http.forbidden": Forbidden("denied"),
    "http.anonymous-refused": AnonymousRefused("not shown"),
    "http.rate-limited": RateLimited("used up"),
    "http.secondary-limit": SecondaryLimited("slow down"),
    "evidence.status-unusable": answer({}, 202),
    "evidence.broken-pages": answer([], link=next_page("https://evil.example/repos/acme/widgets/issues?page=2")),
    "evidence.broker-failed": lambda _: 1 // 0,
}


def test_an_answer_is_passed_on() -> None:
    table = Table({f"{ISSUES}?state=all": answer([1], link=next_page(f"{ISSUES}?page=2"))})
    with listening(table) as (broker, child):
        said = child.get(f"{ISSUES}?state=all", Accept="application/json", X_GitHub_Api_Version="2022-11-28")
        assert said.status == 200
        assert said.body == b"[1]"
        assert said.headers["content-type"] == "application/json; charset=utf-8"
        assert said.headers["link"] == next_page(f"{ISSUES}?page=2")
    assert broker.failures == ()
    assert broker.undeclared == ()
    (exchange,) = broker.exchanges
    assert exchange.request.accept == "application/json"
    assert exchange.request.api_version == "2022-11-28"
    assert table.asked == [(f"{ISSUES}?state=all", True)]


def test_a_query_is_passed_on() -> None:
    table = Table({"/graphql": answer({"data": {"repository": None}})})
    with listening(table) as (broker, child):
        said = child.query('query($o:String!){repository(owner:$o,name:"widgets"){id}}', o="acme")
        assert json.loads(said.body) == {"data": {"repository": None}}
    assert broker.failures == ()
    assert table.asked == [("/graphql", True)]


def test_a_repeated_request_is_asked_for_once() -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        assert [child.get(ISSUES).body for _ in range(3)] == [FOUND.body] * 3
    assert table.targets == [ISSUES]
    assert len(broker.exchanges) == 1


def test_an_empty_answer_is_one() -> None:
    with listening(Table({f"{REPOSITORY}/x": answer(b"", 204)})) as (broker, child):
        assert child.get(f"{REPOSITORY}/x").status == 204
    assert broker.failures == ()


# Whose evidence


def test_the_credential_is_for_what_is_declared() -> None:
    others = ["/repos/acme/gadgets/issues", "/repositories/7/issues", "/search/issues?q=is:open", "/rate_limit"]
    table = Table(dict.fromkeys([ISSUES, "/repositories/42/issues", *others], FOUND))
    with listening(table) as (broker, child):
        for target in table.replies:
            assert child.get(target).status == 200
    assert dict(table.asked) == {
        REPOSITORY: True,
        ISSUES: True,
        "/repositories/42/issues": True,
        **dict.fromkeys(others, False),
    }
    assert broker.undeclared == ("#7", "acme/gadgets", "unattributed")
    assert broker.failures == ()


def test_one_undeclared_among_several_decides() -> None:
    target = "/search/issues?q=repo:acme/widgets+repo:acme/gadgets+org:other"
    table = Table({target: FOUND})
    with listening(table) as (broker, child):
        assert child.get(target).status == 200
    assert table.asked == [(target, False)]
    assert broker.undeclared == ("acme/gadgets", "other/*")


@pytest.mark.parametrize(
    ("target", "named"),
    [
        ("/repos/acme/gadgets/issues", "acme/gadgets"),
        ("/repositories/7", "#7"),
        ("/search/issues?q=x", "unattributed"),
        ("/user", "unattributed"),
    ],
)
def test_enforced_scope_refuses_what_is_not_declared(target: str, named: str) -> None:
    table = Table({target: FOUND, ISSUES: FOUND})
    with listening(table, enforce=True) as (broker, child):
        assert child.get(ISSUES).status == 200
        assert child.get(target).status == 599
    assert named in only_failure(broker, "evidence.outside-scope")
    assert broker.undeclared == (named,)
    assert table.targets == [ISSUES]


def test_the_next_page_of_what_is_declared_is_declared() -> None:
    """GitHub names next pages by the repository's number, which nobody has to have declared."""
    second, third = "/repositories/99/issues?page=2", "/repositories/99/issues?page=3"
    table = Table(
        {
            ISSUES: answer([1], link=next_page(second)),
            second: answer([2], link=next_page(third)),
            third: answer([3]),
        }
    )
    with listening(table, enforce=True) as (broker, child):
        for target in (ISSUES, second, third):
            assert child.get(target).status == 200
    assert table.asked == [(ISSUES, True), (second, True), (third, True)]
    assert broker.undeclared == ()


@pytest.mark.parametrize(
    ("first", "named"),
    [
        (ISSUES, "/repositories/99/pulls?page=2"),
        (ISSUES, "/user/repos?page=2"),
        ("/repos/acme/gadgets/issues", "/repositories/99/issues?page=2"),
        ("/search/issues?q=x", "/repositories/99/issues?page=2"),
    ],
)
def test_no_other_next_page_is(first: str, named: str) -> None:
    table = Table({first: answer([1], link=next_page(named)), named: FOUND})
    with listening(table) as (_, child):
        child.get(first)
        child.get(named)
    assert dict(table.asked)[named] is False


def test_what_was_answered_without_the_credential_stays_so() -> None:
    """One request has one answer in a grading, also when a page makes it declared later."""
    page = "/repositories/99/issues?page=2"
    table = Table({ISSUES: answer([1], link=next_page(page)), page: FOUND})
    with listening(table) as (broker, child):
        for target in (page, ISSUES, page):
            assert child.get(target).status == 200
    assert table.asked == [(page, False), (ISSUES, True)]
    assert broker.undeclared == ("#99",)


# Absences


@pytest.mark.parametrize("status", [404, 409, 410, 422])
def test_an_absence_counts_where_the_repository_can_be_read(status: int) -> None:
    target = f"{REPOSITORY}/issues/9"
    table = Table({target: answer({"message": "no"}, status)})
    with listening(table) as (broker, child):
        assert child.get(target).status == status
        assert child.get(target).body == b'{"message": "no"}'
    assert broker.failures == ()
    assert table.asked == [(target, True), (REPOSITORY, True)]
    assert [exchange.request.path for exchange in broker.exchanges] == [REPOSITORY, target]


def test_the_witness_is_asked_for_once_and_as_the_evaluator_would() -> None:
    table = Table()
    with listening(table) as (_, child):
        child.get(f"{REPOSITORY}/a")
        child.get(f"{REPOSITORY}/b")
        child.get(REPOSITORY)
    assert table.targets == [f"{REPOSITORY}/a", REPOSITORY, f"{REPOSITORY}/b"]


def test_a_witness_by_number() -> None:
    table = Table({"/repositories/42": answer({"id": 42})})
    with listening(table) as (broker, child):
        assert child.get("/repositories/42/issues/9").status == 404
    assert broker.failures == ()


@pytest.mark.parametrize(
    "witness",
    [
        answer({"message": "Not Found"}, 404),
        answer([]),
        answer(b"<html>"),
        answer({"message": "moved"}, 301),
        NetworkFailed("cut"),
        Forbidden("denied"),
    ],
)
def test_an_absence_without_a_witness_is_none(witness: Any) -> None:
    table = Table({REPOSITORY: witness})
    with listening(table) as (broker, child):
        said = child.get(f"{REPOSITORY}/issues/9")
    assert said.status == 599
    expected = witness.code if isinstance(witness, OpvalueError) else "evidence.absence-unproven"
    assert codes(broker) == [expected]


@pytest.mark.parametrize(
    "target",
    [
        REPOSITORY,
        "/repos/Acme/Widgets",
        "/repos/acme/gadgets/issues",
        "/repositories/7",
        "/users/mona",
        "/orgs/acme/members",
        "/search/issues?q=org:acme",
        f"{REPOSITORY}/compare/main...mona:fix",
    ],
)
def test_an_absence_of_the_repository_itself_or_of_none_is_no_answer(target: str) -> None:
    table = Table()
    del table.replies[REPOSITORY]
    with listening(table) as (broker, child):
        assert child.get(target).status == 599
    only_failure(broker, "evidence.absence-unproven")


def test_an_absence_of_what_is_not_declared_is_proven_without_the_credential() -> None:
    table = Table({"/repos/acme/gadgets": answer({"id": 7})})
    with listening(table) as (broker, child):
        assert child.get("/repos/acme/gadgets/issues/9").status == 404
    assert [authorised for _, authorised in table.asked] == [False, False]
    assert broker.failures == ()


@pytest.mark.parametrize("status", [201, 202, 203, 206, 300, 301, 304, 400, 405, 406, 412, 415, 418, 451])
def test_other_statuses_are_no_answers(status: int) -> None:
    with listening(Table({ISSUES: answer({}, status)})) as (broker, child):
        assert child.get(ISSUES).status == 599
    assert str(status) in only_failure(broker, "evidence.status-unusable")


HTML = "text/html; charset=utf-8"


@pytest.mark.parametrize("body", [b"<html>", b"", b" \n", b"[1", b'{"a":1', b"[}", b"nul"])
def test_what_is_no_data_is_no_answer(body: bytes) -> None:
    with listening(Table({ISSUES: answer(body, 200, content_type="application/json")})) as (broker, child):
        assert child.get(ISSUES).status == 599
    only_failure(broker, "evidence.answer-unclear")


def test_a_web_page_is_no_answer() -> None:
    with listening(Table({ISSUES: answer(b"<html>", 200, content_type=HTML)})) as (broker, child):
        assert child.get(ISSUES).status == 599
    only_failure(broker, "evidence.answer-unclear")


@pytest.mark.parametrize(
    ("body", "accept", "content_type"),
    [
        (b"<html>", "application/vnd.github.html", HTML),
        (b"half of [", "*/*", "application/vnd.github.raw+json; charset=utf-8"),
        (b"", "application/vnd.github.raw", "application/vnd.github.raw; charset=utf-8"),
        (b"\x1f\x8b", "*/*", "application/x-gzip"),
        (b" [1]\n", "*/*", "application/json"),
        (b"null", "*/*", "application/json"),
        (b'"text"', "*/*", "application/json"),
        (b"0", "*/*", "application/json"),
    ],
)
def test_what_was_asked_for_is_one(body: bytes, accept: str, content_type: str) -> None:
    with listening(Table({ISSUES: answer(body, 200, content_type=content_type)})) as (broker, child):
        assert child.get(ISSUES, Accept=accept).body == body
    assert broker.failures == ()


# Queries

ONE = 'query{repository(owner:"acme",name:"widgets"){issue(number:9){id}}}'
NOT_FOUND = {"type": "NOT_FOUND", "path": ["repository", "issue"], "message": "Could not resolve"}


def test_what_a_query_does_not_find_counts_where_the_repository_can_be_read() -> None:
    body = {"data": {"repository": {"issue": None}}, "errors": [NOT_FOUND]}
    table = Table({"/graphql": answer(body)})
    with listening(table) as (broker, child):
        said = child.query(ONE)
        assert (said.status, json.loads(said.body)) == (200, body)
    assert broker.failures == ()
    assert table.targets == ["/graphql", REPOSITORY]


@pytest.mark.parametrize("document", [ONE, "{viewer{login}}", 'query{node(id:"x"){id}}'])
def test_else_it_does_not(document: str) -> None:
    table = Table({"/graphql": answer({"data": None, "errors": [NOT_FOUND]})})
    if document == ONE:
        del table.replies[REPOSITORY]
    with listening(table) as (broker, child):
        assert child.query(document).status == 599
    only_failure(broker, "evidence.absence-unproven")


@pytest.mark.parametrize(
    "body",
    [
        {"data": {"repository": {}}, "errors": [{"type": "FORBIDDEN", "message": "Resource not accessible"}]},
        {"data": {}, "errors": [NOT_FOUND, {"message": "Something went wrong"}]},
        {"data": {}, "errors": []},
        {"data": {}, "errors": None},
        {"data": {}, "errors": "text"},
        {"data": {}, "errors": [None]},
        {"errors": [{"type": ["NOT_FOUND"], "message": 1}]},
        {"message": "Bad"},
        {},
        [],
        b"",
        b"<html>",
        b'{"data":{},"data":{}}',
    ],
)
def test_other_errors_of_a_query_stick(body: Any) -> None:
    with listening(Table({"/graphql": answer(body)})) as (broker, child):
        assert child.query(ONE).status == 599
    only_failure(broker, "evidence.query-failed")


@pytest.mark.parametrize("status", [400, 404, 422, 502])
def test_other_statuses_of_a_query_stick(status: int) -> None:
    with listening(Table({"/graphql": answer({"data": {}}, status)})) as (broker, child):
        assert child.query(ONE).status == 599
    only_failure(broker, "evidence.status-unusable")


# Pages


def test_a_page_that_was_named_must_be_there() -> None:
    page = f"{ISSUES}?page=2"
    with listening(Table({ISSUES: answer([1], link=next_page(page))})) as (broker, child):
        assert child.get(ISSUES).status == 200
        assert child.get(page).status == 599
    assert "404" in only_failure(broker, "evidence.broken-pages")


@pytest.mark.parametrize("length", [1, 2, 5])
def test_pages_that_lead_back_are_broken(length: int) -> None:
    pages = [f"{ISSUES}?page={number}" for number in range(length)]
    table = Table({page: answer([], link=next_page(pages[(n + 1) % length])) for n, page in enumerate(pages)})
    with listening(table) as (broker, child):
        statuses = [child.get(page).status for page in pages]
    assert statuses == [200] * (length - 1) + [599]
    only_failure(broker, "evidence.broken-pages")


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/repos/acme/widgets/issues?page=2",
        "https://api.github.com@evil.example/x",
        "http://api.github.com/x",
        "https://api.github.com/a/../b",
        "//evil.example/x",
        "",
    ],
)
def test_pages_that_lead_elsewhere_are_broken(address: str) -> None:
    with listening(Table({ISSUES: answer([], link=f'<{address}>; rel="next"')})) as (broker, child):
        assert child.get(ISSUES).status == 599
    only_failure(broker, "evidence.broken-pages")


@pytest.mark.parametrize("link", ['<https://evil.example/>; rel="prev"', "nonsense", '<x>; rel="nextish"', ""])
def test_other_links_are_nobodys_business(link: str) -> None:
    with listening(Table({ISSUES: answer([], link=link)})) as (broker, child):
        assert child.get(ISSUES).status == 200
    assert broker.failures == ()


def test_two_ways_into_one_chain() -> None:
    page = f"{ISSUES}?page=2"
    table = Table({ISSUES: answer([1], link=next_page(page)), f"{ISSUES}?page=1": answer([1], link=next_page(page))})
    table.replies[page] = answer([2])
    with listening(table) as (broker, child):
        for target in (ISSUES, f"{ISSUES}?page=1", page, ISSUES):
            assert child.get(target).status == 200
    assert broker.failures == ()


# What sticks


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("code", FAILING)
def test_a_failure_at_any_exchange_sticks(code: str, number: int) -> None:
    targets = [f"{ISSUES}/{one}" for one in range(4)]
    table = Table(dict.fromkeys(targets, FOUND))
    table.replies[targets[number]] = FAILING[code]  # type: ignore[assignment]
    with listening(table) as (broker, child):
        statuses = [child.get(target).status for target in targets]
    assert statuses == [200] * number + [599] * (4 - number)
    only_failure(broker, code)
    assert table.targets == targets[: number + 1]
    assert len(broker.exchanges) == number + (1 if code.startswith("evidence.") and "broker" not in code else 0)


@pytest.mark.parametrize(
    ("method", "target", "body", "headers", "code"),
    [
        ("DELETE", ISSUES, b"", {}, "evidence.not-a-read"),
        ("PATCH", ISSUES, b"{}", {"Content-Type": "application/json"}, "evidence.not-a-read"),
        ("POST", ISSUES, b"{}", {}, "evidence.not-a-read"),
        ("POST", "/markdown", b"{}", {}, "evidence.not-a-read"),
        ("HEAD", ISSUES, b"", {}, "evidence.not-a-read"),
        ("CONNECT", "api.github.com:443", b"", {}, "evidence.not-a-read"),
        ("OPTIONS", "*", b"", {}, "evidence.not-a-read"),
        ("GET", "/graphql?query={viewer{login}}", b"", {}, "evidence.not-a-read"),
        ("GET", ISSUES, b"{}", {"Content-Type": "application/json"}, "evidence.body-unexpected"),
        ("GET", ISSUES, b"x", {}, "evidence.request-unclear"),
        ("POST", "/graphql", b"query=x", {"Content-Type": "text/plain"}, "evidence.request-unclear"),
        ("POST", "/graphql", b"", {}, "evidence.graphql-unreadable"),
        ("GET", "https://evil.example/x", b"", {}, "evidence.outside-host"),
        ("GET", "https://api.github.com.evil.example/x", b"", {}, "evidence.outside-host"),
        ("GET", "/a//b", b"", {}, "evidence.path-unclear"),
        ("GET", "/repos/acme/widgets/%2e%2e/%2e%2e/user", b"", {}, "evidence.path-unclear"),
        ("GET", "relative", b"", {}, "evidence.path-unclear"),
        ("GET", ISSUES, b"", {"Host": "ghe.example.com"}, "evidence.other-host"),
        ("GET", ISSUES, b"", {"Accept": "x" * 600}, "evidence.header-unclear"),
        ("GET", ISSUES, b"", {"X-GitHub-Api-Version": "2022 11"}, "evidence.header-unclear"),
        ("POST", "opvalue:unsupported", b"gh pr list", {}, "evidence.unsupported-command"),
        ("POST", "opvalue:broken-pages", b"GET /x", {}, "evidence.broken-pages"),
        ("GET", "opvalue:unsupported", b"", {}, "evidence.path-unclear"),
        ("POST", "opvalue:else", b"", {}, "evidence.path-unclear"),
    ],
)
def test_what_is_refused_sticks(method: str, target: str, body: bytes, headers: dict[str, str], code: str) -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        said = child.ask(method, target, body, **headers)
        assert said.status == (204 if "opvalue:" in target and "-" in code and method == "POST" and body else 599)
        assert child.get(ISSUES).status == 599
    only_failure(broker, code)
    assert table.asked == []


REFUSED_HEADERS = [
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "X-HTTP-Method-Override",
    "X-Method-Override",
    "X-Forwarded-Host",
    "X-Forwarded-For",
    "Forwarded",
    "X-Original-URL",
    "X-Rewrite-URL",
    "X-GitHub-OTP",
    "If-None-Match",
    "If-Modified-Since",
    "Range",
    "Expect",
    "Upgrade",
    "TE",
    "Trailer",
    "GraphQL-Features",
    "X-GitHub-Next-Global-ID",
    "Anything",
]


@pytest.mark.parametrize("name", REFUSED_HEADERS)
def test_headers_that_could_change_the_answer_stick(name: str) -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        assert child.get(ISSUES, **{name: "1"}).status == 599
    assert name.lower() in only_failure(broker, "evidence.header-refused")
    assert table.asked == []


@pytest.mark.parametrize("name", ["User-Agent", "Cache-Control", "Pragma", "Connection", "Accept-Encoding"])
def test_headers_that_say_nothing_are_left_out(name: str) -> None:
    with listening(Table({ISSUES: FOUND})) as (broker, child):
        assert child.get(ISSUES, **{name: "x"}).status == 200
    assert broker.failures == ()


def test_a_refusal_says_why_in_one_line() -> None:
    with listening(Table()) as (broker, child):
        said = child.get("https://evil.example/x")
        again = child.get(ISSUES)
    assert said.body == again.body
    line = said.body.decode()
    assert line.endswith("[evidence.outside-host]\n")
    assert line.count("\n") == 1
    assert broker.failures[0].message in line


def test_an_unsupported_command_is_named_on_one_printable_line() -> None:
    with listening(Table()) as (broker, child):
        child.ask("POST", "opvalue:unsupported", "gh pr list\n\x1b[31m \u202e\xff".encode() + b"\xfe" + b"x" * 2000)
    message = only_failure(broker, "evidence.unsupported-command")
    assert "gh pr list \\u001b[31m \\u202e" in message
    assert len(message) <= 500


def test_causes_that_come_later_are_kept_to_a_number() -> None:
    with listening(Table(), limits=Limits(evidence_failures=3)) as (broker, child):
        for number in range(5):
            child.ask("POST", "opvalue:unsupported", b"gh %d" % number)
    assert [failure.message[-4:] for failure in broker.failures] == ["gh 0", "gh 1", "gh 2"]


# Limits


def test_the_number_of_requests_is_bounded_repeated_ones_included() -> None:
    with listening(Table({ISSUES: FOUND}), limits=Limits(evidence_exchanges=3)) as (broker, child):
        assert [child.get(ISSUES).status for _ in range(5)] == [200, 200, 200, 599, 599]
    assert "at most" not in only_failure(broker, "evidence.too-many-exchanges")


@pytest.mark.parametrize("size", [100, 101])
def test_all_answers_together_are_bounded_repeated_ones_left_out(size: int) -> None:
    table = Table({f"{ISSUES}/1": answer(b"x" * 50), f"{ISSUES}/2": answer(b"x" * (size - 50))})
    with listening(table, limits=Limits(evidence_bytes=100)) as (broker, child):
        statuses = [child.get(f"{ISSUES}/{number}").status for number in (1, 1, 1, 2)]
    assert statuses == [200, 200, 200, 200 if size == 100 else 599]
    assert codes(broker) == ([] if size == 100 else ["evidence.too-much"])


def test_waiting_is_bounded_and_counted_once() -> None:
    now = iter(range(0, 1000, 10))
    limits = Limits(evidence_wait_seconds=25)
    with listening(Table({ISSUES: FOUND}), limits=limits, clock=lambda: next(now)) as (broker, child):
        statuses = [child.get(f"{ISSUES}{'' if not number else f'?page={number}'}").status for number in range(1)]
        assert broker.waited() == 10
        assert child.get(f"{ISSUES}/1").status == 404
        assert child.get(f"{ISSUES}/2").status == 599
        assert broker.waited() == 25
    assert statuses == [200]
    only_failure(broker, "evidence.waited-too-long")


# Hosts


@pytest.mark.parametrize("host", ["ghe.example.com", "ghe.example.com:8443", "acme.ghe.com", "github.localhost"])
def test_other_hosts_are_asked_by_their_names(host: str) -> None:
    table = Table({ISSUES: FOUND, "/graphql": answer({"data": {}})})
    named = Host.parse(host)
    with listening(table, host=named) as (broker, child):
        assert child.get(ISSUES, Host=host.upper()).status == 200
        assert child.get(f"{named.api_url}{ISSUES}", Host=host).status == 200
        assert child.ask("POST", named.graphql_url, b'{"query":"{viewer{login}}"}', Host=host).status == 200
    assert broker.failures == ()
    assert table.targets == [ISSUES, "/graphql"]


def test_an_empty_scope_declares_nothing() -> None:
    table = Table({ISSUES: FOUND})
    with listening(table, scope=Scope(frozenset(), frozenset())) as (broker, child):
        child.get(ISSUES)
    assert table.asked == [(ISSUES, False)]
    assert broker.undeclared == ("acme/widgets",)
