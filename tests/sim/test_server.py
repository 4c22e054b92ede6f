"""The made-up server over loopback: what a plain client and the real gh see of it."""

import hashlib
import http.client
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from opvalue.archive import read_artifact
from opvalue.github import GitHub, TransportDigest, candidates
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Host
from tests.github.samples import WIDGETS, agent_zip
from tests.sim import PROXIED_HOST, Fault, FaultKind, Reply, Sim, SimServer

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

TOKEN = "canary-0815"  # noqa: S105 - a made-up one
RUN = "/repos/acme/widgets/actions/runs/123"
GH = shutil.which("gh")


@pytest.fixture
def sim() -> Sim:
    made = Sim()
    made.token(TOKEN)
    made.run(made.repository(number=42))
    return made


@contextmanager
def connected(url: str) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        yield connection
    finally:
        connection.close()


def read(connection: http.client.HTTPConnection, path: str) -> tuple[int, bytes]:
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.read()


def test_one_connection_carries_many_requests(sim: Sim) -> None:
    with SimServer(sim) as server, connected(server.api_url) as connection:
        for _ in range(3):
            status, body = read(connection, RUN)
            assert (status, f"{server.api_url}{RUN}".encode() in body) == (200, True)
    assert len(sim.requests) == 3


def test_three_ports_are_three_origins(sim: Sim) -> None:
    with SimServer(sim) as server:
        assert len({server.api_url, server.blob_url, server.stranger_url}) == 3
        answers = {}
        for url in (server.api_url, server.blob_url, server.stranger_url):
            with connected(url) as connection:
                answers[url] = read(connection, RUN)[0]
        assert list(answers.values()) == [200, 404, 200]
        assert [request.origin for request in sim.requests] == list(answers)
    assert sim.blob_origin == "https://blobs.example"
    assert server.api_url not in sim.api_origins


def test_it_is_a_proxy_for_made_up_names(sim: Sim) -> None:
    with SimServer(sim, proxied=True) as server, connected(server.proxy_url) as connection:
        status, body = read(connection, f"http://api.{PROXIED_HOST}{RUN}")
        assert status == 200
        assert f"http://api.{PROXIED_HOST}{RUN}".encode() in body


def test_a_body_that_comes_with_a_request_is_read_away(sim: Sim) -> None:
    with SimServer(sim) as server, connected(server.api_url) as connection:
        connection.request("POST", RUN, body=b"{}" * 100)
        response = connection.getresponse()
        assert (response.status, len(response.read()) > 0) == (404, True)
        assert read(connection, RUN)[0] == 200


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (FaultKind.REFUSED, http.client.RemoteDisconnected),
        (FaultKind.RESET, ConnectionResetError),
        (FaultKind.CUT, http.client.IncompleteRead),
    ],
)
def test_faults_of_the_connection(sim: Sim, kind: FaultKind, error: type[Exception]) -> None:
    sim.faults[1] = Fault(kind)
    with SimServer(sim) as server:
        with connected(server.api_url) as connection, pytest.raises(error):
            read(connection, RUN)
        with connected(server.api_url) as connection:
            assert read(connection, RUN)[0] == 200


def test_a_reset_is_no_mere_goodbye(sim: Sim) -> None:
    sim.faults[1] = Fault(FaultKind.RESET)
    with SimServer(sim) as server, connected(server.api_url) as connection:
        with pytest.raises(ConnectionResetError) as failed:
            read(connection, RUN)
        assert not isinstance(failed.value, http.client.RemoteDisconnected)


def test_a_late_answer_is_whole(sim: Sim) -> None:
    sim.faults[1] = Fault(FaultKind.DELAYED, 0.05)
    with SimServer(sim) as server, connected(server.api_url) as connection:
        before = time.monotonic()
        assert read(connection, RUN)[0] == 200
        assert time.monotonic() - before >= 0.05


