"""The session of a run at GitHub, for ``opvalue graders run``: opens the client, the cache and the host's API."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from opvalue.cache import open_default
from opvalue.checkout import CheckoutRefused, GitCheckout
from opvalue.cli.console import Console
from opvalue.cli.repository import repository
from opvalue.conclusion.fetch import FetchedSession, Source, fetch_session
from opvalue.errors import OpvalueError, UsageError
from opvalue.github import GitHub
from opvalue.http import Credentials, HttpxClient, Offline
from opvalue.identity import Host, Repository, RunRef

_WITHOUT_NETWORK: Final = (
    "Run without --offline, or give the session's file: usage/aw_session.jsonl of the run's usage artifact."
)
_WHICH: Final = "Name the repository with -R [HOST/]OWNER/REPO, or give the run's address."


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

    asked = _asked(run, attempt)
    where = repository(run, repo, environ) or _of_the_checkout(environ.get("GH_HOST"))
    with HttpxClient(Credentials(environ), api_origins={where.host: where.host.api_url}, offline=offline) as client:
        source = Source(GitHub(client, where.host), open_default(environ), refresh)
        with _advising(Offline, _WITHOUT_NETWORK), fetch_session(source, where, asked, tell=tell, warn=warn) as found:
            yield found


@contextmanager
def _advising(cause: type[OpvalueError], advice: str) -> Iterator[None]:
    """Have a refusal advise what this command can do; its own advice is for regrade, which has other options."""
    try:
        yield
    except cause as refused:
        refused.hint = advice
        raise


def _asked(run: str, attempt: int | None) -> RunRef:
    named = RunRef.parse(run)
    if attempt is not None and named.attempt not in {None, attempt}:
        raise UsageError(
            "--attempt contradicts the run's address", expected=f"attempt {named.attempt}", found=str(attempt)
        )
    return named._replace(attempt=named.attempt or attempt)


def _of_the_checkout(ambient: str | None) -> Repository:
    """Return the only repository that the current folder's checkout names (HB-02)."""
    with _advising(CheckoutRefused, _WHICH), GitCheckout.open(Path(), repository=None) as checkout:
        found = checkout.repository
    if ambient and Host.parse(ambient) != found.host:
        raise UsageError(
            "GH_HOST names another host than the checkout's remote",
            expected=str(found.host),
            found=ambient,
            hint="Name the repository with --repo HOST/OWNER/REPO, or unset GH_HOST.",
        )
    return found
