"""The nouns everything speaks: host, repository, run, commit, path, instant, digest. Pure; no I/O, no clock."""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.identity.digest import Digest
    from opvalue.identity.instant import Instant, InstantRefused
    from opvalue.identity.objects import CommitId, PathRefused, RepoPath
    from opvalue.identity.repository import GITHUB, Host, Repository, RepositoryRefused
    from opvalue.identity.run import RunRef, RunRefRefused

__all__ = [
    "GITHUB",
    "CommitId",
    "Digest",
    "Host",
    "Instant",
    "InstantRefused",
    "PathRefused",
    "RepoPath",
    "Repository",
    "RepositoryRefused",
    "RunRef",
    "RunRefRefused",
]

__getattr__ = names_of(
    __name__,
    {
        "digest": ("Digest",),
        "instant": ("Instant", "InstantRefused"),
        "objects": ("CommitId", "PathRefused", "RepoPath"),
        "repository": ("GITHUB", "Host", "Repository", "RepositoryRefused"),
        "run": ("RunRef", "RunRefRefused"),
    },
)
