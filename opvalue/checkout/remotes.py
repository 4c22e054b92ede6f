"""Which remote is the trusted one, and which local refs are its branches and tags. Pure.

Addresses are read as the repository's configuration spells them, before ``insteadOf``: a rewrite can make another
remote look right. Fetch refspecs count from every scope, since a global one fills this repository's refs as well.
Not known here: whether the server has ever been asked, or what it would answer today.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Self

from opvalue.checkout.errors import AmbiguousRepository, NoTrustedRemote
from opvalue.identity import Repository

CONFIG_PATTERN: Final = r"^(remote\..*\.(url|fetch|tagopt|promisor)|extensions\.partialclone)$"
"""The settings ``read_settings`` understands, as ``git config --get-regexp`` wants them."""

_CREDENTIAL = re.compile(r"://[^\s,;]*@")
_OWN_SCOPES: Final = frozenset({"local", "worktree"})
_BRANCHES: Final = "refs/heads/"
_TAGS: Final = "refs/tags/"


class Refspec(NamedTuple):
    """One fetch refspec, both sides with at most one star."""

    source: str
    target: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the refspec, or ``None`` for one that stores nothing: it has no target, as an exclusion has none."""
        source, _, target = text.removeprefix("+").partition(":")
        if not target:
            return None
        return cls(source, _full_target(target))

    def source_of(self, ref: str) -> str | None:
        """Return the remote's ref that this refspec stores as ``ref``, or ``None``."""
        before, star, after = self.target.partition("*")
        if not star:
            return self.source if ref == self.target else None
        if len(ref) < len(before) + len(after) or not ref.startswith(before) or not ref.endswith(after):
            return None
        return self.source.replace("*", ref[len(before) : len(ref) - len(after)], 1)


class Remote(NamedTuple):
    """One remote as configured."""

    name: str
    urls: tuple[str, ...]
    """From the repository's own configuration, unrewritten."""
    refspecs: tuple[Refspec, ...]
    follows_tags: bool

    @property
    def repository(self) -> Repository | None:
        """The one repository all its addresses name, or ``None``."""
        named = [Repository.from_remote(url) for url in self.urls]
        first = named[0] if named else None
        if first is None or not all(other is not None and other.same_as(first) for other in named):
            return None
        return first


class Settings(NamedTuple):
    """What the configuration says that matters here."""

    remotes: tuple[Remote, ...]
    partial: bool
    """A partial clone: objects may be absent by design."""


class Trusted(NamedTuple):
    """The trusted repository, the remotes that are it, and those that are not."""

    repository: Repository
    remotes: tuple[Remote, ...]
    others: tuple[Remote, ...]

    def name_of(self, ref: str) -> str | None:
        """Return the trusted remote's branch or tag that is kept as the local ``ref``; ``None`` when it is none.

        Every refspec that could have written ``ref`` must take it from the trusted remote's branches or tags: where a
        pull-request refspec, or another repository's, can write it too, nobody can tell whose it is.
        """
        sources = {source for remote in self.remotes for source in _sources(remote, ref)}
        foreign = any(True for remote in self.others for _ in _sources(remote, ref))
        if foreign or not sources or not all(source.startswith((_BRANCHES, _TAGS)) for source in sources):
            return None
        return min(sources)


def read_settings(output: bytes) -> Settings:
    """Read the output of ``git config --null --show-scope --get-regexp CONFIG_PATTERN``."""
    urls: dict[str, list[str]] = {}
    refspecs: dict[str, list[Refspec]] = {}
    no_tags: set[str] = set()
    partial = False
    fields = output.decode("utf-8", "surrogateescape").split("\0")
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = setting.partition("\n")
        section, _, rest = key.partition(".")
        name, _, variable = rest.rpartition(".")
        if section == "extensions" or variable == "promisor":
            partial = True
        elif variable == "url":
            urls.setdefault(name, []).extend([value] if scope in _OWN_SCOPES else [])
        elif variable == "fetch":
            refspec = Refspec.parse(value)
            refspecs.setdefault(name, []).extend([refspec] if refspec else [])
        elif variable == "tagopt" and value == "--no-tags":
            no_tags.add(name)
    # Without an address the name itself is one: git fetches from there, and fills the refs that the section says.
    remotes = [
        Remote(name, tuple(urls.get(name, ())), tuple(refspecs.get(name, ())), name in urls and name not in no_tags)
        for name in {**urls, **refspecs}
    ]
    return Settings(tuple(remotes), partial)


def choose(remotes: Sequence[Remote], wanted: Repository | None, *, bare: bool) -> Trusted:
    """Return the trusted repository and its remotes. Raises ``NoTrustedRemote`` and ``AmbiguousRepository``.

    ``bare``: a bare clone keeps the remote's branches under its own ``refs/heads``, without a refspec saying so.
    """
    repository = wanted or _only_repository(remotes)
    matching = [remote for remote in remotes if _is(remote, repository)]
    if not matching:
        raise NoTrustedRemote(
            f"no remote of this checkout is {repository}", expected=str(repository), found=_seen(remotes)
        )
    others = tuple(remote for remote in remotes if not _is(remote, repository))
    return Trusted(repository, tuple(_completed(remote, bare=bare) for remote in matching), others)


def _only_repository(remotes: Sequence[Remote]) -> Repository:
    named = [remote.repository for remote in remotes if remote.repository is not None]
    if not named:
        raise NoTrustedRemote(
            "no remote of this checkout names a repository", expected="a remote on a host", found=_seen(remotes)
        )
    if not all(repository.same_as(named[0]) for repository in named):
        raise AmbiguousRepository(
            "the remotes of this checkout name several repositories", expected="one repository", found=_seen(remotes)
        )
    return named[0]


def _is(remote: Remote, repository: Repository) -> bool:
    return remote.repository is not None and remote.repository.same_as(repository)


def _completed(remote: Remote, *, bare: bool) -> Remote:
    if bare and not remote.refspecs:
        return remote._replace(refspecs=(Refspec("refs/heads/*", "refs/heads/*"),))
    return remote


def _sources(remote: Remote, ref: str) -> Iterable[str]:
    # Fetching follows tags without a refspec, and a tag does not record where it came from.
    implicit = (Refspec("refs/tags/*", "refs/tags/*"),) if remote.follows_tags else ()
    for refspec in (*remote.refspecs, *implicit):
        source = refspec.source_of(ref)
        if source is not None:
            yield source


def _full_target(target: str) -> str:
    if target.startswith("refs/"):
        return target
    if target.startswith(("heads/", "tags/", "remotes/")):
        return f"refs/{target}"
    return f"refs/heads/{target}"


def _seen(remotes: Sequence[Remote]) -> str:
    shown = (f"{remote.name} = {', '.join(remote.urls)}" for remote in remotes if remote.urls)
    # An address may carry a credential.
    return _CREDENTIAL.sub("://***@", "; ".join(shown)) or "no remotes"
