"""The made-up server's own rules, without sockets."""

import io

import pytest

from opvalue.http import (
    AnswerTooLarge,
    Client,
    OutsideApi,
    RedirectDowngraded,
    TokenMissing,
    TooManyRedirects,
    Unauthorized,
)
from opvalue.identity import Host
from tests.sim import API, Fault, FaultKind, Reply, Request, Sim, SimClient, primary_limit, secondary_limit, zipped

TOKEN = "canary-4711"  # noqa: S105 - a made-up one
AUTHORIZED = {"authorization": f"Bearer {TOKEN}"}
RUNS = f"{API}/repos/acme/widgets/actions/runs"


@pytest.fixture
def sim() -> Sim:
    made = Sim()
    made.token(TOKEN)
    made.run(made.repository(number=42))
    return made


def client(sim: Sim, token: str | None = TOKEN) -> SimClient:
    return SimClient(sim, {"PATH": "", **({"GH_TOKEN": token} if token else {})})


def ask(sim: Sim, path: str, headers: dict[str, str] | None = None) -> Reply:
    return sim.handle(Request.to(f"{API}{path}", headers))


def test_pages_carry_links(sim: Sim) -> None:
    run = sim.repositories[42].runs[123]
    for index in range(5):
        sim.artifact(run, f"matrix-{index}", b"PK")
    reply = ask(sim, "/repos/acme/widgets/actions/runs/123/artifacts?per_page=2&page=2")
    assert [one["name"] for one in reply.json()["artifacts"]] == ["matrix-2", "matrix-3"]
    assert reply.json()["total_count"] == 5
    assert reply.headers["link"] == ", ".join(
        f'<{RUNS}/123/artifacts?per_page=2&page={page}>; rel="{place}"'
        for page, place in ((1, "prev"), (3, "next"), (3, "last"), (1, "first"))
    )


def test_no_page_holds_more_than_a_hundred(sim: Sim) -> None:
    run = sim.repositories[42].runs[123]
    for index in range(101):
        sim.artifact(run, f"matrix-{index}", b"PK")
    assert len(ask(sim, "/repos/acme/widgets/actions/runs/123/artifacts?per_page=500").json()["artifacts"]) == 100
    assert len(ask(sim, "/repos/acme/widgets/actions/runs/123/artifacts").json()["artifacts"]) == 30


def test_artifacts_can_be_asked_for_by_name(sim: Sim) -> None:
    run = sim.repositories[42].runs[123]
    sim.artifact(run, "agent")
    sim.artifact(run, "logs")
    reply = ask(sim, "/repos/acme/widgets/actions/runs/123/artifacts?name=agent")
    assert [one["name"] for one in reply.json()["artifacts"]] == ["agent"]


