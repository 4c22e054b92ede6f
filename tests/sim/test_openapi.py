"""The made-up server answers, and is asked, as GitHub's own description says. Skipped only where npm is absent."""

import io
import os
from collections.abc import Callable

import pytest

from opvalue.identity import Instant
from tests.github.samples import TOKEN, WIDGETS, github
from tests.sim import Reply, Request, Sim, SimRepository, openapi

pytestmark = [
    pytest.mark.skipif(
        not openapi.available() and os.environ.get("CI") != "true",
        reason="npm, which brings the description, is absent",
    ),
    # Fetching it the first time takes longer than any test.
    pytest.mark.timeout(300),
]

SINCE, UNTIL = Instant.parse("2026-08-01T00:00:00Z"), Instant.parse("2026-09-01T00:00:00Z")


def world() -> Sim:
    """A server with something of everything."""
    sim = Sim()
    sim.token(TOKEN)
    widgets = sim.repository(number=42, former_names=["acme/gizmos"])
    run = sim.run(widgets, attempt=2, event="pull_request", pull_request=7)
    run.referenced_workflows.append({"path": "acme/shared/.github/workflows/x.yml@main", "sha": "a" * 40})
    sim.run(widgets, 124, head_branch=None, conclusion=None, status="in_progress")
    sim.run(widgets, 125, head_repository=SimRepository("mallory/widgets", 43, fork=True, private=True))
    for index in range(120):
        sim.artifact(run, f"matrix-{index}", b"PK\x05\x06")
    sim.artifact(run, digest=None)
    sim.artifact(run, "x-agent", expired=True, expires_at=None)
    return sim


PATHS = [
    "/repos/acme/widgets",
    "/repos/acme/widgets/actions/runs/123",
    "/repos/acme/widgets/actions/runs/124",
    "/repos/acme/widgets/actions/runs/125",
    "/repos/acme/widgets/actions/runs/123/attempts/1",
    "/repos/acme/widgets/actions/runs/123/artifacts?per_page=100",
    "/repos/acme/widgets/actions/runs/123/artifacts?per_page=100&page=2",
    "/repos/acme/widgets/actions/runs/124/artifacts",
    "/repos/acme/widgets/actions/workflows/issue-triage.lock.yml",
    "/repos/acme/widgets/actions/workflows/issue-triage.lock.yml/runs?created=2026-08-01..2026-09-01",
]


@pytest.mark.parametrize("name", openapi.DESCRIPTIONS)
@pytest.mark.parametrize("path", PATHS)
def test_answers_are_as_described(name: str, path: str) -> None:
    described = openapi.description(name)
    reply = world().handle(Request.to(f"https://api.github.com{path}"))
    assert reply.status == 200
    assert list(described.findings(described.path(path.partition("?")[0]), 200, reply.json())) == []


def test_the_check_sees_what_is_wrong() -> None:
    described = openapi.description("api.github.com")
    path = "/repos/acme/widgets/actions/runs/123"
    answer = world().handle(Request.to(f"https://api.github.com{path}")).json()
    answer["created_at"] = "yesterday"
    answer["repository"]["id"] = "42"
    answer["head_repository"]["description"] = 7
    del answer["head_sha"]
    findings = list(described.findings(described.path(path), 200, answer))
    assert [finding.partition(":")[0] for finding in sorted(findings)] == [
        "",
        "created_at",
        "head_repository/description",
        "repository/id",
    ]


ASK: list[Callable[[Sim], object]] = [
    lambda sim: github(sim).run(WIDGETS, "123"),
    lambda sim: github(sim).run(WIDGETS, "123", 1),
    lambda sim: github(sim).repository(WIDGETS),
    lambda sim: github(sim).workflow(WIDGETS, "issue-triage.lock.yml"),
    lambda sim: github(sim).artifacts(WIDGETS, "123"),
    lambda sim: github(sim).workflow_runs(WIDGETS, "issue-triage.lock.yml", SINCE, UNTIL),
    lambda sim: github(sim).download(WIDGETS, github(sim).artifacts(WIDGETS, "123")[0], io.BytesIO()),
]


@pytest.mark.parametrize("ask", ASK)
def test_only_described_paths_and_arguments_are_asked_for(ask: Callable[[Sim], object]) -> None:
    described = openapi.description("api.github.com")
    sim = world()
    ask(sim)
    asked = [request for request in sim.requests if request.origin == "https://api.github.com"]
    assert asked
    for request in asked:
        path = described.path(request.path)
        assert {name for name, _ in request.query} <= described.queries(path)


def test_redirects_and_expiry_are_described() -> None:
    described = openapi.description("api.github.com")
    sim = world()
    download = described.path("/repos/acme/widgets/actions/artifacts/5000/zip")
    headers = {"authorization": f"Bearer {TOKEN}"}
    run = sim.repositories[42].runs[123]
    replies: list[Reply] = []
    for artifact in (run.artifacts[0], run.artifacts[-1]):
        url = f"https://api.github.com/repos/acme/widgets/actions/artifacts/{artifact.id}/zip"
        replies.append(sim.handle(Request.to(url, headers)))
    assert [reply.status for reply in replies] == [302, 410]
    assert {302, 410} <= described.statuses(download)
    assert list(described.findings(download, 410, replies[1].json())) == []
    moved = sim.handle(Request.to("https://api.github.com/repos/acme/gizmos", headers))
    assert moved.status == 301
    assert moved.headers["location"] == "https://api.github.com/repositories/42"
    assert 301 in described.statuses("/repos/{owner}/{repo}")
