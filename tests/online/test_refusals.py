"""Every way a run is not to be had, by the real program: code, exit status, and what was seen (DESIGN 4.3; AW-08)."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from opvalue.errors import OpvalueError
from tests.online.stage import RUN_ID, Program, Stage
from tests.sim import PROXIED_HOST, Access, Reply, SimRepository, SimServer, primary_limit, sha256, zipped
from tests.support.canary import CANARY

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ASK = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--no-sandbox")
PAGE = b"<!DOCTYPE html><html><body>Please log in to the network</body></html>"


class Case(NamedTuple):
    """How a run is spoiled, and what must come of it."""

    spoil: Callable[[Stage], object]
    code: str
    status: int
    seen: tuple[str, ...]
    env: Mapping[str, str] = {}
    requests: int | None = None


def absent(stage: Stage) -> None:
    stage.upload("logs", zipped())
    stage.upload("agent-output", zipped())


def newer(stage: Stage) -> None:
    stage.upload("usage", zipped())


def expired(stage: Stage) -> None:
    stage.upload(expired=True, expires_at="2025-11-20T12:10:00Z")


def gone(stage: Stage) -> None:
    stage.upload(gone=True)


def private(stage: Stage, access: Access | None = None) -> None:
    stage.repository.private = True
    if access is not None:
        stage.sim.tokens[CANARY] = access
    stage.upload()


def not_allowed_to_download(stage: Stage) -> None:
    stage.sim.tokens[CANARY] = Access(actions=False)
    stage.upload()


def unknown_token(stage: Stage) -> None:
    stage.sim.tokens.clear()
    stage.upload()


def several(stage: Stage) -> None:
    stage.upload("one-agent")
    stage.upload("two-agent")


def served_instead(body: bytes, media_type: str = "application/zip") -> Callable[[Stage], None]:
    def spoil(stage: Stage) -> None:
        stage.upload()
        stage.sim.answer("/signed/", Reply(200, {"content-type": media_type}, body))

    return spoil


def shortened(stage: Stage) -> None:
    stage.upload()
    stage.sim.answer("/signed/", Reply(200, {"content-type": "application/zip"}, stage.zipped()[:100]))


def altered(stage: Stage) -> None:
    stage.upload(digest=sha256(b"what was uploaded"))


def unreadable_digest(stage: Stage) -> None:
    stage.upload(digest="md5:d41d8cd98f00b204e9800998ecf8427e")


def broken_zip(stage: Stage) -> None:
    stage.upload(content=b"PK\x03\x04" + bytes(200))


def ungraded(stage: Stage) -> None:
    stage.upload(content=zipped())


def forked(stage: Stage) -> None:
    stage.run.head_repository = SimRepository("mallory/widgets", 43, fork=True)
    stage.upload()


def running(stage: Stage) -> None:
    stage.run.status, stage.run.conclusion = "in_progress", None
    stage.upload()


def elsewhere(stage: Stage) -> None:
    stage.upload()
    repository = {"id": 43, "full_name": "acme/gadgets"}
    stage.sim.edit("/runs/123456", lambda answer: {**answer, "repository": repository}, page=None)


def limited(stage: Stage) -> None:
    stage.upload()
    stage.sim.every_fault = primary_limit(4_000_000_000)


def redirected(stage: Stage) -> None:
    stage.upload(link="ftp://blobs.example/x")


CASES = {
    "absent": Case(absent, "github.artifact-absent", 6, ("'logs'", "'agent-output'"), requests=2),
    "nothing at all": Case(lambda _: None, "github.artifact-absent", 6, ("no artifacts at all",), requests=2),
    "newer kind": Case(newer, "github.newer-kind", 3, ("'usage'",), requests=2),
    "expired by field": Case(expired, "github.artifact-expired", 6, ("'agent'", "2025-11-20"), requests=2),
    "expired by code": Case(gone, "github.artifact-expired", 6, ("'agent'", "expired"), requests=3),
    "forbidden": Case(
        lambda stage: private(stage, Access(actions=False)),
        "http.forbidden",
        4,
        ("status 403", "Resource not accessible by personal access token", "GH_TOKEN"),
        requests=1,
    ),
    "forbidden download": Case(not_allowed_to_download, "http.forbidden", 4, ("status 403", "GH_TOKEN"), requests=3),
    "not found with a token": Case(
        lambda stage: private(stage, Access(repositories=frozenset())),
        "github.not-found",
        6,
        ("run 123456 of github.localhost/acme/widgets", "status 404; a token was sent, from GH_TOKEN"),
        requests=1,
    ),
    "not found without a token": Case(
        private,
        "github.not-found-without-token",
        4,
        ("no token was sent", "GH_TOKEN, GITHUB_TOKEN, gh auth token --hostname github.localhost"),
        {"GH_TOKEN": ""},
    ),
    "download without a token": Case(
        Stage.upload,
        "http.token-missing",
        4,
        ("GH_TOKEN or GITHUB_TOKEN or gh auth token --hostname github.localhost", "status 401"),
        {"GH_TOKEN": ""},
    ),
    "another host's token": Case(
        Stage.upload, "http.token-missing", 4, ("GH_TOKEN",), {"GH_TOKEN": "", "GH_ENTERPRISE_TOKEN": CANARY}
    ),
    "token refused": Case(unknown_token, "http.unauthorized", 4, ("GH_TOKEN", "Bad credentials"), requests=1),
    "several candidates": Case(several, "github.several-artifacts", 5, ("'one-agent'", "'two-agent'", "attempt 1")),
    "not a zip": Case(served_instead(b"\x89PNG\r\n"), "github.download-not-a-zip", 6, ("'agent'", "6 bytes", "PNG")),
    "nothing": Case(served_instead(b""), "github.download-not-a-zip", 6, ("'agent'", "nothing")),
    "JSON": Case(
        served_instead(b'{"message": "Server busy"}', "application/json"),
        "github.download-is-json",
        6,
        ("'agent'", "Server busy"),
    ),
    "HTML": Case(served_instead(PAGE, "text/html"), "github.download-is-a-page", 6, ("'agent'", "text/html")),
    "cut": Case(shortened, "github.download-cut", 6, ("'agent'", "100 bytes")),
    "digest mismatch": Case(altered, "github.digest-mismatch", 5, ("'agent'", sha256(b"what was uploaded"))),
    "digest unreadable": Case(unreadable_digest, "github.digest-unreadable", 5, ("md5:d41d8c",)),
    "broken zip": Case(broken_zip, "archive.cut", 6, ("no end record",)),
    "not graded": Case(ungraded, "github.no-grader-data", 3, ("'agent'",)),
    "fork": Case(forked, "github.fork-run", 5, ("acme/widgets", "mallory/widgets"), requests=1),
    "not completed": Case(running, "github.run-not-completed", 3, ("in_progress",), requests=1),
    "wrong repository": Case(elsewhere, "github.wrong-repository", 5, ("acme/gadgets (id 43)", "(id 42)")),
    "hourly limit": Case(limited, "http.rate-limited", 9, ("GH_TOKEN", "2096-10-02"), requests=1),
    "link to nowhere": Case(redirected, "http.redirect-unusable", 9, ("http://api.github.localhost",)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_program_says_what_it_saw(served: Stage, program: Program, name: str) -> None:
    case = CASES[name]
    case.spoil(served)
    output = program.folder / "out.json"
    with SimServer(served.sim, proxied=True) as server:
        env = {"HTTP_PROXY": server.proxy_url, **case.env}
        more = ("--checkout", str(served.world.repository.path), "--output", str(output), "--json")
        ended = program.run(*ASK, *more, env=env)
    assert ended.err == ""
    assert (ended.error["code"], ended.status) == (case.code, case.status), ended.error
    for words in case.seen:
        assert words in str(ended.error), ended.error
    assert ended.error["hint"]
    assert not output.exists()
    if case.requests is not None:
        assert len(served.sim.requests) == case.requests, "nothing is asked for twice"
    cached = [path for path in program.cache.rglob("*") if path.is_file() and path.suffix != ".lock"]
    kept = {"several candidates": 4, "not graded": 2, "broken zip": 2}.get(name, 0)
    assert len(cached) == kept, cached


def test_as_text_it_is_on_standard_error(served: Stage, program: Program) -> None:
    absent(served)
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, env={"HTTP_PROXY": server.proxy_url})
    assert (ended.status, ended.out) == (6, "")
    first, *rest = ended.err.splitlines()
    assert first == "opvalue: the run concluded without a grader artifact [github.artifact-absent]"
    assert "'logs'" in "".join(rest)


def test_a_body_that_ends_early_each_time(stage: Stage) -> None:
    stage.upload(cut_after=100, ranges=False)
    waits: list[float] = []
    with stage.loopback(waits=waits) as regrade, pytest.raises(OpvalueError) as caught:
        regrade()
    assert (caught.value.code, caught.value.kind.exit_status) == ("http.network-failed", 9)
    assert len(waits) == 4


@pytest.mark.parametrize("dead", [1, 99])
def test_a_link_that_has_died_is_asked_for_anew(stage: Stage, dead: int) -> None:
    stage.upload(dead_links=dead)
    with stage.loopback() as regrade:
        if dead == 1:
            assert regrade().observation.value is not None
            return
        with pytest.raises(OpvalueError) as caught:
            regrade()
    assert (caught.value.code, caught.value.kind.exit_status) == ("http.link-refused", 9)


def test_a_cut_download_is_resumed_with_a_fresh_link(stage: Stage) -> None:
    stage.upload(cut_after=2000)
    with stage.loopback() as regrade:
        assert regrade().observation.value is not None
    ranges = [request.headers["range"] for request in stage.sim.requests if "range" in request.headers]
    assert "bytes=2000-" in ranges


@pytest.mark.parametrize("argv", [("-R", f"{PROXIED_HOST}/acme/gadgets"), ("-R", "github.com/acme/widgets")])
def test_a_checkout_of_something_else_is_refused_without_a_request(
    served: Stage, program: Program, argv: tuple[str, ...]
) -> None:
    with SimServer(served.sim, proxied=True) as server:
        more = ("--checkout", str(served.world.repository.path), "--json")
        ended = program.run(*ASK, *more, *argv, env={"HTTP_PROXY": server.proxy_url})
    assert ended.error["code"].startswith("checkout.")
    assert served.sim.requests == []
