"""Regrade with GitHub's answers: opens the client, the cache and the host's API for ``opvalue regrade``."""

from collections.abc import Callable, Mapping

from opvalue.cache import open_default
from opvalue.checkout import GitCheckout
from opvalue.cli.console import Console, Style, Styled
from opvalue.errors import OpvalueError, UsageError
from opvalue.evaluator import Runner
from opvalue.github import GitHub
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Host, Instant
from opvalue.regrade import Regraded, RegradeRequest
from opvalue.regrade.instant import check_spelling
from opvalue.regrade.online import Server, regrade_online


def regrade_at_server(
    request: RegradeRequest,
    environ: Mapping[str, str],
    console: Console,
    *,
    offline: bool,
    refresh: bool,
    now: Instant,
    runner: Runner,
    tell: Callable[[str], object],
) -> Regraded:
    """Return the regraded run. What is wrong with the cache is noted on the console, and stops nothing."""

    def warn(problem: OpvalueError) -> None:
        console.note(Styled("warning:", Style.WARN), f" {problem.message} [{problem.code}]")

    check_spelling(request.evidence_at)
    host = _host(request, environ.get("GH_HOST"))
    with HttpxClient(Credentials(environ), api_origins={host: host.api_url}, offline=offline) as client:
        server = Server(GitHub(client, host), open_default(environ), refresh)
        return regrade_online(request, server, now=now, runner=runner, tell=tell, warn=warn)


def _host(request: RegradeRequest, ambient: str | None) -> Host:
    """Return the host to ask: the named repository's, else that of the only one the checkout names (HB-02)."""
    if request.repository is not None:
        return request.repository.host
    with GitCheckout.open(request.checkout, repository=None) as checkout:
        host = checkout.repository.host
    if ambient and Host.parse(ambient) != host:
        raise UsageError(
            "GH_HOST names another host than the checkout's remote",
            expected=str(host),
            found=ambient,
            hint="Name the repository with --repo HOST/OWNER/REPO, or unset GH_HOST.",
        )
    return host
