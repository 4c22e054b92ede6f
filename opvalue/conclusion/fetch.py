"""The session of a run at GitHub: the one ``usage`` artifact that holds one, downloaded and opened (reference 7.1).

1. The run has completed; its attempt is the one that was named, or else the latest.
2. Artifacts named ``usage``, or ending in ``-usage``, that have not expired are fetched, from the cache where it has
   them, and opened.
3. Exactly one holds a session. Neither order nor dates decide, nor an attempt: the listing carries none.

Not checked here: that the session is the run's, which only the session itself can say.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import BinaryIO, Final, NamedTuple

from opvalue.archive.errors import SessionAbsent
from opvalue.archive.session import ArchivedSession
from opvalue.cache import ArtifactCache, ArtifactKey, Cached
from opvalue.conclusion.errors import UsageArtifactAbsent
from opvalue.errors import Kind, OpvalueError
from opvalue.github import ArtifactFacts, GitHub, RunFacts, offered_digest
from opvalue.github.choice import USAGE, listed, named
from opvalue.github.errors import ArtifactExpired, CandidateRefused, RunNotCompleted, SeveralArtifacts
from opvalue.identity import Digest, Repository, RunRef
from opvalue.limits import Limits

_COMPLETED: Final = "completed"
_MOST_CANDIDATES: Final = 20
_BY_HAND: Final = "Download the right one with `gh run download`, and give its aw_session.jsonl."


class Source(NamedTuple):
    """Where the run is looked up, and what was fetched before."""

    github: GitHub
    cache: ArtifactCache
    refresh: bool = False
    """Fetch again what the cache holds."""


class FetchedSession(NamedTuple):
    """A run's session, readable until its context ends."""

    run: RunFacts
    artifact: ArtifactFacts
    session: ArchivedSession


@contextmanager
def fetch_session(
    source: Source,
    repository: Repository,
    run: RunRef,
    *,
    limits: Limits | None = None,
    tell: Callable[[str], object] = lambda _text: None,
    warn: Callable[[OpvalueError], object] = lambda _problem: None,
) -> Iterator[FetchedSession]:
    """Give the session of the run. ``tell`` hears what is going on, ``warn`` what is wrong with the cache.

    Raises the errors of ``github``, ``http`` and ``archive``, and ``UsageArtifactAbsent``.
    """
    tell("asking for the run")
    facts = source.github.run(repository, run.run_id, run.attempt)  # 1
    if facts.status != _COMPLETED:
        raise RunNotCompleted(f"run {facts.id} has not completed", expected=_COMPLETED, found=f"status {facts.status}")
    live = _live(source.github.artifacts(repository, facts.id))
    with ExitStack() as stack:
        fetch = _Fetch(source, repository, facts, limits or Limits(), tell, warn, stack)
        opened = [_Opened(artifact, fetch.open(artifact, refresh=source.refresh)) for artifact in live]  # 2
        yield FetchedSession(facts, *_only(opened))  # 3


class _Opened(NamedTuple):
    artifact: ArtifactFacts
    result: ArchivedSession | OpvalueError

    def in_words(self) -> str:
        result = self.result
        what = result.name if isinstance(result, ArchivedSession) else f"{result.message} [{result.code}]"
        return f"{self.artifact.described()}: {what}"


def _live(artifacts: Sequence[ArtifactFacts]) -> list[ArtifactFacts]:
    wanted = named(artifacts, USAGE)
    if not wanted:
        raise UsageArtifactAbsent(
            "the run concluded without a usage artifact",
            expected="an artifact named usage, or ending in -usage",
            found=listed(artifacts),
        )
    live = [artifact for artifact in wanted if not artifact.expired]
    if not live:
        raise _expired(wanted)
    if len(live) > _MOST_CANDIDATES:
        raise SeveralArtifacts(
            f"the run has {len(live)} usage artifacts",
            expected=f"at most {_MOST_CANDIDATES}",
            found=listed(live),
            hint=_BY_HAND,
        )
    return live


def _only(opened: Sequence[_Opened]) -> tuple[ArtifactFacts, ArchivedSession]:
    """Return the one artifact that holds a session. One that cannot be read might be it, so it stops the choice."""
    seen = "; ".join(one.in_words() for one in opened)
    refusals = [one.result for one in opened if isinstance(one.result, OpvalueError)]
    unread = [refusal for refusal in refusals if not isinstance(refusal, SessionAbsent | ArtifactExpired)]
    if unread and len(opened) == 1:
        raise unread[0]
    if unread:
        raise CandidateRefused(
            "a usage artifact cannot be read, and might be the right one",
            expected="usage artifacts that can all be read",
            found=seen,
            hint=_BY_HAND,
        )
    holding = [(one.artifact, one.result) for one in opened if isinstance(one.result, ArchivedSession)]
    if len(holding) == 1:
        return holding[0]
    if holding:
        raise SeveralArtifacts(
            "several usage artifacts of the run hold a session", expected="exactly one", found=seen, hint=_BY_HAND
        )
    if all(isinstance(refusal, ArtifactExpired) for refusal in refusals):
        raise _expired([one.artifact for one in opened])
    raise SessionAbsent("no usage artifact of the run holds a session", expected="aw_session.jsonl", found=seen)


class _Fetch(NamedTuple):
    """Brings one usage artifact after the other, and finds the session in it."""

    source: Source
    repository: Repository
    facts: RunFacts
    limits: Limits
    tell: Callable[[str], object]
    warn: Callable[[OpvalueError], object]
    stack: ExitStack

    def open(self, artifact: ArtifactFacts, *, refresh: bool) -> ArchivedSession | OpvalueError:
        """Return the session in it, or why there is none; expired included, as another one may be live.

        Any other failed download is raised.
        """
        key = self._key(artifact)
        try:
            cached = self._cached(key, artifact, refresh=refresh)
        except ArtifactExpired as expired:
            return expired
        try:
            return ArchivedSession(self.stack.enter_context(cached).file, self.limits)
        except OpvalueError as refusal:
            # Without a digest nobody noticed if the earlier download was a bad one.
            if key.offered is not None or not cached.hit or refusal.kind is Kind.NOTHING:
                return refusal
        return self.open(artifact, refresh=True)

    def _cached(self, key: ArtifactKey, artifact: ArtifactFacts, *, refresh: bool) -> Cached:
        def fill(into: BinaryIO) -> Digest:
            self.tell(f"downloading {artifact.described()}")
            return self.source.github.download(self.repository, artifact, into).download.sha256

        cached = self.source.cache.fetch(key, fill, refresh=refresh)
        if cached.problem is not None:
            self.warn(cached.problem)
        return cached

    def _key(self, artifact: ArtifactFacts) -> ArtifactKey:
        return ArtifactKey(
            host=self.repository.host,
            repository_id=self.facts.repository.id,
            run_id=self.facts.id,
            artifact_id=artifact.id,
            size=artifact.size,
            offered=offered_digest(artifact),
        )


def _expired(artifacts: Sequence[ArtifactFacts]) -> ArtifactExpired:
    return ArtifactExpired(
        "the run's usage artifact has expired",
        found=listed(artifacts),
        hint="It is gone from GitHub. If you kept a copy, give its aw_session.jsonl.",
    )
