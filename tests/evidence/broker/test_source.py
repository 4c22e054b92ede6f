"""What was recorded, and nothing."""

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.evidence.broker import Nothing, Recorded
from opvalue.evidence.exchange import Exchange, Request
from tests.evidence.broker.scene import NOW, REPOSITORY, Table, answer, listening, only_failure, replayed

ISSUES = f"{REPOSITORY}/issues"


def request(**changes: object) -> Request:
    return Request("GET", ISSUES, "", "*/*", "", b"")._replace(**changes)  # type: ignore[arg-type]


def recorded(*exchanges: Exchange) -> Recorded:
    with listening(Table({one.request.target: one.answer for one in exchanges})) as (broker, child):
        for one in exchanges:
            child.get(one.request.target)
    return replayed(broker)


def test_what_was_recorded_is_answered_whoever_asks() -> None:
    exchange = Exchange(request(), answer([1]), None, NOW)
    source = recorded(exchange)
    for authorised in (True, False):
        assert source.exchange(request(), authorised=authorised) == exchange


@pytest.mark.parametrize(
    "changes",
    [
        {"path": f"{ISSUES}/1"},
        {"query": "page=2"},
        {"accept": "application/json"},
        {"api_version": "2022-11-28"},
        {"method": "POST", "path": "/graphql", "body": b"{}"},
    ],
)
def test_anything_else_is_a_miss(changes: dict[str, object]) -> None:
    source = recorded(Exchange(request(), answer([1]), None, NOW))
    with pytest.raises(OpvalueError) as caught:
        source.exchange(request(**changes), authorised=True)
    assert caught.value.code == "evidence.replay-miss"
    assert caught.value.kind is Kind.NOT_OBSERVED


@pytest.mark.parametrize(
    ("source", "code"), [(Nothing(), "evidence.not-offered"), (recorded(), "evidence.replay-miss")]
)
def test_nothing_is_a_failure(source: Nothing | Recorded, code: str) -> None:
    with listening(source) as (broker, child):
        assert child.get(f"{ISSUES}?state=all").status == 599
    assert f"GET {ISSUES}?state=all" in only_failure(broker, code)


def test_what_one_grading_recorded_another_replays_with_the_same_outcome() -> None:
    targets = [ISSUES, f"{ISSUES}/9", "/repos/acme/gadgets/issues/1", "/search/issues?q=x"]
    table = Table({ISSUES: answer([1]), "/repos/acme/gadgets": answer({"id": 7}), "/search/issues?q=x": answer({})})
    with listening(table) as (live, child):
        said = [child.get(target) for target in targets]
    assert live.failures == ()
    with listening(replayed(live)) as (again, child):
        assert [child.get(target) for target in targets] == said
    assert (again.failures, again.exchanges, again.undeclared) == ((), live.exchanges, live.undeclared)
    assert live.undeclared == ("acme/gadgets", "unattributed")
