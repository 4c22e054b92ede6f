"""The caller's GH_HOST and its kin: the evaluator is told the run's own host, and nothing of the caller's (AW-03)."""

from pathlib import Path

import pytest

from opvalue.identity import Repository
from tests.support.probe import telling_evaluator
from tests.support.refusals import UNCONFINED
from tests.support.world import World

LEAKED = {
    "GH_HOST": "evil.example",
    "GITHUB_HOST": "evil.example",
    "GH_ENTERPRISE_HOST": "evil.example",
    "GITHUB_ENTERPRISE_HOST": "evil.example",
    "GITHUB_API_URL": "https://evil.example/api",
    "GITHUB_GRAPHQL_URL": "https://evil.example/graphql",
    "GITHUB_SERVER_URL": "https://evil.example",
    "GH_REPO": "evil.example/mallory/widgets",
    "GITHUB_REPOSITORY": "mallory/widgets",
    "GITHUB_WORKSPACE": "/evil",
    "GH_TOKEN": "ghp_canary",
    "GITHUB_TOKEN": "ghp_canary",
    "GH_ENTERPRISE_TOKEN": "ghp_canary",
    "GH_CONFIG_DIR": "/evil",
}
HOSTS = [
    ("github.com", "https://github.com", "https://api.github.com", "https://api.github.com/graphql"),
    (
        "ghe.example.com",
        "https://ghe.example.com",
        "https://ghe.example.com/api/v3",
        "https://ghe.example.com/api/graphql",
    ),
    ("acme.ghe.com", "https://acme.ghe.com", "https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql"),
]


@pytest.mark.parametrize(("host", "server", "api", "graphql"), HOSTS)
def test_the_evaluator_is_told_the_runs_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, server: str, api: str, graphql: str
) -> None:
    for name, value in LEAKED.items():
        monkeypatch.setenv(name, value)
    world = World(tmp_path, evaluator=telling_evaluator())
    world.repository("remote", "set-url", "origin", f"https://{host}/acme/widgets")
    regraded = world.regrade(runner=UNCONFINED, repository=Repository.parse(f"{host}/acme/widgets"))
    assert f'"host": "{host}"' in regraded.to_json()
    told = regraded.observation.diagnostics
    assert told is not None
    environment = told["environment"]
    assert isinstance(environment, dict)
    hosts = {name: environment.get(name) for name in LEAKED if environment.get(name) is not None}
    assert hosts == {
        "GH_HOST": host,
        "GITHUB_SERVER_URL": server,
        "GITHUB_API_URL": api,
        "GITHUB_GRAPHQL_URL": graphql,
        "GH_TOKEN": "placeholder-not-a-credential",
    }
    assert "canary" not in regraded.to_json()
    assert "evil" not in regraded.to_json()
