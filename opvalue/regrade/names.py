"""Whether another name is the run's repository after all, by the number that stays through renames (DESIGN 4.8)."""

from collections.abc import Iterable, Iterator

from opvalue.github import GitHub, RepositoryFacts
from opvalue.github.errors import AnswerMalformed, NotFound, NotFoundWithoutToken
from opvalue.identity import Host, Repository, RepositoryRefused
from opvalue.regrade.errors import FormerNameDiffers
from opvalue.trust import FormerName


class Names:
    """The names of one repository. Asks GitHub only about those that are not today's."""

    def __init__(self, github: GitHub, repository: Repository, today: RepositoryFacts) -> None:
        """``repository`` is the requested one, ``today`` what GitHub has of it."""
        self._github = github
        self._host = repository.host
        self._today = today
        self._why = f"of {today.full_name} by GitHub's record (id {today.id})"
        # The requested name was looked up, so it is today's or was followed through a rename.
        self.former: tuple[FormerName, ...] = ()
        if not today.is_named(repository.slug):
            self.former = (FormerName(_parsed(today.full_name, repository.host), self._why),)

    def look_up(self, name: str) -> RepositoryFacts | None:
        """Return what GitHub has under ``name`` (``OWNER/REPO``); ``None`` for today's name, and for nothing.

        Nothing is under a name of another host. A name that leads to the same number is remembered in ``former``.
        """
        if self._today.is_named(name):
            return None
        try:
            named = Repository.parse(name, default_host=self._host)
            if named.host != self._host:
                # The number of a like name here would say nothing of a repository there.
                return None
            facts = self._github.repository(named)
        except (RepositoryRefused, NotFound, NotFoundWithoutToken):
            return None
        if facts.id == self._today.id:
            self.former = (*self.former, FormerName(named, self._why))
        return facts

    def vouched(self, names: Iterable[FormerName]) -> Iterator[FormerName]:
        """Pass on the names the caller vouches for. Raises ``FormerNameDiffers`` for one that is another repository's.

        A name that GitHub no longer knows is left to the caller's word (DESIGN 4.8).
        """
        for former in names:
            facts = self.look_up(former.repository.slug)
            if facts is not None and facts.id != self._today.id:
                raise FormerNameDiffers(
                    f"{former.repository.slug} is another repository than {self._today.full_name}",
                    expected=f"a former name of the repository with id {self._today.id}",
                    found=f"{facts.full_name} (id {facts.id})",
                )
            yield former

    def same_repository(self, name: str) -> str | None:
        """Return how ``name``, which is not today's, is this repository; ``None`` when it is another or unknown."""
        facts = self.look_up(name)
        return f"{name}, a former name {self._why}" if facts is not None and facts.id == self._today.id else None


def _parsed(full_name: str, host: Host) -> Repository:
    try:
        return Repository.parse(full_name, default_host=host)
    except RepositoryRefused:
        raise AnswerMalformed(
            "the API answered with a name that no repository has", expected="OWNER/REPO", found=full_name[:80]
        ) from None
