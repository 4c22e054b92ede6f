"""A mutation that hides among operations, aliases and fragments, or in another place than the document."""

import json

import pytest

from tests.evidence.broker.online import made_up, online
from tests.evidence.broker.scene import codes

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

CLOSE = 'closeIssue(input:{issueId:"x"}){issue{id}}'
DOCUMENTS = [
    f"mutation{{{CLOSE}}}",
    f"mutation M{{{CLOSE}}} query Q{{viewer{{login}}}}",
    f"query Q{{viewer{{login}}}} mutation M{{{CLOSE}}}",
    f"query Q{{viewer{{login}}}} fragment F on Mutation{{{CLOSE}}} mutation M{{...F}}",
    f"# query\nmutation{{query:{CLOSE}}}",
    f"{{viewer{{login}}}}\r mutation M{{{CLOSE}}}",
    f"\ufeffmutation{{{CLOSE}}}",
    f",,mutation,,{{{CLOSE}}}",
    f'query Q($x:String="}} mutation {{"){{viewer{{login}}}} mutation M{{{CLOSE}}}',
    f'query Q{{a(b:"""}}""")}} mutation M{{{CLOSE}}}',
    "subscription{issueClosed{id}}",
    f"mutation\u00a0{{{CLOSE}}}",
    "",
    "not graphql",
    "extend type Query{a:Int}",
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_it_is_found(document: str) -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        assert child.query(document, operationName="Q").status == 599
    assert sim.requests == []
    assert codes(broker)[0] in {"evidence.not-a-query", "evidence.graphql-unreadable"}


BODIES = [
    {"query": "{viewer{login}}", "operationName": "M", "extensions": {"persistedQuery": {"sha256Hash": "x"}}},
    [{"query": "{viewer{login}}"}, {"query": f"mutation{{{CLOSE}}}"}],
    {"query": ["{viewer{login}}", f"mutation{{{CLOSE}}}"]},
    {"id": "persisted"},
    {"Query": f"mutation{{{CLOSE}}}", "query": "{viewer{login}}"},
]


@pytest.mark.parametrize("body", BODIES)
def test_another_body_is_no_way(body: object) -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        assert child.ask("POST", "/graphql", json.dumps(body).encode()).status == 599
    assert sim.requests == []
    assert codes(broker) == ["evidence.graphql-unreadable"]


def test_nor_is_a_name_twice() -> None:
    sim = made_up()
    body = f'{{"query":"{{viewer{{login}}}}","query":{json.dumps(f"mutation{{{CLOSE}}}")}}}'
    with online(sim) as (broker, child, _):
        assert child.ask("POST", "/graphql", body.encode()).status == 599
    assert sim.requests == []
    assert codes(broker) == ["evidence.graphql-unreadable"]


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])
def test_nor_is_another_method_in_a_header(header: str) -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        assert child.get("/repos/acme/widgets/issues/1", **{header: "DELETE"}).status == 599
    assert sim.requests == []
    assert codes(broker) == ["evidence.header-refused"]
