"""Who, outside the archive, vouches for the recorded commit (DESIGN 4.5; reference 9.2, weakness 1).

An anchor answers for one commit. A pull-request run records a merge commit that no branch ever holds (GT-03): it
counts through a parent that is anchored, and only while the evaluator there is byte for byte the same.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from opvalue.identity import CommitId
from opvalue.trust import errors
from opvalue.trust.git import Commit, Objects
from opvalue.trust.states import AnchoredRun, ConsistentRun, done

_PULL_REQUEST_REF = re.compile(r"refs/pull/[0-9]+/merge")
_MERGED = 2
"""Parents of the merge that GitHub makes of a pull request: its base and its head."""


class Anchor(Protocol):
    """Something the caller trusts to know the repository's commits."""

    def vouches(self, commit: CommitId) -> str | None:
        """Return why ``commit`` is trusted, in words for a reader, or ``None``."""
        ...

    def silent_because(self, commit: CommitId) -> str | None:
        """Return why it does not vouch for ``commit``, in words for a reader; ``None`` when it does."""
        ...


class References(Protocol):
    """Knows the branches and tags of the trusted remote."""

    def holding_ref(self, commit: CommitId) -> str | None:
        """Return a branch or tag from which ``commit`` is reachable, or ``None``."""
        ...


class CommitAnchor(NamedTuple):
    """The caller names the commit (``--commit``)."""

    commit: CommitId

    def vouches(self, commit: CommitId) -> str | None:
        """Vouch for exactly that commit."""
        return "named with --commit" if commit == self.commit else None

    def silent_because(self, commit: CommitId) -> str | None:
        """Say which commit was named instead."""
        return None if commit == self.commit else f"--commit names {self.commit.short}"


class ReachableAnchor(NamedTuple):
    """A branch or tag of the trusted remote leads to the commit."""

    references: References

    def vouches(self, commit: CommitId) -> str | None:
        """Vouch for what the remote's branches and tags hold."""
        ref = self.references.holding_ref(commit)
        return None if ref is None else f"reachable from {ref} of the trusted remote"

    def silent_because(self, commit: CommitId) -> str | None:
        """Say that no ref leads there."""
        return None if self.references.holding_ref(commit) else "no branch or tag of the trusted remote leads to it"


def anchor(run: ConsistentRun, anchors: Sequence[Anchor], objects: Objects) -> AnchoredRun:
    """Return the run as anchored, or raise ``CommitMismatch`` or ``CommitNotAnchored``.

    Reads the recorded commit first, so an absent one is refused as absent. Not checked here: that the run's API
    record names the same commit (an anchor of the online half does that).
    """
    recorded = objects.commit(run.commit_id, run.archived.observation.subject.ref)
    merge = _is_pull_request_merge(run, recorded)
    _check_named(recorded, anchors, merge=merge)
    why = _vouched(recorded.id, anchors)
    if why is not None:
        return _anchored(run, recorded, recorded, f"commit {recorded.id.short} is {why}")
    parent = _anchored_parent(run, recorded, anchors, objects) if merge else None
    if parent is not None:
        trusted, why = parent
        detail = f"{recorded.id.short} is a pull-request merge whose parent {trusted.id.short} is {why}"
        return _anchored(run, recorded, trusted, detail)
    raise errors.CommitNotAnchored(
        f"nothing outside the archive vouches for commit {recorded.id.short}",
        expected="somebody outside the archive who vouches for it",
        found="; ".join(filter(None, (anchor.silent_because(recorded.id) for anchor in anchors))) or "no anchor",
    )


def _is_pull_request_merge(run: ConsistentRun, recorded: Commit) -> bool:
    ref = run.archived.observation.subject.ref
    return len(recorded.parents) == _MERGED and _PULL_REQUEST_REF.fullmatch(ref) is not None


def _check_named(recorded: Commit, anchors: Sequence[Anchor], *, merge: bool) -> None:
    """Refuse when the caller named neither the recorded commit nor, of a pull request's merge, a parent of it."""
    for named in (anchor.commit for anchor in anchors if isinstance(anchor, CommitAnchor)):
        if named != recorded.id and not (merge and named in recorded.parents):
            raise errors.CommitMismatch(
                "the archive records another commit than the one that was named",
                expected=str(named),
                found=str(recorded.id),
            )


def _anchored_parent(
    run: ConsistentRun, recorded: Commit, anchors: Sequence[Anchor], objects: Objects
) -> tuple[Commit, str] | None:
    """Return the anchored parent of a pull-request merge, and why it is trusted.

    Where both parents are anchored, the one that holds the merge's evaluator; else the first. Whether it really holds
    it is checked when its bytes are read.
    """
    vouched = [(parent, why) for parent in recorded.parents if (why := _vouched(parent, anchors)) is not None]
    if not vouched:
        return None
    found = [(objects.commit(parent), why) for parent, why in vouched]
    merged = objects.entry(recorded, run.evaluator_path)
    return next((one for one in found if objects.entry(one[0], run.evaluator_path) == merged), found[0])


def _vouched(commit: CommitId, anchors: Sequence[Anchor]) -> str | None:
    return next((why for why in (anchor.vouches(commit) for anchor in anchors) if why is not None), None)


def _anchored(run: ConsistentRun, recorded: Commit, trusted: Commit, detail: str) -> AnchoredRun:
    return AnchoredRun(run, recorded, trusted, (*run.checks, done("commit.anchored", detail)))
