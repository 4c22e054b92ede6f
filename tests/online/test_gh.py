"""The real gh and ours, before one server: the same listing, the same bytes, the same regrade. Never skipped in CI."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opvalue.archive import read_artifact
from opvalue.github import GitHub, candidates
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Repository
from opvalue.identity.repository import LOCALHOST
from tests.online.stage import RUN_ID, Program, Stage
from tests.sim import PROXIED_HOST, SimServer, zipped
from tests.support.canary import CANARY, Hunt

GH = shutil.which("gh")
pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.skipif(GH is None, reason="gh is not installed"),
]

WIDGETS = Repository(LOCALHOST, "acme", "widgets")
DOTTED = ("agent", "abc123-agent", "x..y-agent", "..-agent", ".hidden-agent", "v1.2.3-agent", "a b-agent", "é-agent")


class Gh:
    """The real gh, logged in to the made-up server by its environment, which is how it reaches it too."""

    def __init__(self, server: SimServer, home: Path, hunt: Hunt) -> None:
        self.home = home
        self.hunt = hunt
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GH_HOST": PROXIED_HOST,
            "GH_TOKEN": CANARY,
            "HTTP_PROXY": server.proxy_url,
            "GH_NO_UPDATE_NOTIFIER": "1",
        }

    def __call__(self, *argv: str, fails: bool = False) -> bytes:
        with self.hunt.entrusting():
            finished = subprocess.run(
                [GH or "gh", *argv], env=self.env, cwd=self.home, capture_output=True, timeout=60, check=False
            )
        assert (finished.returncode != 0) is fails, finished.stderr.decode()
        return finished.stderr if fails else finished.stdout


@pytest.fixture
def server(served: Stage) -> Iterator[SimServer]:
    with SimServer(served.sim, proxied=True) as made:
        yield made


@pytest.fixture
def gh(server: SimServer, tmp_path: Path, hunt: Hunt) -> Gh:
    home = tmp_path / "gh"
    home.mkdir()
    return Gh(server, home, hunt)


@pytest.fixture
def ours(server: SimServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    monkeypatch.setenv("HTTP_PROXY", server.proxy_url)
    credentials = Credentials({"GH_TOKEN": CANARY})
    with HttpxClient(credentials, api_origins={LOCALHOST: LOCALHOST.api_url}) as client:
        yield GitHub(client, LOCALHOST)


def test_one_listing(served: Stage, gh: Gh, ours: GitHub) -> None:
    for index in range(250):
        served.upload(f"matrix-{index}", b"PK\x05\x06" + bytes([index]), expired=index % 7 == 0)
    served.upload(has_digest=False)
    query = ".artifacts[] | [.id, .name, .size_in_bytes, .expired, .digest]"
    lines = gh("api", "--paginate", f"repos/acme/widgets/actions/runs/{RUN_ID}/artifacts", "--jq", query).splitlines()
    listed: list[list[Any]] = [json.loads(line) for line in lines]
    found = ours.artifacts(WIDGETS, str(RUN_ID))
    assert len(listed) == 251
    assert listed == [[one.id, one.name, one.size, one.expired, one.digest] for one in found]


def test_the_same_bytes_of_every_artifact(served: Stage, gh: Gh, ours: GitHub, tmp_path: Path) -> None:
    for index, name in enumerate(DOTTED):
        served.upload(name, zipped({"agent/note.txt": bytes([index]) * 70_000}), dead_links=index % 2)
    for artifact in ours.artifacts(WIDGETS, str(RUN_ID)):
        target = tmp_path / f"{artifact.id}.zip"
        with target.open("x+b") as file:
            ours.download(WIDGETS, artifact, file)
        served.run.artifacts[artifact.id - served.run.artifacts[0].id].dead_links = 0
        assert target.read_bytes() == gh("api", f"repos/acme/widgets/actions/artifacts/{artifact.id}/zip")


@pytest.mark.parametrize("name", DOTTED)
def test_harmless_names_are_downloaded_by_both(served: Stage, gh: Gh, ours: GitHub, tmp_path: Path, name: str) -> None:
    served.upload(name)
    target = tmp_path / "ours.zip"
    with target.open("x+b") as file:
        (wanted,) = candidates(ours.artifacts(WIDGETS, str(RUN_ID))).live
        ours.download(WIDGETS, wanted, file)
    folder = tmp_path / "theirs"
    gh("run", "download", str(RUN_ID), "-R", "acme/widgets", "--name", name, "--dir", str(folder))
    assert read_artifact(folder) == read_artifact(target)


def test_an_expired_one_is_had_by_neither(served: Stage, gh: Gh, program: Program, server: SimServer) -> None:
    served.upload(expired=True)
    gh("run", "download", str(RUN_ID), "-R", "acme/widgets", "--name", "agent", fails=True)
    argv = ("regrade", str(RUN_ID), "--evidence-at", "maturity", "--json")
    checkout = ("--checkout", str(served.world.repository.path))
    ended = program.run(*argv, *checkout, env={"HTTP_PROXY": server.proxy_url})
    assert (ended.status, ended.error["code"]) == (6, "github.artifact-expired")


def test_one_statement_from_what_gh_downloaded_and_from_the_server(
    served: Stage, gh: Gh, program: Program, server: SimServer
) -> None:
    served.upload()
    folder = gh.home / "downloaded"
    gh("run", "download", str(RUN_ID), "-R", "acme/widgets", "--name", "agent", "--dir", str(folder))
    argv = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--no-sandbox", "--json")
    checkout = ("--checkout", str(served.world.repository.path))
    documents = [
        program.run(*argv, *checkout, *more, env={"HTTP_PROXY": server.proxy_url}).document
        for more in ((), ("--artifact", str(folder)))
    ]
    assert [document.pop("execution")["mode"] for document in documents] == ["online", "offline"]
    assert documents[0] == documents[1]


def test_gh_keeps_its_token_from_the_store_as_ours_does(served: Stage, gh: Gh, hunt: Hunt) -> None:
    served.upload()
    gh("api", f"repos/acme/widgets/actions/artifacts/{served.run.artifacts[0].id}/zip")
    assert set(served.sim.tokens_seen()) == {f"http://api.{PROXIED_HOST}"}
    assert hunt.look() == []


def test_the_token_that_gh_keeps_is_found(
    served: Stage, gh: Gh, program: Program, server: SimServer, hunt: Hunt
) -> None:
    # As `gh auth login` leaves it where there is no keyring.
    served.upload()
    hosts = program.folder / ".config" / "gh" / "hosts.yml"
    hosts.parent.mkdir(parents=True)
    hosts.write_text(f"{PROXIED_HOST}:\n    oauth_token: {CANARY}\n    user: mona\n    git_protocol: https\n")
    hosts.chmod(0o600)
    hunt.plant(hosts)
    del gh
    argv = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--no-sandbox", "--json")
    checkout = ("--checkout", str(served.world.repository.path))
    ended = program.run(*argv, *checkout, env={"HTTP_PROXY": server.proxy_url, "GH_TOKEN": ""})
    assert ended.status == 0, ended
    assert set(served.sim.tokens_seen()) == {f"http://api.{PROXIED_HOST}"}