def test_an_unchanged_answer_is_not_sent_again(sim: Sim) -> None:
    first = ask(sim, "/repos/acme/widgets/actions/runs/123")
    again = ask(sim, "/repos/acme/widgets/actions/runs/123", {"if-none-match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    sim.repositories[42].runs[123].conclusion = "failure"
    assert ask(sim, "/repos/acme/widgets/actions/runs/123", {"if-none-match": first.headers["etag"]}).status == 200


def test_one_artifact_by_number(sim: Sim) -> None:
    made = sim.artifact(sim.repositories[42].runs[123])
    assert ask(sim, f"/repos/acme/widgets/actions/artifacts/{made.id}").json()["name"] == "agent"
    sim.repository("acme/other")
    for path in (f"/repos/acme/other/actions/artifacts/{made.id}", "/repos/acme/widgets/actions/artifacts/1"):
        assert ask(sim, path).status == 404
        assert ask(sim, f"{path}/zip", AUTHORIZED).status == 404


@pytest.mark.parametrize("path", ["/", "/users", "/repos/acme", "/repos/acme/widgets/pages", "/repos/acme/none"])
def test_what_it_does_not_have_is_not_found(sim: Sim, path: str) -> None:
    assert ask(sim, path).status == 404


def test_a_write_is_not_found(sim: Sim) -> None:
    assert sim.handle(Request.to(f"{API}/repos/acme/widgets", method="DELETE")).status == 404


def test_the_blob_store_has_no_patience_with_credentials(sim: Sim) -> None:
    made = sim.artifact(sim.repositories[42].runs[123])
    link = ask(sim, f"/repos/acme/widgets/actions/artifacts/{made.id}/zip", AUTHORIZED).headers["location"]
    assert sim.handle(Request.to(link, AUTHORIZED)).status == 400
    assert sim.handle(Request.to(link)).status == 200
    assert sim.handle(Request.to(link.replace("sig=", "sig=0"))).status == 403
    assert sim.handle(Request.to("https://blobs.example/elsewhere")).status == 404
    assert sim.handle(Request.to("https://blobs.example/signed/1/1?sig=0")).status == 404


def test_parts_of_a_blob(sim: Sim) -> None:
    made = sim.artifact(sim.repositories[42].runs[123], content=b"0123456789")
    link = ask(sim, f"/repos/acme/widgets/actions/artifacts/{made.id}/zip", AUTHORIZED).headers["location"]
    whole = sim.handle(Request.to(link))
    part = sim.handle(Request.to(link, {"range": "bytes=4-", "if-range": whole.headers["etag"]}))
    assert (part.status, bytes(part.body), part.headers["content-range"]) == (206, b"456789", "bytes 4-9/10")
    assert bytes(sim.handle(Request.to(link, {"range": "bytes=4-5"})).body) == b"45"
    assert sim.handle(Request.to(link, {"range": "bytes=4-", "if-range": '"other"'})).status == 200
    assert sim.handle(Request.to(link, {"range": "bytes=10-"})).status == 416
    made.ranges = False
    assert sim.handle(Request.to(link, {"range": "bytes=4-"})).status == 200


def test_the_client_is_a_client(sim: Sim) -> None:
    reader: Client = client(sim)
    answer = reader.get(f"{RUNS}/123")
    assert (answer.status, answer.media_type) == (200, "application/json")
    assert reader.get(f"{RUNS}/123", etag=answer.headers["etag"]).status == 304


def test_the_client_reads_its_own_api_only(sim: Sim) -> None:
    with pytest.raises(OutsideApi):
        client(sim).get("https://api.github.com.example/repos/acme/widgets")
    assert sim.requests == []


def test_the_client_follows_no_downgrade(sim: Sim) -> None:
    made = sim.artifact(sim.repositories[42].runs[123], link="http://blobs.example/x")
    with pytest.raises(RedirectDowngraded):
        client(sim).download(f"{API}/repos/acme/widgets/actions/artifacts/{made.id}/zip", io.BytesIO(), cap=100)
    assert len(sim.requests) == 1


def test_the_client_sends_no_token_to_a_stranger(sim: Sim) -> None:
    made = sim.artifact(sim.repositories[42].runs[123], link="https://api.github.com:8443/x")
    client(sim).download(f"{API}/repos/acme/widgets/actions/artifacts/{made.id}/zip", io.BytesIO(), cap=100)
    assert sim.tokens_seen() == {API: {f"Bearer {TOKEN}"}}
    assert sim.requests[-1].origin == "https://api.github.com:8443"


def test_the_client_does_not_run_in_circles(sim: Sim) -> None:
    sim.answer("/widgets", Reply(302, {"location": f"{API}/repos/acme/widgets"}))
    with pytest.raises(TooManyRedirects):
        client(sim).get(f"{API}/repos/acme/widgets")
    assert len(sim.requests) == 6


def test_the_client_bounds_an_answer(sim: Sim) -> None:
    sim.answer("/widgets", Reply(200, {}, bytes(16 * 1024 * 1024 + 1)))
    with pytest.raises(AnswerTooLarge):
        client(sim).get(f"{API}/repos/acme/widgets")


def test_the_client_tells_a_missing_token_from_a_bad_one(sim: Sim) -> None:
    sim.answer("/widgets", Reply.problem(401, "Requires authentication"))
    with pytest.raises(TokenMissing):
        client(sim, None).get(f"{API}/repos/acme/widgets")
    with pytest.raises(Unauthorized):
        client(sim).get(f"{API}/repos/acme/widgets")


def test_an_enterprise_server_has_another_root_and_another_token(sim: Sim) -> None:
    host = Host("ghe.example.com")
    reader = SimClient(sim, {"PATH": "", "GH_TOKEN": "cloud", "GH_ENTERPRISE_TOKEN": TOKEN}, host=host)
    answer = reader.get("https://ghe.example.com/api/v3/repos/acme/widgets/actions/runs/123")
    assert answer.status == 200
    assert b"https://ghe.example.com/api/v3/repos/acme/widgets/actions/runs/123" in answer.body
    assert sim.tokens_seen() == {"https://ghe.example.com": {f"Bearer {TOKEN}"}}


def test_faults_by_number_and_for_all(sim: Sim) -> None:
    sim.faults = {2: Fault(FaultKind.RESET), 3: Reply.problem(500, "no")}
    sim.every_fault = Fault(FaultKind.DELAYED, 1.0)
    replies = [ask(sim, "/repos/acme/widgets") for _ in range(4)]
    kinds = [None if reply.fault is None else reply.fault.kind for reply in replies]
    assert kinds == [FaultKind.DELAYED, FaultKind.RESET, None, FaultKind.DELAYED]
    assert replies[2].status == 500
    assert sim.replies == replies


def test_limits_look_as_github_words_them() -> None:
    assert primary_limit(17).headers["x-ratelimit-reset"] == "17"
    assert "retry-after" not in secondary_limit().headers
    assert secondary_limit("Wed, 21 Oct 2026 07:28:00 GMT").headers["retry-after"] == "Wed, 21 Oct 2026 07:28:00 GMT"


def test_zips_are_the_same_for_the_same_members() -> None:
    assert zipped({"a": b"1"}) == zipped({"a": b"1"})
    assert zipped({"a": b"1"}) != zipped({"a": b"2"})
