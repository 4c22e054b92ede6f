"""Every kind of host: its API, its token, its cache; and two hosts are never mixed up (HB-01, HB-02, HB-09, AW-06)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.cli import run
from opvalue.errors import OpvalueError
from opvalue.identity import GITHUB, Host, Repository
from tests.online.stage import RUN_ID, Program, Stage
from tests.sim import PROXIED_HOST, SimClient, SimServer
from tests.support.canary import CANARY
from tests.support.world import World

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ENTERPRISE = Host("ghe.example.com")
TENANT = Host("acme.ghe.com")
ODD_PORT = Host("ghe.example.com:8443")
API = {
    GITHUB: "https://api.github.com",
    TENANT: "https://api.acme.ghe.com",
    ENTERPRISE: "https://ghe.example.com",
    ODD_PORT: "https://ghe.example.com:8443",
}


@contextmanager
def hosted(world: World, host: Host) -> Iterator[Repository]:
    """Let the checkout be a clone from ``host``."""
    world.repository("remote", "set-url", "origin", f"https://{host}/acme/widgets.git")
    try:
        yield Repository(host, "acme", "widgets")
    finally:
        world.repository("remote", "set-url", "origin", "https://github.com/acme/widgets.git")


@pytest.mark.parametrize("host", API, ids=str)
def test_each_host_is_asked_at_its_own_api(stage: Stage, host: Host) -> None:
    stage.upload(has_digest=host.is_cloud)
    with hosted(stage.world, host) as repository:
        regraded = stage.regrade(client=stage.client(host=host), repository=repository)
    assert regraded.statement["regrade"]["host"] == host.name  # type: ignore[index]
    assert stage.sim.tokens_seen() == {API[host]: {f"Bearer {CANARY}"}}


@pytest.mark.parametrize(
    ("host", "variable", "wanted"),
    [
        (ENTERPRISE, "GH_TOKEN", "GH_ENTERPRISE_TOKEN"),
        (ENTERPRISE, "GITHUB_TOKEN", "GITHUB_ENTERPRISE_TOKEN"),
        (GITHUB, "GH_ENTERPRISE_TOKEN", "GH_TOKEN"),
        (TENANT, "GITHUB_ENTERPRISE_TOKEN", "GITHUB_TOKEN"),
    ],
    ids=str,
)
def test_another_kind_of_hosts_token_is_not_sent(stage: Stage, host: Host, variable: str, wanted: str) -> None:
    stage.repository.private = True
    stage.upload()
    client = SimClient(stage.sim, {"PATH": "", variable: CANARY}, host=host)
    with hosted(stage.world, host) as repository, pytest.raises(OpvalueError) as caught:
        stage.regrade(client=client, repository=repository)
    assert (caught.value.code, caught.value.kind.exit_status) == ("github.not-found-without-token", 4)
    assert wanted in (caught.value.found or "")
    assert f"gh auth token --hostname {host}" in (caught.value.found or "")
    assert stage.sim.tokens_seen() == {}


def test_the_cache_tells_hosts_apart(stage: Stage) -> None:
    artifact = stage.upload()
    for host in (GITHUB, ENTERPRISE, TENANT, ODD_PORT):
        for _ in range(2):
            with hosted(stage.world, host) as repository:
                stage.regrade(client=stage.client(host=host), repository=repository)
    assert artifact.links == 4


# The command line


ASK = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--no-sandbox", "--json")


def test_the_checkouts_own_host_is_asked(served: Stage, program: Program) -> None:
    served.upload()
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, env={"HTTP_PROXY": server.proxy_url, "GH_HOST": ""})
    assert ended.status == 0
    assert ended.document["regrade"]["host"] == PROXIED_HOST


@pytest.mark.parametrize("ambient", ["github.com", "ghe.example.com", "GitHub.com"])
def test_another_ambient_host_than_the_checkouts_is_refused(served: Stage, program: Program, ambient: str) -> None:
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, env={"HTTP_PROXY": server.proxy_url, "GH_HOST": ambient})
    assert (ended.status, ended.error["code"]) == (2, "usage")
    assert ended.error["expected"] == PROXIED_HOST
    assert "GH_HOST" in ended.error["message"]
    assert served.sim.requests == []


@pytest.mark.parametrize(
    "named", [("-R", f"{PROXIED_HOST}/acme/widgets"), (f"https://{PROXIED_HOST}/acme/widgets/actions/runs/{RUN_ID}",)]
)
def test_a_host_that_is_named_beats_the_ambient_one(served: Stage, program: Program, named: tuple[str, ...]) -> None:
    served.upload()
    argv = (ASK[0], *(named if len(named) == 1 else (ASK[1], *named)), *ASK[2:])
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*argv, *checkout, env={"HTTP_PROXY": server.proxy_url, "GH_HOST": "ghe.example.com"})
    assert ended.status == 0, ended


@pytest.mark.parametrize(
    ("ambient", "expected"),
    [
        ({"GH_REPO": "acme/widgets"}, 0),
        ({"GH_REPO": f"{PROXIED_HOST}/ACME/Widgets"}, 0),
        ({"GH_REPO": "acme/other"}, 5),
    ],
)
def test_the_ambient_repository(served: Stage, program: Program, ambient: dict[str, str], expected: int) -> None:
    served.upload()
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, env={"HTTP_PROXY": server.proxy_url, **ambient})
    assert ended.status == expected, ended


def test_an_address_with_an_attempt(served: Stage, program: Program) -> None:
    served.run.attempt = 2
    served.upload()
    address = f"https://{PROXIED_HOST}/acme/widgets/actions/runs/{RUN_ID}/attempts/1"
    with SimServer(served.sim, proxied=True) as server:
        more = ("--checkout", str(served.world.repository.path))
        env = {"HTTP_PROXY": server.proxy_url}
        ended = program.run(ASK[0], address, *ASK[2:], *more, env=env)
        contrary = program.run(ASK[0], address, *ASK[2:], *more, "--attempt", "2", env=env)
    assert ended.document["run"] == {"id": str(RUN_ID), "attempt": 1}
    assert (contrary.status, contrary.error["code"]) == (2, "usage")


@pytest.fixture
def in_process(served: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let the command run in this process reach the server."""
    served.upload()
    monkeypatch.chdir(served.world.repository.path)
    monkeypatch.setenv("GH_TOKEN", CANARY)
    monkeypatch.setenv("OPVALUE_CACHE_DIR", str(tmp_path / "cache"))
    with SimServer(served.sim, proxied=True) as server:
        monkeypatch.setenv("HTTP_PROXY", server.proxy_url)
        yield


@pytest.mark.usefixtures("in_process")
def test_gh_aws_own_words_reach_the_server_too(capfd: pytest.CaptureFixture[str]) -> None:
    argv = ["graders", "operational-value", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z"]
    assert run("gh-aw", argv) == 0
    assert "Operational Value: 0.666" in capfd.readouterr().out


@pytest.mark.usefixtures("in_process")
def test_in_one_process_as_in_another(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("no folder")
    assert run("opvalue", [*ASK, "-R", f"{PROXIED_HOST}/acme/widgets"]) == 0
    out, err = capfd.readouterr()
    assert (json.loads(out)["regrade"]["host"], err.count("warning:")) == (PROXIED_HOST, 1)
    monkeypatch.setenv("GH_HOST", "ghe.example.com")
    assert run("opvalue", list(ASK)) == 2
    assert "GH_HOST" in json.loads(capfd.readouterr().out)["error"]["message"]
