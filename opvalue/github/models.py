"""The parts of GitHub's answers that are used, as strict models. Imported only when an answer is read.

Fields nobody uses are ignored, as the API gains them all the time. A missing or mistyped one is refused.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, PlainValidator

from opvalue.identity import CommitId, Instant, InstantRefused


def _instant(value: object) -> Instant:
    try:
        if isinstance(value, str):
            return Instant.parse(value)
    except InstantRefused:
        pass
    raise ValueError("not a date and time with a zone")


def _commit(value: object) -> CommitId:
    commit = CommitId.parse(value)
    if commit is None:
        raise ValueError("not a full commit id")
    return commit


Time = Annotated[Instant, PlainValidator(_instant)]
OptionalTime = Annotated[Instant | None, PlainValidator(lambda value: None if value is None else _instant(value))]
Sha = Annotated[CommitId, PlainValidator(_commit)]
Number = Annotated[int, Field(gt=0)]


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Repository(_Answer):
    """``full-repository`` and ``minimal-repository``."""

    id: Number
    full_name: Annotated[str, Field(pattern=r"^[^/]+/[^/]+$")]


class Workflow(_Answer):
    """``workflow``."""

    id: Number
    name: str
    path: str
    state: str


class PullRequest(_Answer):
    """``pull-request-minimal``."""

    number: Number


class CalledWorkflow(_Answer):
    """``referenced-workflow``."""

    path: str


class Run(_Answer):
    """``workflow-run``."""

    id: Number
    name: str | None = None
    head_branch: str | None
    head_sha: Sha
    path: str
    run_attempt: Number = 1
    event: str
    status: str | None
    conclusion: str | None
    workflow_id: Number
    html_url: str
    pull_requests: list[PullRequest] | None
    created_at: Time
    run_started_at: OptionalTime = None
    repository: Repository
    head_repository: Repository | None
    referenced_workflows: list[CalledWorkflow] | None = None


class ArtifactRun(_Answer):
    """The run an artifact belongs to."""

    id: Number | None = None
    head_sha: str | None = None


class Artifact(_Answer):
    """``artifact``."""

    id: Number
    name: str
    size_in_bytes: Annotated[int, Field(ge=0)]
    expired: bool
    created_at: OptionalTime
    expires_at: OptionalTime
    digest: str | None = None
    workflow_run: ArtifactRun | None = None


class Artifacts(_Answer):
    """One page of a run's artifacts."""

    total_count: Annotated[int, Field(ge=0)]
    artifacts: list[Artifact]


class Runs(_Answer):
    """One page of a workflow's runs."""

    total_count: Annotated[int, Field(ge=0)]
    workflow_runs: list[Run]
