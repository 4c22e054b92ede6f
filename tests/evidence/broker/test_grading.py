"""What is passed on, with the credential or without, to which host."""

import json

import pytest

from opvalue.evidence.scope import Scope
from opvalue.identity import Host
from tests.evidence.broker.scene import REPOSITORY, Table, answer, listening, next_page, only_failure

ISSUES = f"{REPOSITORY}/issues"
FOUND = answer([{"number": 1}])


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
