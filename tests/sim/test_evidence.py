"""What the made-up server says of issues, pulls, files, checks and discussions, as GitHub's description has it."""

import base64
import json
import os
from typing import Any

import pytest

from tests.sim import HEAD_SHA, Reply, Request, Sim, gathered, openapi
from tests.sim.evidence_answers import blob_id

API = "https://api.github.com"
ROOT = f"{API}/repos/acme/widgets"


@pytest.fixture
def sim() -> Sim:
    made = Sim()
    gathered(made, number=42, issues=70)
    return made


def ask(sim: Sim, path: str, **headers: str) -> Reply:
    return sim.handle(Request.to(path if "://" in path else f"{ROOT}{path}", headers))


def query(sim: Sim, document: str, **variables: Any) -> Any:
    body = json.dumps({"query": document, "variables": variables}).encode()
    return sim.handle(Request.to(f"{API}/graphql", method="POST", body=body)).json()


PATHS = [
    "/issues?state=all&per_page=100",
    "/issues/1",
    "/issues/2",
    "/issues/3",
    "/issues/comments/101",
    "/issues/comments",
    "/issues/1/comments",
    "/issues/1/events",
    "/issues/1/labels",
    "/issues/1/reactions",
    "/issues/3/timeline",
    "/issues/comments/101/reactions",
    "/pulls?state=all",
    "/pulls/3",
    "/pulls/4",
    "/pulls/3/reviews",
    "/pulls/3/files",
    "/pulls/3/commits",
    f"/commits/{HEAD_SHA}",
    f"/commits/{HEAD_SHA}/check-runs",
    "/contents/README.md",
    "/contents/",
    f"/git/blobs/{blob_id(bytes(range(256)))}",
    "/git/trees/main?recursive=1",
    "/git/ref/heads/main",
    "/branches/main",
    "/branches/main/protection",
]


@pytest.mark.skipif(
    not openapi.available() and os.environ.get("CI") != "true", reason="npm, which brings the description, is absent"
)
@pytest.mark.timeout(300)
@pytest.mark.parametrize("path", [*PATHS, f"{API}/search/issues?q=repo:acme/widgets+crash"])
def test_answers_are_as_described(sim: Sim, path: str) -> None:
    described = openapi.description("api.github.com")
    reply = ask(sim, path)
    assert reply.status == 200
    plain = path.partition("?")[0].removeprefix(API).rstrip("/")
    full = plain if "://" in path or plain.startswith("/search") else f"/repos/acme/widgets{plain}"
    # A described path holds no further slash where it has a variable.
    full = {"/contents/": f"{full}/x", "/git/ref/heads/main": full.replace("heads/main", "main")}.get(path, full)
    assert list(described.findings(described.path(full), 200, reply.json())) == []


def test_pages_are_linked(sim: Sim) -> None:
    first = ask(sim, "/issues?state=open&per_page=50")
    assert len(first.json()) == 50
    assert f'<{ROOT}/issues?state=open&per_page=50&page=2>; rel="next"' in first.headers["link"]
    second = ask(sim, "/issues?state=open&per_page=50&page=2")
    assert [one["number"] for one in second.json()][-3:] == [5, 4, 2]
    assert 'rel="next"' not in second.headers["link"]


def test_files_come_as_text_as_base64_and_raw(sim: Sim) -> None:
    document = ask(sim, "/contents/docs/binary.bin").json()
    assert base64.b64decode(document["content"]) == bytes(range(256))
    assert document["content"].index("\n") == 60
    raw = ask(sim, "/contents/docs/binary.bin", accept="application/vnd.github.raw+json")
    assert bytes(raw.body) == bytes(range(256))
    blob = ask(sim, f"/git/blobs/{document['sha']}", accept="application/vnd.github.v3.raw")
    assert bytes(blob.body) == bytes(range(256))
    assert [one["name"] for one in ask(sim, "/contents/docs").json()] == ["binary.bin", "guide.md"]
    assert ask(sim, "/contents/absent").status == 404


def test_a_tarball_lies_elsewhere(sim: Sim) -> None:
    moved = ask(sim, "/tarball/main")
    assert moved.status == 302
    assert bytes(ask(sim, moved.headers["location"]).body).startswith(b"\x1f\x8b")


def test_a_search_knows_qualifiers(sim: Sim) -> None:
    def count(words: str) -> int:
        found: int = ask(sim, f"{API}/search/issues?q=repo:acme/widgets+{words}").json()["total_count"]
        return found

    assert [count(words) for words in ("is:pr", "is:pr+is:merged", "crash+is:issue", "label:triaged", "-is:open")] == [
        *(2, 1, 1, 1, 2)
    ]
    sim.repositories[42].evidence.incomplete = True
    assert ask(sim, f"{API}/search/issues?q=x").json()["incomplete_results"] is True


def test_what_is_not_there(sim: Sim) -> None:
    for path in ("/issues/999", "/pulls/1", "/pulls/1/reviews", "/branches/other/protection", "/git/blobs/" + "0" * 40):
        assert ask(sim, path).status == 404
    assert ask(sim, "/commits/no-such").status == 422


def test_graphql_gives_pages_and_errors(sim: Sim) -> None:
    document = """query($owner: String!, $endCursor: String) { repository(owner: $owner, name: "widgets") {
      discussions(first: 2, after: $endCursor) { nodes { ...D } pageInfo { hasNextPage endCursor } } } }
      fragment D on Discussion { number isAnswered }"""
    first = query(sim, document, owner="acme")["data"]["repository"]["discussions"]
    assert first["nodes"] == [{"number": 11, "isAnswered": True}, {"number": 12, "isAnswered": False}]
    assert first["pageInfo"] == {"hasNextPage": True, "endCursor": "cursor:2"}
    last = query(sim, document, owner="acme", endCursor="cursor:4")["data"]["repository"]["discussions"]
    assert last["pageInfo"]["hasNextPage"] is False
    missing = query(sim, document, owner="nobody")
    assert missing["data"] == {"repository": None}
    assert missing["errors"][0]["type"] == "NOT_FOUND"
    assert "data" not in query(sim, "{ viewer { nothing } }")
    assert "errors" in query(sim, "{ unclosed")
