"""Facts and archives to change one thing of, and a client of the made-up server."""

import io
import json
from copy import deepcopy
from typing import Any, Final

from opvalue.archive import ArchivedRun, read_archive
from opvalue.github import ArtifactFacts, GitHub, RepositoryFacts, RunFacts
from opvalue.http import Download
from opvalue.identity import CommitId, Digest, Instant, Repository
from opvalue.limits import Limits
from tests.archive import samples as archives
from tests.sim import CREATED_AT, HEAD_SHA, Sim, SimClient, zipped
from tests.support.canary import CANARY

WIDGETS: Final = Repository.parse("acme/widgets")
ACME_WIDGETS: Final = RepositoryFacts(42, "acme/widgets")
RUN_ID: Final = "123"
TOKEN: Final = CANARY
HEAD: Final = CommitId(HEAD_SHA)

FACTS: Final = RunFacts(
    id=RUN_ID,
    attempt=2,
    status="completed",
    conclusion="failure",
    event="schedule",
    head_sha=HEAD,
    head_branch="main",
    name="Issue triage",
    workflow_id=700,
    workflow_path=".github/workflows/issue-triage.lock.yml",
    created_at=Instant.parse(CREATED_AT),
    run_started_at=Instant.parse(CREATED_AT),
    repository=ACME_WIDGETS,
    head_repository=ACME_WIDGETS,
    html_url="https://github.com/acme/widgets/actions/runs/123",
    pull_requests=(),
    called_workflows=(),
)

ARTIFACT: Final = ArtifactFacts(
    id=5,
    name="agent",
    size=1000,
    expired=False,
    created_at=Instant.parse("2026-08-23T12:10:00Z"),
    expires_at=Instant.parse("2026-11-21T12:10:00Z"),
    digest=None,
    head_sha=HEAD_SHA,
)


def github(sim: Sim, token: str | None = TOKEN, limits: Limits | None = None) -> GitHub:
    """Return the API of the made-up server, read without sockets; ``token`` is valid there if ``sim`` knows it."""
    # Without a PATH no gh is found to be asked for a token.
    return GitHub(SimClient(sim, {"PATH": "", **({"GH_TOKEN": token} if token else {})}), limits=limits)


def agent_zip(attempt: int = 2, **subject: Any) -> bytes:
    """Return a run's agent artifact; ``subject`` changes what is recorded of the run."""
    results = deepcopy(archives.results())
    results["run"] |= {"id": RUN_ID, "attempt": attempt}
    recorded = results["results"][-1]["observation"]["subject"]
    recorded |= {"runId": RUN_ID, "attempt": attempt, "sha": HEAD_SHA, "createdAt": CREATED_AT, **subject}
    return zipped(
        {
            f"{archives.FOLDER}/{archives.MANIFEST}": json.dumps(archives.manifest()).encode(),
            f"{archives.FOLDER}/{archives.RESULTS}": json.dumps(results).encode(),
            f"{archives.FOLDER}/{archives.EVALUATOR}": archives.SCRIPT,
        }
    )


def archived(attempt: int = 2, **subject: Any) -> ArchivedRun:
    """Return what reading ``agent_zip`` gives."""
    return read_archive(io.BytesIO(agent_zip(attempt, **subject)))


def downloaded(content: bytes, media_type: str = "application/zip") -> Download:
    """Return the download of exactly these bytes."""
    return Download(len(content), Digest.of(content), media_type)
