"""The n-th exchange fails, for every n and every way: an evaluator that swallows it never gets away with a number.

Over loopback with the real client. The evaluator asks for six things, two of them pages and one absent, and takes every
failure for zero; what it finds is compared with what it finds when nothing fails.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from opvalue.evidence.broker import Broker
from opvalue.evidence.broker.live import Live
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import GITHUB
from opvalue.limits import Limits
from tests.evidence.broker.scene import NOW, REPOSITORY, Child, codes, listening, replayed
from tests.sim import Fault, FaultKind, Reply, Sim, SimServer, primary_limit, secondary_limit
from tests.sim.evidence import SimIssue
from tests.support.canary import CANARY

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

QUICK = Limits(read_tries=1, silence_seconds=1, answer_seconds=1, evidence_answer_bytes=1 << 20)
MEBIBYTE = bytes(1 << 20)
QUERY = 'query{repository(owner:"acme",name:"widgets"){id}}'
EXCHANGES = 6
"""Two pages, a search, something absent, the repository that proves it, and a query."""
WITNESS = 5
LAST = {"evidence.status-unusable": "evidence.status-unusable", "evidence.answer-unclear": "evidence.query-failed"}

FAULTS: dict[str, tuple[Fault | Reply, str]] = {
    "refused": (Fault(FaultKind.REFUSED), "http.network-failed"),
    "reset": (Fault(FaultKind.RESET), "http.network-failed"),
    "cut": (Fault(FaultKind.CUT), "http.network-failed"),
    "silent": (Fault(FaultKind.DELAYED, 1.2), "http.network-failed"),
    "slow": (Reply(200, {}, bytes(40), chunk=1, pause=0.05), "http.network-failed"),
    "short": (Reply(200, {}, b"[]", length=1000), "http.network-failed"),
    "endless": (Reply(200, {}, MEBIBYTE, Fault(FaultKind.ENDLESS)), "http.answer-too-large"),
    "2 GiB": (Reply(200, {}, MEBIBYTE, Fault(FaultKind.ENDLESS), length=2 << 30), "http.answer-too-large"),
    "401": (Reply.problem(401, "Bad credentials"), "http.unauthorized"),
    "403": (Reply.problem(403, "Resource not accessible"), "http.forbidden"),
    "429": (Reply.problem(429, "Too many"), "http.secondary-limit"),
    "primary": (primary_limit(9_999_999_999), "http.rate-limited"),
    "secondary": (secondary_limit("3600"), "http.secondary-limit"),
    "500": (Reply.problem(500, "Server Error"), "http.server-failed"),
    "502": (Reply(502, {"content-type": "text/html"}, b"<html>"), "http.server-failed"),
    "503": (Reply.problem(503, "Unavailable"), "http.server-failed"),
    "407": (Reply(407, {}, b""), "http.proxy-refused"),
    "202": (Reply.of({}, 202), "evidence.status-unusable"),
    "304": (Reply(304, {}), "evidence.status-unusable"),
    "451": (Reply.problem(451, "Blocked"), "evidence.status-unusable"),
    "page": (Reply(200, {"content-type": "text/html"}, b"<html>log in"), "evidence.answer-unclear"),
    "half": (Reply(200, {"content-type": "application/json"}, b'[{"number":1},'), "evidence.answer-unclear"),
    "empty": (Reply(200, {"content-type": "application/json"}, b""), "evidence.answer-unclear"),
    "loop": (Reply(302, {"location": "/loop"}), "http.too-many-redirects"),
    "nowhere": (Reply(302, {}), "http.redirect-unusable"),
}


def evaluator(child: Child) -> list[int]:
    """Count, and take whatever fails for none."""
    found = []
    targets = [f"{REPOSITORY}/issues?per_page=1", f"{REPOSITORY}/issues?per_page=1&page=2"]
    for target in (*targets, "/search/issues?q=repo:acme/widgets+is:issue", f"{REPOSITORY}/issues/99"):
        said = child.get(target)
        found.append(said.body.count(b'"number"') if said.status == 200 else 0)
    said = child.query(QUERY)
    found.append(int("id" in json.loads(said.body)["data"]["repository"]) if said.status == 200 else 0)
    return found


@contextmanager
def stage(sim: Sim) -> Iterator[tuple[Broker, Child]]:
    sim.token(CANARY)
    repository = sim.repository("acme/widgets", number=42)
    repository.evidence.issues = {number: SimIssue(number, f"issue {number}") for number in (1, 2)}
    sim.answer("/graphql", Reply.of({"data": {"repository": {"id": "x"}}}))
    with ExitStack() as stack:
        server = stack.enter_context(SimServer(sim))
        client = HttpxClient(
            Credentials({"PATH": "", "GH_TOKEN": CANARY}),
            api_origins={GITHUB: server.api_url},
            sleep=lambda _: None,
            limits=QUICK,
        )
        stack.enter_context(client)
        source = Live(client, GITHUB, now=lambda: NOW, api_url=server.api_url, limits=QUICK)
        yield stack.enter_context(listening(source, limits=QUICK))


def test_without_a_fault_it_counts() -> None:
    sim = Sim()
    with stage(sim) as (broker, child):
        counted = evaluator(child)
    assert broker.failures == ()
    assert len(sim.requests) == EXCHANGES
    assert counted == [1, 1, 2, 0, 1]
    with listening(replayed(broker)) as (again, child):
        assert evaluator(child) == counted
    assert (again.failures, again.exchanges) == ((), broker.exchanges)


LONG = frozenset({"silent", "slow"})
"""What takes its time is tried at the ends only."""
CASES = [(fault, number) for fault in FAULTS for number in range(1, EXCHANGES + 1)]


@pytest.mark.parametrize(
    ("fault", "number"), [case for case in CASES if case[0] not in LONG or case[1] in {1, EXCHANGES}]
)
def test_a_swallowed_failure_sticks(fault: str, number: int) -> None:
    what, code = FAULTS[fault]
    sim = Sim(faults={number: what})
    if fault == "loop":
        sim.answer("/loop", Reply(302, {"location": "/loop"}))
    with stage(sim) as (broker, child):
        evaluator(child)
    if (fault, number) == ("loop", EXCHANGES):
        # No redirect of a query is followed.
        code = "http.redirect-unusable"
    elif code in {"evidence.status-unusable", "evidence.answer-unclear"}:
        code = {WITNESS: "evidence.absence-unproven", EXCHANGES: LAST[code]}.get(number, code)
    assert codes(broker) == [code]
    assert CANARY not in repr((broker.failures, broker.exchanges))
    assert broker.failures[0].request
    # What was recorded so far does not make a number either.
    with listening(replayed(broker)) as (again, child):
        evaluator(child)
    assert len(again.failures) == 1
