"""Regrade with GitHub's answers: opens the client, the cache and the host's API for ``opvalue regrade``."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from opvalue.cache import open_default
from opvalue.checkout import GitCheckout
from opvalue.cli.console import Console
from opvalue.cli.repository import agreed
from opvalue.errors import OpvalueError
from opvalue.evaluator import Runner
from opvalue.evidence.broker.live import Live
from opvalue.github import GitHub
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Instant, Repository
from opvalue.process import undumpable
from opvalue.regrade import Regraded, RegradeRequest, regrade_offline
from opvalue.regrade.evidence import Evidence
from opvalue.regrade.instant import check_spelling
from opvalue.regrade.online import Server, regrade_online


class AtServer:
    """One regrade that may ask the run's host. What is wrong with the cache is noted, and stops nothing."""

    def __init__(
        self,
        request: RegradeRequest,
        environ: Mapping[str, str],
        console: Console,
        *,
        offline: bool,
        now: Instant,
        runner: Runner,
        tell: Callable[[str], object],
    ) -> None:
        self._request = request
        self._environ = environ
        self._console = console
        self._offline = offline
        self._now = now
        self._runner = runner
        self._tell = tell

    def regrade(self, artifact: Path | None, evidence: Evidence | None, *, enforce: bool, refresh: bool) -> Regraded:
        """Return the regraded run; its artifact is looked up unless one is at hand.

        ``evidence`` answers the evaluator; ``None`` means the host's API does.
        """
        check_spelling(self._request.evidence_at)
        repository = self._repository()
        host = repository.host
        # A child may not look into the memory of the one that holds a credential.
        undumpable()
        with HttpxClient(
            Credentials(self._environ),
            api_origins={host: host.api_url},
            offline=self._offline,
            otherwise="give the downloaded artifact with --artifact",
        ) as client:
            github = GitHub(client, host)
            evidence = evidence or Evidence.live(Live(client, host, now=_clock), enforce=enforce)
            if artifact is not None:
                return self._with_artifact(artifact, evidence, github, repository)
            server = Server(github, open_default(self._environ), refresh, evidence)
            return regrade_online(
                self._request, server, now=self._now, runner=self._runner, tell=self._tell, warn=self._warn
            )

    def _with_artifact(self, artifact: Path, evidence: Evidence, github: GitHub, repository: Repository) -> Regraded:
        self._tell("asking for the repository")
        known = evidence.known_as(github.repository(repository).id)
        return regrade_offline(
            self._request, artifact, now=self._now, runner=self._runner, evidence=known, tell=self._tell
        )

    def _warn(self, problem: OpvalueError) -> None:
        self._console.warn(f"{problem.message} [{problem.code}]")

    def _repository(self) -> Repository:
        """Return the repository to ask for: the named one, else the only one the checkout names (HB-02)."""
        if self._request.repository is not None:
            return self._request.repository
        with GitCheckout.open(self._request.checkout, repository=None) as checkout:
            return agreed(checkout.repository, self._environ)


def _clock() -> Instant:
    return Instant.from_datetime(datetime.now(UTC))
