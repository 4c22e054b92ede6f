"""The states a run passes on its way to being regraded. Trust moves forward only (DESIGN 4).

``ArchivedRun -> ConsistentRun -> AnchoredRun -> PinnedTree -> VerifiedEvaluator -> VerifiedRun``

Each state holds the one before it; the functions beside this module are the only ones that make them. Every state
carries the list of checks made so far, each ``done`` or ``skipped`` with the reason (DG-08).
"""

import enum
from typing import NamedTuple

from opvalue.archive import ArchivedRun
from opvalue.bash import Closure
from opvalue.identity import CommitId, Digest, Instant, RepoPath, Repository, RepositoryRefused
from opvalue.strictjson import JsonObject
from opvalue.trust.git import Commit, Objects


class CheckState(enum.Enum):
    """Whether a check was made."""

    DONE = "done"
    SKIPPED = "skipped"


class Check(NamedTuple):
    """One check of the chain: its stable name, whether it was made, and what was seen or why it was not."""

    name: str
    state: CheckState
    detail: str


def done(name: str, detail: str) -> Check:
    """Return a check that was made and passed. One that fails is raised instead."""
    return Check(name, CheckState.DONE, detail)


def skipped(name: str, reason: str) -> Check:
    """Return a check that was not made, with the reason a reader needs."""
    return Check(name, CheckState.SKIPPED, reason)


class FormerName(NamedTuple):
    """A name the requested repository had, or has in another spelling, and on whose word."""

    repository: Repository
    why: str
    """Who says so, in words for a reader."""


class TrustPolicy(NamedTuple):
    """What the caller accepts beyond the defaults."""

    former_names: tuple[FormerName, ...] = ()
    """Names that are the requested repository all the same."""

    def same_repository(self, name: str, repository: Repository) -> str | None:
        """Return how ``name`` (``OWNER/REPO``) is ``repository``, in words for a reader, or ``None`` if it is not."""
        try:
            named = Repository.parse(name, default_host=repository.host)
        except RepositoryRefused:
            return None
        if named.same_as(repository):
            return name
        why = next((former.why for former in self.former_names if named.same_as(former.repository)), None)
        return None if why is None else f"{name}, a former name {why}"


class ConsistentRun(NamedTuple):
    """An archive that agrees with itself and with the run that was asked for. Its origin is not yet known."""

    archived: ArchivedRun
    repository: Repository
    policy: TrustPolicy
    commit_id: CommitId
    evaluator_path: RepoPath
    evaluator_digest: Digest
    created_at: Instant | None
    matures_at: Instant
    case: JsonObject
    """What the run was assigned, by the archive's word alone."""
    checks: tuple[Check, ...]


class AnchoredRun(NamedTuple):
    """A run whose recorded commit something outside the archive vouches for."""

    run: ConsistentRun
    recorded: Commit
    """The commit the archive names."""
    trusted: Commit
    """The commit whose content is used: the recorded one, or the anchored parent of a pull-request merge."""
    checks: tuple[Check, ...]


class PinnedTree(NamedTuple):
    """The evaluator's bytes as the trusted commit holds them."""

    anchored: AnchoredRun
    objects: Objects
    evaluator: bytes
    checks: tuple[Check, ...]


class VerifiedEvaluator(NamedTuple):
    """The evaluator and all it sources, from the commit, equal to what the archive holds and to its digests."""

    pinned: PinnedTree
    closure: Closure
    closure_digest: Digest
    checks: tuple[Check, ...]


class VerifiedRun(NamedTuple):
    """A run that may be regraded: the gate of ``regrade`` takes nothing less."""

    evaluator: VerifiedEvaluator
    checks: tuple[Check, ...]

    @property
    def consistent(self) -> ConsistentRun:
        """The run as it was found consistent."""
        return self.evaluator.pinned.anchored.run

    @property
    def archived(self) -> ArchivedRun:
        """The archive this run was read from."""
        return self.consistent.archived
