"""A bundle of evidence as a value: whose it is, and every exchange once (DESIGN 5). Pure."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, Self

from opvalue.evidence.bundle.errors import BundleMalformed
from opvalue.evidence.exchange import Exchange, http_date, plain
from opvalue.evidence.scope import Scope
from opvalue.identity import Digest, Host, Instant


class Declared(NamedTuple):
    """A repository that the definition declares as evidence. By its id it is known in ``/repositories/ID`` as well."""

    repository: str
    """``owner/name`` in lower case."""
    id: int | None = None
    """Its numeric id, where that was known."""


def scope_of(declared: Iterable[Declared]) -> Scope:
    """Return what the broker takes for declared where these repositories are."""
    named = tuple(declared)
    return Scope(frozenset(one.repository for one in named), frozenset(one.id for one in named if one.id is not None))


class Failed(NamedTuple):
    """Why a recording is not complete."""

    cause: str
    """The code of the failure."""
    request: str
    """The request that failed, for people."""


class Profile(NamedTuple):
    """What the evaluator was given for programs."""

    gh: str
    """The profile of the stand-in."""
    jq: str
    """What ``jq --version`` printed."""


class Header(NamedTuple):
    """Which grading a bundle is the evidence of."""

    host: Host
    repository_id: int
    """The numeric id of the run's repository."""
    run_id: str
    attempt: int
    evaluator_digest: Digest
    closure_digest: Digest
    requests: tuple[Instant, ...]
    """The evidence times it was recorded for; ascending, each once."""
    complete: bool
    """Whether nothing failed."""
    failures: tuple[tuple[str, str], ...]
    """Cause and request of each failure, as ``Failed``."""
    profile: Profile
    declared: tuple[Declared, ...] = ()
    """The definition's evidence repositories; ascending, each once."""


def body_bytes(exchanges: Iterable[Exchange]) -> int:
    """Return the length of all bodies together, each as often as it stands in an exchange."""
    return sum(len(one.request.body) + len(one.answer.body) for one in exchanges)


class Bundle(NamedTuple):
    """Evidence, ready to be written. Make one with ``Bundle.of``."""

    header: Header
    exchanges: tuple[Exchange, ...]
    """Sorted by their requests' keys, each key once."""

    @classmethod
    def of(cls, header: Header, exchanges: Iterable[Exchange]) -> Self:
        """Return the bundle of these exchanges, which may come in any order.

        Times and repositories of the header are put in order as well, and its texts on one line; a server's date that
        is none is left out. Raises ``BundleMalformed`` for two answers to one request, for no evidence time, and for a
        repository that is declared twice.
        """
        plainly = (one._replace(server_date=http_date(one.server_date)) for one in exchanges)
        ordered = sorted(plainly, key=lambda exchange: exchange.request.key())
        for first, second in pairwise(ordered):
            if first.request.key() == second.request.key():
                raise BundleMalformed(
                    "a request has two answers", expected="one answer", found=first.request.described()
                )
        if not header.requests:
            raise BundleMalformed("the bundle names no evidence time that it was recorded for")
        in_order = header._replace(
            requests=tuple(sorted(set(header.requests))),
            failures=tuple(Failed(plain(cause), plain(request)) for cause, request in header.failures),
            profile=Profile(plain(header.profile.gh), plain(header.profile.jq)),
            declared=tuple(sorted(set(header.declared), key=lambda one: (one.repository, one.id or 0))),
        )
        names = [one.repository for one in in_order.declared]
        ids = [one.id for one in in_order.declared if one.id is not None]
        if len(set(names)) < len(names) or len(set(ids)) < len(ids):
            raise BundleMalformed("the bundle declares a repository twice", expected="each name and each id once")
        return cls(in_order, tuple(ordered))

    @property
    def digest(self) -> Digest:
        """The digest of the evidence. No time of observation, no failure's text and no profile is part of it."""
        from opvalue.evidence.bundle.documents import identity, list_exchanges  # noqa: PLC0415 - they need the shapes above

        return Digest.of(identity(self.header, list_exchanges(self.exchanges)))
