"""Answers from the made-up GitHub: asked for once, redacted, and without a trace of where it was reached."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.live import Live
from opvalue.evidence.exchange import Request
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import GITHUB, Host, Instant
from opvalue.limits import Limits
from tests.evidence.broker.scene import NOW, REPOSITORY, codes, listening
from tests.sim import Reply, Sim, SimClient, SimServer
from tests.support.canary import CANARY, Hunt

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ISSUES = f"{REPOSITORY}/issues"


def request(target: str, **changes: object) -> Request:
    path, _, query = target.partition("?")
    return Request("GET", path, query, "*/*", "", b"")._replace(**changes)  # type: ignore[arg-type]


@pytest.fixture
def sim() -> Sim:
    made = Sim()
    made.token(CANARY)
    made.repository("acme/widgets", number=42)
    made.repository("acme/secret", number=43, private=True)
    return made


def live(sim: Sim, host: Host = GITHUB, **more: object) -> Live:
    name = "GH_TOKEN" if host.is_cloud else "GH_ENTERPRISE_TOKEN"
    client = SimClient(sim, {"PATH": "", name: CANARY}, host=host)
    return Live(client, host, now=lambda: NOW, **more)  # type: ignore[arg-type]


def test_an_answer_as_it_is_kept(sim: Sim) -> None:
    sim.answer("/issues", Reply.of([1], date="Sun, 30 Aug 2026 12:00:01 GMT", x_request_id="5", etag='"e"'))
    made = live(sim).exchange(request(ISSUES, accept="application/json", api_version="2026-01-01"), authorised=True)
    assert made.request.path == ISSUES
    assert made.answer.status == 200
    assert made.answer.body == b"[1]"
    assert made.answer.headers == (("content-type", "application/json; charset=utf-8"),)
    assert made.server_date == "Sun, 30 Aug 2026 12:00:01 GMT"
    assert made.observed_at == NOW
    (asked,) = sim.requests
    assert asked.headers["accept"] == "application/json"
    assert asked.headers["x-github-api-version"] == "2026-01-01"
    assert asked.token == CANARY


@pytest.mark.parametrize("date", [CANARY, "2026-08-30T12:00:01Z", "Sunday, 30-Aug-26 12:00:01 GMT", ""])
def test_a_date_that_is_none_is_not_kept(sim: Sim, date: str) -> None:
    sim.answer("/issues", Reply.of([1], date=date))
    assert live(sim).exchange(request(ISSUES), authorised=True).server_date is None


def test_the_time_is_taken_when_the_answer_is_whole(sim: Sim) -> None:
    times = iter([NOW])

    def now() -> Instant:
        assert len(sim.replies) == 1
        return next(times)

    client = SimClient(sim, {"PATH": ""})
    assert Live(client, GITHUB, now=now).exchange(request(REPOSITORY), authorised=False).observed_at == NOW


def test_each_request_is_made_once_for_a_hundred_gradings(sim: Sim) -> None:
    source = live(sim)
    targets = [REPOSITORY, ISSUES, f"{ISSUES}/9", "/search/issues?q=repo:acme/widgets"]

    def grade(_: int) -> list[int]:
        with listening(source) as (broker, child):
            statuses = [child.get(target).status for target in targets]
        assert broker.failures == ()
        return statuses

    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(grade, range(100)))
    assert found == [found[0]] * 100
    assert sorted(sim.paths()) == sorted([REPOSITORY, ISSUES, f"{ISSUES}/9", "/search/issues"])


def test_what_was_read_with_the_credential_is_not_given_without(sim: Sim) -> None:
    source = live(sim)
    target = request("/repos/acme/secret")
    assert source.exchange(target, authorised=True).answer.status == 200
    assert source.exchange(target, authorised=False).answer.status == 404
    assert source.exchange(target, authorised=True).answer.status == 200
    assert [asked.token for asked in sim.requests] == [CANARY, None]


@pytest.mark.parametrize("host", [GITHUB, Host("ghe.example.com"), Host("acme.ghe.com")])
def test_queries_go_where_the_host_has_them(sim: Sim, host: Host) -> None:
    body = b'{"query":"{viewer{login}}"}'
    sim.answer("/graphql", Reply.of({"data": {}}))
    live(sim, host).exchange(request("/graphql", method="POST", body=body), authorised=True)
    (asked,) = sim.requests
    assert f"{asked.origin}{asked.path}" == host.graphql_url
    assert (asked.method, asked.body) == ("POST", body)


def test_the_token_is_looked_for_by_one_thread(sim: Sim, monkeypatch: pytest.MonkeyPatch) -> None:
    source, inside, most = live(sim), [0], [0]
    real = Credentials.token_for

    def slowly(credentials: Credentials, host: Host) -> object:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.01)
        inside[0] -= 1
        return real(credentials, host)

    monkeypatch.setattr(Credentials, "token_for", slowly)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: source._secrets(), range(8)))
    assert most == [1]


def test_an_answer_is_bounded(sim: Sim) -> None:
    sim.answer("/issues", Reply(200, {}, b"x" * 101))
    with pytest.raises(OpvalueError) as caught:
        live(sim, limits=Limits(evidence_answer_bytes=100)).exchange(request(ISSUES), authorised=True)
    assert caught.value.code == "http.answer-too-large"


def test_secrets_are_taken_out_before_anybody_sees_them(sim: Sim, hunt: Hunt) -> None:
    signed = "https://blobs.example/x?sig=" + "0123456789abcdef" * 4 + "&se=2026-09-01"
    document = {"said": f"my token is {CANARY}", "temp_clone_token": "AAAABBBB", "url": signed, "n": 1}
    link = f'<https://api.github.com{ISSUES}?token={CANARY}&page=2>; rel="prev"'
    sim.answer("/issues", Reply.of(document, link=link))
    with listening(live(sim)) as (broker, child):
        said = child.get(ISSUES)
    assert said.status == 200
    found = json.loads(said.body)
    assert found["n"] == 1
    for secret in (CANARY, "AAAABBBB", "0123456789abcdef"):
        assert secret not in repr((said, broker.exchanges, broker.failures))
    hunt.search("the exchanges", repr((said, broker.exchanges)))
    assert hunt.look() == []


def test_a_secret_that_cannot_be_taken_out_is_no_answer(sim: Sim) -> None:
    sim.answer("/issues", Reply(200, {"content-type": "application/octet-stream"}, b"\xff\x00" + CANARY.encode()))
    with listening(live(sim)) as (broker, child):
        assert child.get(ISSUES).status == 599
    assert codes(broker) == ["evidence.secret-not-removable"]
    assert CANARY not in repr(broker.failures)


def test_a_request_with_the_token_in_it_is_not_made(sim: Sim) -> None:
    with listening(live(sim)) as (broker, child):
        said = child.get(f"{ISSUES}?q={CANARY}")
    assert said.status == 599
    assert codes(broker) == ["evidence.secret-in-request"]
    assert CANARY not in repr((said.body, broker.failures))
    assert sim.requests == []


def over_loopback(server: SimServer) -> tuple[HttpxClient, Live]:
    credentials = Credentials({"PATH": "", "GH_TOKEN": CANARY})
    client = HttpxClient(credentials, api_origins={GITHUB: server.api_url}, sleep=lambda _: None)
    return client, Live(client, GITHUB, now=lambda: NOW, api_url=f"{server.api_url}/")


def test_where_the_api_was_reached_leaves_no_trace(sim: Sim) -> None:
    targets = [REPOSITORY, f"{ISSUES}?per_page=1", "/search/issues?q=repo:acme/widgets+is:issue"]
    bodies = []
    for _ in range(2):
        sim.requests.clear()
        with SimServer(sim) as server:
            client, source = over_loopback(server)
            with client, listening(source) as (broker, child):
                said = [child.get(target) for target in targets]
                addresses = [json.loads(said[0].body)["url"]]
                assert addresses == [f"https://api.github.com{REPOSITORY}"]
                assert child.get(addresses[0]).status == 200
        assert broker.failures == ()
        assert server.api_url not in repr(broker.exchanges)
        assert "127.0.0.1" not in repr(broker.exchanges)
        bodies.append(said)
    assert bodies[0] == bodies[1]


def test_binary_answers_stay_as_they_are(sim: Sim) -> None:
    with SimServer(sim) as server:
        body = f"\x00{server.api_url}/x".encode() + b"\xff"
        sim.answer("/tarball", Reply(200, {"content-type": "application/x-gzip"}, body))
        client, source = over_loopback(server)
        with client:
            found = source.exchange(request(f"{REPOSITORY}/tarball"), authorised=True)
    assert found.answer.body == body
