"""The session of a run at GitHub, for ``opvalue graders run``: opens the client, the cache and the host's API."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from opvalue.cache import open_default
from opvalue.checkout import CheckoutRefused, GitCheckout
from opvalue.cli.console import Console
from opvalue.cli.errors import RepositoryNotNamed
from opvalue.cli.repository import agreed, repository, requested
from opvalue.conclusion.fetch import FetchedSession, Source, fetch_session
from opvalue.errors import OpvalueError
from opvalue.github import GitHub
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Repository

_OTHERWISE: Final = "give the session's file: usage/aw_session.jsonl of the run's usage artifact"


@contextmanager
def session_of_run(
    run: str,
    repo: str | None,
    attempt: int | None,
    environ: Mapping[str, str],
    console: Console,
    *,
    offline: bool,
    refresh: bool,
    tell: Callable[[str], object],
) -> Iterator[FetchedSession]:
    """Give the session of ``run``. What is wrong with the cache is noted on the console, and stops nothing."""

    def warn(problem: OpvalueError) -> None:
        console.warn(f"{problem.message} [{problem.code}]")

    asked = requested(run, attempt)
    where = repository(run, repo, environ) or _of_the_checkout(environ)
    origins = {where.host: where.host.api_url}
    with HttpxClient(Credentials(environ), api_origins=origins, offline=offline, otherwise=_OTHERWISE) as client:
        source = Source(GitHub(client, where.host), open_default(environ), refresh)
        with fetch_session(source, where, asked, tell=tell, warn=warn) as found:
            yield found


def _of_the_checkout(environ: Mapping[str, str]) -> Repository:
    """Return the only repository that the current folder's checkout names (HB-02). Raises ``RepositoryNotNamed``."""
    try:
        with GitCheckout.open(Path(), repository=None) as checkout:
            found = checkout.repository
    except CheckoutRefused as refused:
        # No checkout is needed to grade a session: what is missing is a name.
        raise RepositoryNotNamed(
            "which repository the run is in is not known",
            expected="-R, GH_REPO, the run's address, or a checkout whose remotes name one repository",
            found=f"{refused.message} [{refused.code}]",
        ) from None
    return agreed(found, environ)
