"""Find a verified path from a ref's tip down to a commit.

Git proposes, and is believed in nothing: its list of commits between the tips and the target only says which parent
to try first. Every step is a commit whose bytes were re-hashed, so a poisoned commit-graph, a graft or an altered
loose object can hide a path, never make one. A commit that cannot be verified is a dead end.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from opvalue.checkout.errors import GitTimedOut
from opvalue.identity import CommitId
from opvalue.trust.git import Commit


class Tip(NamedTuple):
    """A branch or tag of the trusted remote, and the commit it is at."""

    name: str
    commit_id: CommitId
    is_default: bool = False


def distances(target: CommitId, listing: Iterable[str]) -> dict[str, int]:
    """Return, for each commit that claims to descend from ``target``, its least number of steps to it.

    ``listing`` holds the lines of ``git rev-list --parents --ancestry-path``: a commit, then its parents.
    """
    children: dict[str, list[str]] = {}
    for line in listing:
        commit, *parents = line.split(" ")
        for parent in parents:
            children.setdefault(parent, []).append(commit)
    steps = {target.hex: 0}
    queue = deque([target.hex])
    while queue:
        current = queue.popleft()
        for child in children.get(current, ()):
            if child not in steps:
                steps[child] = steps[current] + 1
                queue.append(child)
    return steps


def first_reaching(
    tips: Iterable[Tip],
    target: CommitId,
    guide: Mapping[str, int],
    read: Callable[[CommitId], Commit | None],
    deadline: float,
) -> Tip | None:
    """Return the first tip from which verified commits lead to ``target``.

    The default branch is tried before others, then the nearest.
    ``read`` returns a verified commit, or ``None`` for one that is absent or fails verification. ``deadline`` is on
    the monotonic clock. Raises ``GitTimedOut``.
    """
    dead: set[str] = set()
    candidates = [tip for tip in tips if tip.commit_id.hex in guide]
    for tip in sorted(candidates, key=lambda tip: (not tip.is_default, guide[tip.commit_id.hex], tip.name)):
        if _leads(tip.commit_id, target, guide, read, dead, deadline):
            return tip
    return None


def _leads(
    start: CommitId,
    target: CommitId,
    guide: Mapping[str, int],
    read: Callable[[CommitId], Commit | None],
    dead: set[str],
    deadline: float,
) -> bool:
    stack = [start]
    while stack:
        current = stack.pop()
        if current.hex in dead:
            continue
        dead.add(current.hex)
        if time.monotonic() > deadline:
            raise GitTimedOut(f"no path to {target} was verified in time")
        commit = read(current)
        if commit is None:
            continue
        if current == target:
            return True
        onward = [parent for parent in commit.parents if parent.hex in guide]
        stack.extend(sorted(onward, key=lambda parent: guide[parent.hex], reverse=True))
    return False
