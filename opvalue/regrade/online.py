"""Regrade a run by asking GitHub: its record, its artifact, its head commit (DESIGN 4.2 to 4.5).

1. the checkout is a clone of the repository;
2. the run: completed, not a fork's, the attempt that was named or else the latest;
3. its artifacts: those that may be the right one are fetched, from the cache where it has them, and opened;
4. exactly one holds the attempt, and it agrees with GitHub's record of the run;
5. the recorded commit is the run's by that record, or reachable, or named by the caller;
6. from there on as offline.

Not decided here: which host is asked with which token; that is the caller's client.
"""

from collections.abc import Callable, Sequence
from typing import BinaryIO, Final, NamedTuple

from opvalue.archive import ArchivedRun, read_archive
from opvalue.cache import ArtifactCache, ArtifactKey
from opvalue.checkout import GitCheckout
from opvalue.errors import OpvalueError
from opvalue.evaluator import Runner
from opvalue.github import (
    ApiAnchor,
    ArtifactFacts,
    Candidates,
    GitHub,
    Opened,
    RunFacts,
    agree,
    candidates,
    check_run,
    choose,
    offered_digest,
)
from opvalue.github.errors import AnswerMalformed, ArtifactExpired
from opvalue.identity import Digest, Instant, PathRefused, RepoPath, Repository
from opvalue.identity.objects import WORKFLOWS
from opvalue.limits import Limits
from opvalue.regrade.asked import regrade_as_asked
from opvalue.regrade.chain import Regraded, verify_run
from opvalue.regrade.errors import TooManyCandidates
from opvalue.regrade.evidence import Evidence
from opvalue.regrade.instant import check_spelling
from opvalue.regrade.names import Names
from opvalue.regrade.request import RegradeRequest
from opvalue.trust import Check, TrustPolicy
from opvalue.trust.states import done, skipped

_COMPILED: Final = ".lock.yml"
_MOST_CANDIDATES: Final = 20
"""Artifacts of one run that may be the right one; a matrix of agents is not downloaded whole."""


class Server(NamedTuple):
    """Where a run is looked up, and what was fetched before."""

    github: GitHub
    cache: ArtifactCache
    refresh: bool = False
    """Fetch again what the cache holds."""
    evidence: Evidence = Evidence()
    """Who answers the evaluators; by default nobody."""


def regrade_online(
    request: RegradeRequest,
    server: Server,
    *,
    now: Instant,
    runner: Runner | None = None,
    limits: Limits | None = None,
    tell: Callable[[str], object] = lambda _text: None,
    warn: Callable[[OpvalueError], object] = lambda _problem: None,
) -> Regraded:
    """Look up, fetch, verify and regrade. ``tell`` hears what is going on, ``warn`` what is wrong with the cache.

    Raises the first refusal of any room on the way, as the coded error it is.
    """
    limits = limits or Limits()
    check_spelling(request.evidence_at)
    runner = runner or Runner()
    runner.prepare()
    with GitCheckout.open(request.checkout, repository=request.repository, limits=limits) as checkout:
        repository = checkout.repository  # 1
        tell("asking for the run")
        facts = server.github.run(repository, request.run.run_id, request.run.attempt)
        ready = check_run(facts)  # 2
        found = candidates(server.github.artifacts(repository, facts.id))
        opened = _Fetch(server, repository, facts, limits, tell, warn).all(found)  # 3
        artifact, archived = choose(found, opened, facts.attempt)  # 4
        tell("verifying it against the checkout")
        evidence = server.evidence.known_as(facts.repository.id)
        names = Names(server.github, repository, facts.repository)
        name = archived.observation.subject.repository
        vouched = tuple(names.vouched(request.former_names(repository.host)))
        named = names.look_up(name)
        word = TrustPolicy(vouched).same_repository(name, repository)
        verified = verify_run(
            archived,
            request.run._replace(attempt=facts.attempt),
            checkout,
            request.anchors(checkout, ApiAnchor(facts)),  # 5
            TrustPolicy((*names.former, *vouched)),
            limits,
            known=(
                *ready,
                _transport(artifact),
                *agree(archived, facts, named=named, vouched=word, commit=request.commit),
            ),
            created_at=facts.created_at,
            workflow=_workflow(facts),
        )
    tell("running the evaluator")  # 6
    return regrade_as_asked(
        request,
        verified,
        now=now,
        runner=runner,
        evidence=evidence,
        same_repository=names.same_repository,
        mode="online",
        limits=limits,
    )


class _Fetch(NamedTuple):
    """Brings a run's candidates, one after the other, and opens each."""

    server: Server
    repository: Repository
    facts: RunFacts
    limits: Limits
    tell: Callable[[str], object]
    warn: Callable[[OpvalueError], object]

    def all(self, found: Candidates) -> Sequence[Opened]:
        if len(found.live) > _MOST_CANDIDATES:
            raise TooManyCandidates(
                f"run {self.facts.id} has {len(found.live)} artifacts that may be its grader artifact",
                expected=f"at most {_MOST_CANDIDATES}",
                found=", ".join(artifact.name for artifact in found.live[:5]) + ", ...",
            )
        return [Opened(artifact, self._open(artifact, refresh=self.server.refresh)) for artifact in found.live]

    def _open(self, artifact: ArtifactFacts, *, refresh: bool) -> ArchivedRun | OpvalueError:
        """Return the archived run, or why there is none in it; expired included, as another candidate may be live.

        Any other failed download is raised, not returned.
        """

        def fill(into: BinaryIO) -> Digest:
            self.tell(f"downloading {artifact.described()}")
            return self.server.github.download(self.repository, artifact, into).download.sha256

        key = self._key(artifact)
        try:
            cached = self.server.cache.fetch(key, fill, refresh=refresh)
        except ArtifactExpired as expired:
            return expired
        with cached:
            if cached.problem is not None:
                self.warn(cached.problem)
            try:
                return read_archive(cached.file, self.limits)
            except OpvalueError as refusal:
                # Without a digest nobody noticed if the earlier download was a bad one.
                if key.offered is not None or not cached.hit:
                    return refusal
        return self._open(artifact, refresh=True)

    def _key(self, artifact: ArtifactFacts) -> ArtifactKey:
        return ArtifactKey(
            host=self.repository.host,
            repository_id=self.facts.repository.id,
            run_id=self.facts.id,
            artifact_id=artifact.id,
            size=artifact.size,
            offered=offered_digest(artifact),
        )


def _workflow(facts: RunFacts) -> RepoPath | None:
    """Return the Markdown file the run's workflow was compiled from; ``None`` where a called one may have graded."""
    path = facts.workflow_path
    if facts.called_workflows or not (path.startswith(f"{WORKFLOWS}/") and path.endswith(_COMPILED)):
        return None
    try:
        return RepoPath.parse(f"{path.removesuffix(_COMPILED)}.md")
    except PathRefused as refusal:
        raise AnswerMalformed(
            "the API names a workflow by a path no workflow has", expected=refusal.expected, found=path[:100]
        ) from None


def _transport(artifact: ArtifactFacts) -> Check:
    offered = offered_digest(artifact)
    if offered is None:
        return skipped("artifact.transport-digest", "GitHub offered no digest of the artifact")
    return done("artifact.transport-digest", f"the artifact {artifact.name} has the digest that GitHub names")
