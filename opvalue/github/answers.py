"""GitHub's JSON into facts, by the model of the answer. No connection here.

A wrong shape is ``AnswerMalformed``; no validation error leaves this module. The models' own parser reads: a page of
runs is a megabyte, of which few fields are used. A key that stands twice counts as it stands last.
"""

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from opvalue.github.errors import AnswerMalformed
from opvalue.github.facts import ArtifactFacts, RepositoryFacts, RunFacts, WorkflowFacts

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    from opvalue.github import models

    Model = TypeVar("Model", bound=BaseModel)


class ArtifactPage(NamedTuple):
    """One page of a run's artifacts, with the total the listing states."""

    total: int
    items: tuple[ArtifactFacts, ...]


class RunPage(NamedTuple):
    """One page of a workflow's runs, with the total the listing states."""

    total: int
    items: tuple[RunFacts, ...]


def repository(body: bytes) -> RepositoryFacts:
    """Read a repository's answer. Raises ``AnswerMalformed``."""
    # pydantic costs more than the rest of the room, and what only decides does without it.
    from opvalue.github import models  # noqa: PLC0415

    return _repository(_read(body, models.Repository, "repository"))


def workflow(body: bytes) -> WorkflowFacts:
    """Read a workflow's answer. Raises ``AnswerMalformed``."""
    from opvalue.github import models  # noqa: PLC0415

    answer = _read(body, models.Workflow, "workflow")
    return WorkflowFacts(answer.id, answer.name, answer.path, answer.state)


def run(body: bytes) -> RunFacts:
    """Read a run's answer. Raises ``AnswerMalformed``."""
    from opvalue.github import models  # noqa: PLC0415

    return _run(_read(body, models.Run, "run"))


def artifact_page(body: bytes, *, run_id: str) -> ArtifactPage:
    """Read one page of the artifacts of a run. Raises ``AnswerMalformed``, also for an artifact of another run."""
    from opvalue.github import models  # noqa: PLC0415

    page = _read(body, models.Artifacts, "listing of artifacts")
    for item in page.artifacts:
        named = item.workflow_run.id if item.workflow_run else None
        if named is not None and str(named) != run_id:
            raise AnswerMalformed(
                "the listing of artifacts holds one of another run", expected=f"run {run_id}", found=f"run {named}"
            )
    return ArtifactPage(page.total_count, tuple(_artifact(item) for item in page.artifacts))


def run_page(body: bytes) -> RunPage:
    """Read one page of a workflow's runs. Raises ``AnswerMalformed``."""
    from opvalue.github import models  # noqa: PLC0415

    page = _read(body, models.Runs, "listing of runs")
    return RunPage(page.total_count, tuple(_run(item) for item in page.workflow_runs))


def _read(body: bytes, model: "type[Model]", what: str) -> "Model":
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        is_json, found = not _is_syntax(error), _findings(error)
    if is_json:
        raise AnswerMalformed(f"the {what} that the API answered has another shape", found=found)
    raise AnswerMalformed(
        f"the {what} that the API answered is not JSON",
        expected="one JSON object",
        found="a web page" if body.lstrip()[:1] == b"<" else found,
    )


def _is_syntax(error: "ValidationError") -> bool:
    return any(one["type"] == "json_invalid" for one in error.errors())


def _findings(error: "ValidationError") -> str:
    # Without the values, which are not ours to show.
    places = ((".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()[:3])
    return "; ".join(f"{place}: {message}" if place else message for place, message in places)


def _repository(answer: "models.Repository") -> RepositoryFacts:
    return RepositoryFacts(answer.id, answer.full_name)


def _run(answer: "models.Run") -> RunFacts:
    return RunFacts(
        id=str(answer.id),
        attempt=answer.run_attempt,
        status=answer.status or "unknown",
        conclusion=answer.conclusion,
        event=answer.event,
        head_sha=answer.head_sha,
        head_branch=answer.head_branch,
        name=answer.name,
        workflow_id=answer.workflow_id,
        # Some answers name the ref as well: .github/workflows/build.yml@main.
        workflow_path=answer.path.partition("@")[0],
        created_at=answer.created_at,
        run_started_at=answer.run_started_at,
        repository=_repository(answer.repository),
        head_repository=None if answer.head_repository is None else _repository(answer.head_repository),
        html_url=answer.html_url,
        pull_requests=tuple(one.number for one in answer.pull_requests or ()),
        called_workflows=tuple(one.path for one in answer.referenced_workflows or ()),
    )


def _artifact(answer: "models.Artifact") -> ArtifactFacts:
    return ArtifactFacts(
        id=answer.id,
        name=answer.name,
        size=answer.size_in_bytes,
        expired=answer.expired,
        created_at=answer.created_at,
        expires_at=answer.expires_at,
        digest=answer.digest or None,
        head_sha=answer.workflow_run.head_sha if answer.workflow_run else None,
    )
