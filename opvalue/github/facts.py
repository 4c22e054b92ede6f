"""What the API says of repositories, runs and artifacts, as plain values. No I/O, no validation: see ``answers``."""

from typing import NamedTuple

from opvalue.identity import CommitId, Instant


class RepositoryFacts(NamedTuple):
    """One repository. The number stays through renames and transfers; the name does not."""

    id: int
    full_name: str
    """``OWNER/REPO``, as it is spelled today."""

    def is_named(self, slug: str) -> bool:
        """Tell whether ``slug`` is today's name, letter case aside."""
        return self.full_name.lower() == slug.lower()


class WorkflowFacts(NamedTuple):
    """One workflow, as it is today."""

    id: int
    name: str
    """The display name."""
    path: str
    """The compiled workflow file."""
    state: str
    """``active``, or one of the words for disabled and deleted."""


class RunFacts(NamedTuple):
    """One run at one attempt, as the API has it."""

    id: str
    attempt: int
    status: str
    """``completed`` when nothing moves any more; other words before."""
    conclusion: str | None
    event: str
    head_sha: CommitId
    head_branch: str | None
    name: str | None
    """The workflow's display name."""
    workflow_id: int
    workflow_path: str
    """The compiled workflow file, without a ref behind it."""
    created_at: Instant
    """When the run was created; the same for all its attempts."""
    run_started_at: Instant | None
    """When this attempt started; servers of old do not say."""
    repository: RepositoryFacts
    head_repository: RepositoryFacts | None
    """Where the head commit lies; ``None`` when that repository is gone."""
    html_url: str
    pull_requests: tuple[int, ...]
    """Numbers of the open pull requests from the head; none for forks and closed ones."""
    called_workflows: tuple[str, ...]
    """Paths of the reusable workflows the run called, each with its repository."""

    @property
    def is_fork(self) -> bool:
        """Whether the head is not, or no longer known to be, in the run's own repository."""
        return self.head_repository is None or self.head_repository.id != self.repository.id


class ArtifactFacts(NamedTuple):
    """One artifact as listed. Names are the uploader's and not unique: each attempt may have its own."""

    id: int
    name: str
    size: int
    """In bytes: of the zip, or on older servers of the files in it."""
    expired: bool
    created_at: Instant | None
    expires_at: Instant | None
    digest: str | None
    """As listed; ``None`` where the server offers none."""
    head_sha: str | None
    """The head commit of its run, where listed."""

    def described(self) -> str:
        """Return it in words, for errors that list what was seen."""
        when = f", created {self.created_at}" if self.created_at is not None else ""
        end = f", expired {self.expires_at or 'already'}" if self.expired else ""
        return f"{self.name[:80]!r} (id {self.id}{when}{end})"
