"""A token is sent for declared repositories only: others are read as anybody may, or not at all."""

import pytest

from tests.evidence.broker.online import made_up, online
from tests.evidence.broker.scene import REPOSITORY, codes
from tests.support.canary import CANARY

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

WAYS_TO_THE_SECRET = [
    "/repos/acme/secret",
    "/repos/ACME/Secret/issues",
    "/repos/acme/%73ecret",
    "https://api.github.com/repos/acme/secret",
    "HTTPS://API.GITHUB.COM:443/repos/acme/secret",
    "/repositories/8",
    "/search/issues?q=repo:acme/secret",
    "/search/issues?q=repo:acme/widgets+repo:acme/secret",
    "/search/issues?q=repo:acme/widgets&q=repo:acme/secret",
    "/search/issues?q=secret",
    "/user/repos",
]


@pytest.mark.parametrize("target", WAYS_TO_THE_SECRET)
def test_no_way_around_the_declaration(target: str) -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        said = child.get(target)
    assert b'"full_name": "acme/secret"' not in said.body
    assert sim.requests, "it was asked, as anybody may"
    assert all(request.token is None for request in sim.requests)
    assert broker.undeclared


QUERIES = [
    '{repository(owner:"acme",name:"secret"){id}}',
    'query($n:String!){repository(owner:"acme",name:$n){id}}',
    '{a:repository(owner:"acme",name:"widgets"){id} b:repository(owner:"acme",name:"secret"){id}}',
    'query{...F} fragment F on Query{repository(owner:"acme",name:"secret"){id}}',
    "{viewer{repositories(first:9){nodes{name}}}}",
    '{node(id:"R_8"){id}}',
    '{search(query:"repo:acme/secret",type:ISSUE,first:1){issueCount}}',
]


@pytest.mark.parametrize("query", QUERIES)
def test_nor_by_a_query(query: str) -> None:
    sim = made_up()
    with online(sim) as (_, child, _):
        child.query(query, n="secret")
    assert all(request.token is None for request in sim.requests)


def test_what_is_declared_gets_it_and_nothing_else_does() -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        for target in (f"{REPOSITORY}/issues", "/repos/acme/gadgets/issues", "/repositories/42/issues"):
            assert child.get(target).status == 200
        assert child.get("/repos/acme/secret/issues").status == 599
    seen = {request.path: request.token for request in sim.requests}
    assert seen == {
        f"{REPOSITORY}/issues": CANARY,
        "/repositories/42/issues": CANARY,
        "/repos/acme/gadgets/issues": None,
        "/repos/acme/secret/issues": None,
        "/repos/acme/secret": None,
    }
    assert codes(broker) == ["evidence.absence-unproven"]
    assert broker.undeclared == ("acme/gadgets", "acme/secret")


@pytest.mark.parametrize("target", [target for target in WAYS_TO_THE_SECRET if "q=repo:acme/w" not in target])
def test_an_enforced_scope_sends_nothing(target: str) -> None:
    sim = made_up()
    with online(sim, enforce=True) as (broker, child, _):
        assert child.get(target).status == 599
    assert sim.requests == []
    assert codes(broker) == ["evidence.outside-scope"]
