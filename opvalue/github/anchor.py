"""The API as an anchor: the commit it has as a run's head (DESIGN 4.5). Pure."""

from typing import NamedTuple

from opvalue.github.events import Recorded, recorded
from opvalue.github.facts import RunFacts
from opvalue.identity import CommitId


class ApiAnchor(NamedTuple):
    """Vouches for the head commit of one run, where its event lets that be the commit the run was at.

    For a pull request's merge commit it vouches for the parent that is the head; whether that parent's evaluator is
    the archived one is checked by ``trust``. Never for a fork's run. Other anchors may still vouch.
    """

    facts: RunFacts

    @staticmethod
    def allowed(event: str) -> bool:
        """Tell whether the API's head sha says anything of the commit that runs of ``event`` record."""
        return recorded(event) in {Recorded.HEAD, Recorded.MERGE}

    def vouches(self, commit: CommitId) -> str | None:
        """Vouch for the run's head commit, and for no other."""
        if self.facts.is_fork or not self.allowed(self.facts.event) or commit != self.facts.head_sha:
            return None
        return f"the head commit of run {self.facts.id} ({self.facts.event}) by GitHub's record"

    def silent_because(self, commit: CommitId) -> str | None:
        """Return why the API does not vouch for ``commit``, in words for a reader; ``None`` when it does."""
        if self.vouches(commit) is not None:
            return None
        event = self.facts.event
        if self.facts.is_fork:
            return "the run's head is not in the repository"
        kind = recorded(event)
        if kind is None:
            return f"the event {event[:40]!r} is unknown here, so what its runs record is unknown"
        if kind is Recorded.ELSEWHERE:
            return f"a run of {event} is at {kind.value}"
        what = "has as its parent" if kind is Recorded.MERGE else "records"
        return f"a run of {event} {what} the head commit {self.facts.head_sha.short}, not {commit.short}"
