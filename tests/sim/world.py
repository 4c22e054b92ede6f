"""Repositories, runs and artifacts of the made-up server, as plain data a test may change at any time."""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.sim.evidence import HEAD_SHA, Evidence

CREATED_AT = "2026-08-23T11:58:00Z"


@dataclass
class SimRepository:
    """One repository. ``former_names`` are answered with a redirect to its number."""

    full_name: str
    id: int
    private: bool = False
    fork: bool = False
    default_branch: str = "main"
    former_names: list[str] = field(default_factory=list)
    runs: dict[int, "SimRun"] = field(default_factory=dict)
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def owner(self) -> str:
        return self.full_name.split("/")[0]

    @property
    def name(self) -> str:
        return self.full_name.split("/")[1]


@dataclass
class SimRun:
    """One workflow run at its latest attempt. ``earlier`` holds what an earlier attempt says differently."""

    id: int
    repository: SimRepository
    event: str = "schedule"
    head_sha: str = HEAD_SHA
    head_branch: str | None = "main"
    head_repository: SimRepository | None = None
    """``None`` means the repository itself; ``head_repository_gone`` an unknown one."""
    head_repository_gone: bool = False
    name: str = "Issue triage"
    path: str = ".github/workflows/issue-triage.lock.yml"
    workflow_id: int = 700
    attempt: int = 1
    status: str = "completed"
    conclusion: str | None = "success"
    created_at: str = CREATED_AT
    run_started_at: str = CREATED_AT
    pull_request: int | None = None
    referenced_workflows: list[dict[str, Any]] = field(default_factory=list)
    earlier: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    artifacts: list["SimArtifact"] = field(default_factory=list)
    total_count: int | None = None
    """What the listing of artifacts claims as its total, if it is not the truth."""


@dataclass
class SimArtifact:
    """One artifact and the manners of its download."""

    id: int
    name: str
    content: bytes
    expired: bool = False
    created_at: str = "2026-08-23T12:10:00Z"
    expires_at: str | None = "2026-11-21T12:10:00Z"
    digest: str | None = None
    """As the listing spells it; ``None`` is listed as null."""
    has_digest: bool = True
    """Whether the listing has the field at all: some servers do not."""
    gone: bool = False
    """The listing says nothing, and the download answers 410."""
    media_type: str = "application/zip"
    dead_links: int = 0
    """This many of the signed links handed out are refused by the blob store."""
    dead_status: int = 403
    ranges: bool = True
    """Whether the blob store serves parts."""
    chunk: int = 1 << 16
    pause: float = 0.0
    cut_after: int | None = None
    """The blob store's answer ends after this many bytes, each time."""
    link: str | None = None
    """Where the API's redirect leads instead of the blob store."""
    links: int = 0
    """Signed links handed out so far."""


def sha256(data: bytes) -> str:
    """Return a digest as the listing of artifacts spells it."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def zipped(members: Mapping[str, bytes] | None = None) -> bytes:
    """Return a small zip, the same bytes for the same members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (members or {"agent/graders/note.txt": b"nothing to see"}).items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 8, 23, 12, 10, 0)), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
