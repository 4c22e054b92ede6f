"""What an answer is worth: absences that are proven, queries, and pages that follow each other."""

import json
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.broker import Recorded
from opvalue.evidence.bundle import Bundle, Header, Profile
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.http import (
    Forbidden,
    NetworkFailed,
)
from opvalue.identity import GITHUB, Digest
from tests.evidence.broker.scene import (
    JSON,
    NOW,
    REPOSITORY,
    Table,
    answer,
    codes,
    listening,
    next_page,
    only_failure,
)

ISSUES = f"{REPOSITORY}/issues"
FOUND = answer([{"number": 1}])


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


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("kind", [JSON, "application/problem+json", "TEXT/JSON", "text/plain", ""])
@pytest.mark.parametrize("body", [b"<html>", b" \n", b"[1", b'{"a" 1 }', b"[}", b"nul", b'{"a":NaN}', b'{"a":"\0"}'])
def test_what_is_no_data_is_no_answer(body: bytes, kind: str, status: int) -> None:
    with listening(Table({ISSUES: answer(body, status, content_type=kind)})) as (broker, child):
        assert child.get(ISSUES).status == 599
    only_failure(broker, "evidence.answer-unclear")


@pytest.mark.parametrize("kind", ["application/json, text/html", "text/html, application/json", JSON + ", " + JSON])
def test_an_answer_that_says_it_is_several_things_is_none(kind: str) -> None:
    with listening(Table({ISSUES: answer(b"[1]", 200, content_type=kind)})) as (broker, child):
        assert child.get(ISSUES).status == 599
    only_failure(broker, "evidence.answer-unclear")


@pytest.mark.parametrize(("body", "status"), [(b"[1]", 204), (b"", 200)])
def test_content_where_there_is_none_and_none_where_there_is(body: bytes, status: int) -> None:
    with listening(Table({ISSUES: Answer(status, (), body)})) as (broker, child):
        assert child.get(ISSUES).status == 599
    only_failure(broker, "evidence.answer-unclear")


@pytest.mark.parametrize("below", ["actions/jobs/7/logs", "actions/runs/7/logs", "actions/runs/7/attempts/2/logs"])
def test_a_log_is_text_whatever_was_asked_for(below: str) -> None:
    target = f"/repos/acme/widgets/{below}"
    with listening(Table({target: answer(b"2026 [", 200, content_type="text/plain; charset=utf-8")})) as (
        broker,
        child,
    ):
        assert child.get(target, Accept="application/vnd.github+json").body == b"2026 ["
    assert broker.failures == ()


@pytest.mark.parametrize("below", ["contents/logs", "branches/logs", "git/ref/heads/logs", "actions/jobs/7/x/logs"])
def test_what_is_only_called_logs_is_no_log(below: str) -> None:
    target = f"/repos/acme/widgets/{below}"
    with listening(Table({target: answer(b"try later", 200, content_type="text/plain")})) as (broker, child):
        assert child.get(target).status == 599
    only_failure(broker, "evidence.answer-unclear")


def test_a_replay_judges_an_answer_as_a_recording_does() -> None:
    request = Request("GET", ISSUES, "", "*/*", "", b"")
    cut = Exchange(request, answer(b'[{"number" 1 }]', content_type="application/json"), None, NOW)
    header = Header(GITHUB, 42, "1", 1, Digest.of(b""), Digest.of(b""), (NOW,), True, (), Profile("gh-2", "jq-1"))
    with listening(Recorded(Bundle.of(header, [cut]))) as (broker, child):
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
        (b"half of [", "application/vnd.github.v3.raw", ""),
        (b"diff --git", "application/vnd.github.diff", "text/plain"),
        (b"half of [", "application/octet-stream", "text/plain"),
        (b"[1]", "*/*", ""),
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