def test_a_slow_and_a_cut_blob(sim: Sim) -> None:
    made = sim.artifact(sim.repositories[42].runs[123], content=bytes(range(100)))
    made.chunk, made.pause, made.cut_after = 40, 0.01, 90
    signature = hashlib.sha256(f"{made.id}/1".encode()).hexdigest()
    with SimServer(sim) as server, connected(server.blob_url) as connection:
        connection.request("GET", f"/signed/{made.id}/1?sig={signature}")
        response = connection.getresponse()
        assert response.headers["content-length"] == "100"
        with pytest.raises(http.client.IncompleteRead) as cut:
            response.read()
        assert cut.value.partial == bytes(range(90))


def test_it_stops_answering_and_ends_by_itself(sim: Sim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.sim.server._MAX_REQUESTS", 1)
    with SimServer(sim) as server:
        with connected(server.api_url) as connection:
            assert read(connection, RUN)[0] == 200
        with connected(server.api_url) as connection, pytest.raises(http.client.RemoteDisconnected):
            read(connection, RUN)
    names = [thread.name for thread in threading.enumerate() if "serve_forever" in thread.name]
    assert names == []


def loopback(server: SimServer, act: Callable[[GitHub], object]) -> None:
    host = Host("github.com")
    with HttpxClient(Credentials({"GH_TOKEN": TOKEN}), api_origins={host: server.api_url}) as client:
        act(GitHub(client, host, api_url=server.api_url))


def test_our_client_lists_and_downloads(sim: Sim, tmp_path: Path) -> None:
    run = sim.repositories[42].runs[123]
    for index in range(120):
        sim.artifact(run, f"matrix-{index}", b"PK")
    sim.artifact(run, content=agent_zip(), dead_links=1)
    target = tmp_path / "agent.zip"

    def act(github: GitHub) -> None:
        artifact = candidates(github.artifacts(WIDGETS, "123")).live[0]
        with target.open("x+b") as into:
            assert github.download(WIDGETS, artifact, into).digest is TransportDigest.VERIFIED

    with SimServer(sim) as server:
        loopback(server, act)
        assert sim.tokens_seen() == {server.api_url: {f"Bearer {TOKEN}"}}
    assert read_artifact(target).results.run_id == "123"


@pytest.mark.skipif(GH is None, reason="gh is not installed")
def test_the_real_gh_and_ours_see_the_same(sim: Sim, tmp_path: Path) -> None:
    run = sim.repositories[42].runs[123]
    for index in range(120):
        sim.artifact(run, f"matrix-{index}", b"PK")
    wanted = sim.artifact(run, "x..y-agent", agent_zip())
    target = tmp_path / "ours.zip"
    listed: list[str] = []

    def act(github: GitHub) -> None:
        artifacts = github.artifacts(WIDGETS, "123")
        listed.extend(artifact.name for artifact in artifacts)
        with target.open("x+b") as into:
            github.download(WIDGETS, candidates(artifacts).live[0], into)

    with SimServer(sim) as server:
        loopback(server, act)
    with SimServer(sim, proxied=True) as server:
        names = run_gh(server, tmp_path, "api", "--paginate", f"{RUN[1:]}/artifacts", "--jq", ".artifacts[].name")
        content = run_gh(server, tmp_path, "api", f"repos/acme/widgets/actions/artifacts/{wanted.id}/zip")
        run_gh(
            server,
            tmp_path,
            *("run", "download", "123", "-R", "acme/widgets", "--name", wanted.name, "--dir", str(tmp_path / "gh")),
        )
    assert names.decode().split("\n")[:-1] == listed
    assert content == target.read_bytes() == wanted.content
    assert read_artifact(tmp_path / "gh") == read_artifact(target)


def run_gh(server: SimServer, home: Path, *arguments: str) -> bytes:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GH_HOST": PROXIED_HOST,
        "GH_TOKEN": TOKEN,
        "HTTP_PROXY": server.proxy_url,
        "GH_NO_UPDATE_NOTIFIER": "1",
    }
    finished = subprocess.run(
        [GH or "gh", *arguments], env=environment, cwd=home, capture_output=True, timeout=60, check=False
    )
    assert finished.returncode == 0, finished.stderr.decode()
    return finished.stdout


def test_answers_may_be_rewritten(sim: Sim) -> None:
    sim.answer("/runs/", Reply.problem(503, "down"))
    with SimServer(sim) as server, connected(server.api_url) as connection:
        assert read(connection, RUN)[0] == 503
