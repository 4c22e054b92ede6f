"""Which run and repository are meant: the run's address, ``--repo``, ``GH_REPO``, in gh's order (AW-06, HB-02).

Where none of them says so, it is the only repository that a checkout's remotes name.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.identity import Repository, RunRef


def repository(run: str, repo: str | None, environ: Mapping[str, str]) -> "Repository | None":
    """Return the repository that was named, or ``None``: then it is the only one the checkout's remotes name.

    The run's address and ``--repo`` must not contradict each other; either beats ``GH_REPO``. ``OWNER/REPO`` alone is
    on ``GH_HOST``, else on github.com. Raises ``UsageError`` and ``RepositoryRefused``.
    """
    from opvalue.identity import GITHUB, Host, Repository, RepositoryRefused, RunRef  # noqa: PLC0415 - not for --help

    host = Host.parse(environ["GH_HOST"]) if environ.get("GH_HOST") else GITHUB
    addressed = RunRef.parse(run).repository
    named = Repository.parse(repo, default_host=host) if repo is not None else None
    if addressed is not None and named is not None and not addressed.same_as(named):
        raise UsageError("--repo contradicts the run's address", expected=str(addressed), found=str(named))
    if addressed is not None or named is not None:
        return addressed or named
    ambient = environ.get("GH_REPO")
    if not ambient:
        return None
    try:
        return Repository.parse(ambient, default_host=host)
    except RepositoryRefused as refusal:
        raise UsageError(f"GH_REPO: {refusal.message}", expected=refusal.expected, hint=refusal.hint) from None


def agreed(found: "Repository", environ: Mapping[str, str]) -> "Repository":
    """Return the repository that a checkout names. Raises ``UsageError`` where ``GH_HOST`` names another host."""
    from opvalue.identity import Host  # noqa: PLC0415

    ambient = environ.get("GH_HOST")
    if ambient and Host.parse(ambient) != found.host:
        raise UsageError(
            "GH_HOST names another host than the checkout's remote",
            expected=str(found.host),
            found=ambient,
            hint="Name the repository with --repo HOST/OWNER/REPO, or unset GH_HOST.",
        )
    return found


def requested(run: str, attempt: int | None) -> "RunRef":
    """Return the run that RUN and ``--attempt`` name. Raises ``UsageError`` where they contradict each other."""
    from opvalue.identity import RunRef  # noqa: PLC0415

    named = RunRef.parse(run)
    if attempt is not None and named.attempt not in {None, attempt}:
        raise UsageError(
            "--attempt contradicts the run's address", expected=f"attempt {named.attempt}", found=str(attempt)
        )
    return named._replace(attempt=named.attempt or attempt)
