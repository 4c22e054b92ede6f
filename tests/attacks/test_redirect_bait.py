"""An API path that redirects to another host: no token goes along, and the record shows one exchange (AR-10)."""

import pytest

from tests.evidence.broker.online import made_up, online
from tests.evidence.broker.scene import REPOSITORY, codes
from tests.sim import Reply
from tests.support.canary import CANARY

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

BAIT = f"{REPOSITORY}/tarball/main"


def test_the_other_host_gets_no_token_and_the_record_is_collapsed() -> None:
    sim = made_up()
    with online(sim) as (broker, child, server):
        stranger = server.stranger_url
        sim.answer("/tarball", Reply(302, {"location": f"{stranger}/steal?sig=x"}))
        sim.answer("/steal", Reply(200, {"content-type": "application/x-gzip"}, b"\x1f\x8btar"))
        said = child.get(BAIT)
        api = server.api_url
    assert (said.status, said.body) == (200, b"\x1f\x8btar")
    assert sim.tokens_seen() == {api: {f"Bearer {CANARY}"}}
    assert [request.origin for request in sim.requests] == [api, stranger]
    (exchange,) = broker.exchanges
    assert exchange.request.path == BAIT
    assert exchange.answer.status == 200
    assert stranger not in repr(exchange)


@pytest.mark.parametrize("status", [401, 403])
def test_a_stranger_who_asks_for_a_login_gets_none(status: int) -> None:
    sim = made_up()
    with online(sim) as (broker, child, server):
        sim.answer("/tarball", Reply(302, {"location": f"{server.stranger_url}/steal"}))
        sim.answer("/steal", Reply(status, {"www-authenticate": 'Basic realm="api.github.com"'}))
        assert child.get(BAIT).status == 599
        api = server.api_url
    assert set(sim.tokens_seen()) == {api}
    assert codes(broker) == ["http.link-refused"]


def test_the_way_back_to_the_api_carries_none() -> None:
    sim = made_up()
    with online(sim) as (_, child, server):
        sim.answer("/tarball", Reply(302, {"location": f"{server.stranger_url}/steal"}))
        sim.answer("/steal", Reply(302, {"location": f"{server.api_url}/repos/acme/secret"}))
        assert child.get(BAIT).status in {404, 599}
    assert [request.token for request in sim.requests][:3] == [CANARY, None, None]
    assert all(request.token is None for request in sim.requests if request.path == "/repos/acme/secret")


def test_a_query_is_not_sent_on() -> None:
    sim = made_up()
    with online(sim) as (broker, child, server):
        sim.answer("/graphql", Reply(307, {"location": f"{server.stranger_url}/steal"}))
        assert child.query('{repository(owner:"acme",name:"widgets"){id}}').status == 599
    assert sim.paths() == ["/graphql"]
    assert codes(broker) == ["http.redirect-unusable"]
