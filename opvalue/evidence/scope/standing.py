"""Whose evidence a request asks for, and whether the definition declares it (DESIGN 5). Pure."""

import enum
from collections.abc import Iterable
from typing import Final, NamedTuple, Self

MOST_NAMES: Final = 1000
"""Repositories that are told of one request; one that names more is attributed to the first, and unattributed."""


class Attribution(NamedTuple):
    """The repositories that a request names."""

    repositories: tuple[str, ...]
    """``owner/name`` in lower case, ``#ID`` for a numeric id, ``owner/*`` for all of an owner's; sorted."""
    unattributed: bool
    """Whether it may also show others, or cannot be told."""

    @classmethod
    def of(cls, repositories: Iterable[str] = (), *, unattributed: bool = False) -> Self:
        """Return the attribution to these repositories; to none, or to more than ``MOST_NAMES``, is unattributed."""
        names = tuple(sorted(set(repositories)))
        return cls(names[:MOST_NAMES], unattributed or not 0 < len(names) <= MOST_NAMES)


class Standing(enum.Enum):
    """What the definition's ``evidence.repositories`` says of a request."""

    DECLARED = "declared"
    UNDECLARED = "undeclared"
    UNATTRIBUTED = "unattributed"


class Scope(NamedTuple):
    """The repositories that a definition declares, all on the run's host."""

    declared: frozenset[str]
    """``owner/name`` in lower case."""
    ids: frozenset[int]
    """Their numeric ids, as far as they are known."""

    def judge(self, attribution: Attribution) -> Standing:
        """Return the standing of a request. One repository that is not declared decides."""
        if any(not self._declares(name) for name in attribution.repositories):
            return Standing.UNDECLARED
        return Standing.UNATTRIBUTED if attribution.unattributed else Standing.DECLARED

    def undeclared(self, attribution: Attribution) -> set[str]:
        """Return the repositories named that are not declared, and ``unattributed`` where there may be others."""
        named = {name for name in attribution.repositories if not self._declares(name)}
        return named | ({Standing.UNATTRIBUTED.value} if attribution.unattributed else set())

    def _declares(self, name: str) -> bool:
        if name.startswith("#"):
            return int(name[1:]) in self.ids
        return name in self.declared
