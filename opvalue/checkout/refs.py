"""The branches and tags of the trusted remote as this clone keeps them, and which of them holds a commit."""

import time
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from opvalue.checkout.discovery import Discovered
from opvalue.checkout.errors import (
    GitTimedOut,
    ObjectAltered,
    ObjectMalformed,
    ObjectMissing,
    ObjectTooLarge,
    ObjectUnreadable,
    SearchTimedOut,
)
from opvalue.checkout.plumbing import ask
from opvalue.checkout.reach import Tip, distances, first_reaching
from opvalue.checkout.remotes import Trusted
from opvalue.checkout.store import ObjectStore
from opvalue.errors import printable
from opvalue.identity import CommitId
from opvalue.limits import Limits
from opvalue.trust.git import Commit

_TAGS = "refs/tags/"
_UNVERIFIABLE = (ObjectAltered, ObjectMalformed, ObjectMissing, ObjectTooLarge, ObjectUnreadable)
_KNOWN_COMMITS = 100_000
"""Verified commits kept, so that the next run of a batch does not walk the same history again."""
_LISTING = ("for-each-ref", "--format=%(objectname) %(symref) %(refname)")


class _Ref(NamedTuple):
    """A ref of the trusted remote: its name there, and the object it is at."""

    name: str
    oid: str
    is_default: bool


class Refs:
    """Reads the refs once, at first need; what the clone's refs do later is not seen."""

    def __init__(self, found: Discovered, trusted: Trusted, store: ObjectStore, limits: Limits) -> None:
        self._found = found
        self._trusted = trusted
        self._store = store
        self._seconds = limits.git_seconds
        self._known: dict[CommitId, Commit] = {}

    def holding(self, target: CommitId) -> str | None:
        """Return the name of a ref from which a verified path leads to ``target``, or ``None``.

        Raises ``SearchTimedOut``.
        """
        try:
            return self._holding(target, time.monotonic() + self._seconds)
        except GitTimedOut as slow:
            raise SearchTimedOut(slow.message, expected=slow.expected, found=slow.found) from None

    def _holding(self, target: CommitId, deadline: float) -> str | None:
        branches = [Tip(ref.name, CommitId(ref.oid), ref.is_default) for ref in self._all if not _is_tag(ref)]
        name = self._first(branches, target, deadline)
        return name if name is not None else self._first(self._tag_tips(deadline), target, deadline)

    def _first(self, tips: Sequence[Tip], target: CommitId, deadline: float) -> str | None:
        if not tips:
            return None
        guide = {target.hex: 0}
        if not _is_settled(tips, target):
            guide = distances(target, self._store.descendants(target, [tip.commit_id for tip in tips]))
        tip = first_reaching(tips, target, guide, self._verified, deadline)
        return None if tip is None else printable(tip.name)

    def _tag_tips(self, deadline: float) -> list[Tip]:
        tips = []
        for ref in filter(_is_tag, self._all):
            if time.monotonic() > deadline:
                raise GitTimedOut("the tags were not read in time")
            commit_id = self._peeled(ref.oid)
            if commit_id is not None:
                tips.append(Tip(ref.name, commit_id))
        return tips

    def _peeled(self, oid: str) -> CommitId | None:
        try:
            return self._store.peeled(oid)
        except _UNVERIFIABLE:
            # A tag that cannot be verified holds nothing.
            return None

    def _verified(self, commit_id: CommitId) -> Commit | None:
        if commit_id in self._known:
            return self._known[commit_id]
        try:
            found = self._store.commit(commit_id)
        except _UNVERIFIABLE:
            return None
        commit = found if isinstance(found, Commit) else None
        if commit is not None and len(self._known) < _KNOWN_COMMITS:
            self._known[commit_id] = commit
        return commit

    @cached_property
    def _all(self) -> tuple[_Ref, ...]:
        output = ask(self._found.call, _LISTING, seconds=self._seconds).decode("utf-8", "surrogateescape")
        listed = [line.split(" ") for line in output.split("\n")[:-1]]
        defaults = {symref for _, symref, ref in listed if ref in self._heads}
        refs = []
        for oid, symref, ref in listed:
            name = None if symref else self._trusted.name_of(ref)
            if name is not None:
                refs.append(_Ref(name, oid, ref in defaults))
        return tuple(refs)

    @property
    def _heads(self) -> frozenset[str]:
        return frozenset(f"refs/remotes/{remote.name}/HEAD" for remote in self._trusted.remotes)


def _is_tag(ref: _Ref) -> bool:
    return ref.name.startswith(_TAGS)


def _is_settled(tips: Sequence[Tip], target: CommitId) -> bool:
    """Tell whether the preferred tip is the commit itself, so that git need not be asked."""
    preferred = [tip for tip in tips if tip.is_default] or tips
    return any(tip.commit_id == target for tip in preferred)
