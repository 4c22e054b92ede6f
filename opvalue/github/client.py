"""One host's Actions API: runs, attempts, repositories, artifacts, downloads, runs by time (DESIGN 4.2, 4.3).

Every address is built here from numbers and checked names; no link out of an answer is followed. What the API says
is validated and returned as facts. Not judged here: whether the facts allow a regrade (``agreement``), and which
artifact is the right one (``choice``). Nothing is kept: the caller caches.
"""

from collections.abc import Mapping
from typing import BinaryIO, Final
from urllib.parse import quote, urlencode

from opvalue.github import answers, errors
from opvalue.github.facts import ArtifactFacts, RepositoryFacts, RunFacts, WorkflowFacts
from opvalue.github.pages import PER_PAGE, read_pages
from opvalue.github.transport import HEAD_BYTES, Downloaded, check_download
from opvalue.http import Client, DownloadAnswered
from opvalue.identity import Host, Instant, Repository
from opvalue.identity.repository import GITHUB
from opvalue.limits import Limits

SEARCH_CAP: Final = 1000
"""The API lists no more runs than this for one time range."""

_OK, _NOT_FOUND, _GONE = 200, 404, 410


class GitHub:
    """The API of ``host``, read through ``client``. ``api_url`` is its root where that is not the usual one."""

    def __init__(
        self, client: Client, host: Host = GITHUB, *, api_url: str | None = None, limits: Limits | None = None
    ) -> None:
        self._client = client
        self._host = host
        self._root = (api_url or host.api_url).rstrip("/")
        self._limits = limits or Limits()

    def repository(self, repository: Repository) -> RepositoryFacts:
        """Return the repository by any name it has or had: the API follows renames, and ignores letter case.

        Raises ``NotFound``, ``NotFoundWithoutToken``, ``UnexpectedStatus``, ``AnswerMalformed``, as all reads do.
        """
        return answers.repository(self._get(_base(repository), f"repository {repository}"))

    def workflow(self, repository: Repository, workflow: str) -> WorkflowFacts:
        """Return a workflow by its number, or by its compiled file's name without the folder."""
        what = f"the workflow {workflow} of {repository}"
        return answers.workflow(self._get(f"{_base(repository)}/actions/workflows/{quote(workflow, safe='')}", what))

    def run(self, repository: Repository, run_id: str, attempt: int | None = None) -> RunFacts:
        """Return the run at its latest attempt, or at the one named.

        Also raises ``WrongRepository`` and ``AttemptNotFound``.
        """
        what = f"run {run_id} of {repository}"
        facts = self._latest(repository, run_id) if attempt is None else self._attempt(repository, run_id, attempt)
        if facts.id != run_id or attempt not in {None, facts.attempt}:
            raise errors.AnswerMalformed(
                "the API answered for another run",
                expected=what if attempt is None else f"attempt {attempt} of {what}",
                found=f"attempt {facts.attempt} of run {facts.id}",
            )
        self._check_repository(facts, repository)
        return facts

    def artifacts(self, repository: Repository, run_id: str) -> tuple[ArtifactFacts, ...]:
        """Return all artifacts of all attempts of the run. Also raises ``ListingMismatch`` and ``ListingTooLong``."""
        what = f"the artifacts of run {run_id} of {repository}"
        path = f"{_base(repository)}/actions/runs/{run_id}/artifacts"

        def page(number: int) -> answers.ArtifactPage:
            return answers.artifact_page(self._get(path, what, _page_query(number)), run_id=run_id)

        return read_pages(page, what)

    def download(self, repository: Repository, artifact: ArtifactFacts, into: BinaryIO) -> Downloaded:
        """Write the artifact's zip into a seekable, readable file, and check its kind, length and digest.

        Raises ``ArtifactExpired`` by field or by status, and what ``check_download`` raises; then the file holds what
        came, and the caller throws it away. Never tries an expired one.
        """
        if artifact.expired:
            raise _expired(artifact)
        start = into.tell()
        url = f"{self._root}{_base(repository)}/actions/artifacts/{artifact.id}/zip"
        try:
            download = self._client.download(url, into, cap=self._limits.archive_bytes)
        except DownloadAnswered as answered:
            if answered.at_api and answered.response.status == _GONE:
                raise _expired(artifact) from None
            if answered.at_api and answered.response.status == _NOT_FOUND:
                raise self._not_found(f"artifact {artifact.described()} of {repository}") from None
            raise
        into.seek(start)
        head = into.read(HEAD_BYTES)
        into.seek(start + download.bytes)
        return check_download(artifact, download, head)

    def workflow_runs(
        self, repository: Repository, workflow_file: str, since: Instant, until: Instant
    ) -> tuple[RunFacts, ...]:
        """Return the runs of a workflow created from ``since`` to ``until``, both included, oldest first.

        ``workflow_file`` is the compiled file's name without its folder. Ranges over the search cap are halved, down
        to a second (reference 5.2, step 4). Also raises ``ListingMismatch`` and ``TooManyRuns``.
        """
        path = f"{_base(repository)}/actions/workflows/{quote(workflow_file, safe='')}/runs"
        what = f"the runs of {workflow_file} of {repository}"
        found: dict[str, RunFacts] = {}
        spans = [(since.seconds, until.seconds)] if since <= until else []
        while spans:
            first, last = spans.pop()
            query = {"created": f"{_second(first)}..{_second(last)}"}

            def page(number: int, query: Mapping[str, str] = query) -> answers.RunPage:
                return answers.run_page(self._get(path, what, {**query, **_page_query(number)}))

            page_one = page(1)
            if page_one.total < SEARCH_CAP:
                found |= {run.id: run for run in read_pages(page, what, first=page_one)}
                continue
            if first == last:
                raise errors.TooManyRuns(
                    f"{what} cannot all be listed",
                    expected=f"fewer than {SEARCH_CAP} created at {_second(first)}",
                    found=str(page_one.total),
                )
            middle = (first + last) // 2
            spans += [(middle + 1, last), (first, middle)]
        runs = (run for run in found.values() if since <= run.created_at <= until)
        return tuple(sorted(runs, key=lambda run: (run.created_at, int(run.id))))

    def _latest(self, repository: Repository, run_id: str) -> RunFacts:
        return answers.run(self._get(f"{_base(repository)}/actions/runs/{run_id}", f"run {run_id} of {repository}"))

    def _attempt(self, repository: Repository, run_id: str, attempt: int) -> RunFacts:
        what = f"attempt {attempt} of run {run_id} of {repository}"
        try:
            return answers.run(self._get(f"{_base(repository)}/actions/runs/{run_id}/attempts/{attempt}", what))
        except (errors.NotFound, errors.NotFoundWithoutToken):
            # Either the run is not shown at all, which this read then says, or it has no such attempt.
            latest = self._latest(repository, run_id)
            if attempt <= latest.attempt:
                raise
        raise errors.AttemptNotFound(
            f"run {run_id} of {repository} has no attempt {attempt}",
            expected=f"1 to {latest.attempt}",
            found=str(attempt),
        )

    def _check_repository(self, facts: RunFacts, repository: Repository) -> None:
        # Another name is the same repository only by its number: one more read, after a rename only.
        if facts.repository.is_named(repository.slug):
            return
        named = self.repository(repository)
        if named.id != facts.repository.id:
            raise errors.WrongRepository(
                f"run {facts.id} belongs to another repository",
                expected=f"{repository} (id {named.id})",
                found=f"{facts.repository.full_name} (id {facts.repository.id})",
            )

    def _get(self, path: str, what: str, query: Mapping[str, str] | None = None) -> bytes:
        response = self._client.get(f"{self._root}{path}" + (f"?{urlencode(query)}" if query else ""))
        if response.status == _NOT_FOUND:
            raise self._not_found(what)
        if response.status != _OK:
            raise errors.UnexpectedStatus(
                f"the API answered unexpectedly for {what}", expected="status 200", found=f"status {response.status}"
            )
        return response.body

    def _not_found(self, what: str) -> errors.NotFound | errors.NotFoundWithoutToken:
        causes = "one that may be read, of the right run, and not deleted"
        token = self._client.credentials.token_for(self._host)
        if token is not None:
            return errors.NotFound(
                f"{self._host} does not show {what}",
                expected=causes,
                found=f"status 404; a token was sent, from {token.source}",
            )
        looked_for = ", ".join(self._client.credentials.looked_for(self._host))
        return errors.NotFoundWithoutToken(
            f"{self._host} does not show {what} without a token",
            expected=causes,
            found=f"status 404; no token was sent: looked for {looked_for}",
        )


def _base(repository: Repository) -> str:
    return f"/repos/{repository.slug}"


def _page_query(number: int) -> dict[str, str]:
    return {"per_page": str(PER_PAGE)} | ({"page": str(number)} if number > 1 else {})


def _second(seconds: int) -> str:
    return f"{str(Instant(seconds * 1000)).removesuffix('.000Z')}Z"


def _expired(artifact: ArtifactFacts) -> errors.ArtifactExpired:
    when = artifact.expires_at or "at a time the API does not say"
    return errors.ArtifactExpired(f"the artifact {artifact.name[:80]!r} has expired", found=f"expired {when}")
