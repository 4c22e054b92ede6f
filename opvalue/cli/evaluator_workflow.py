"""Which workflow an author means: a repository and a name, both given, neither guessed from where one stands."""

import re
from typing import Final, NamedTuple, Self

from opvalue.errors import UsageError
from opvalue.identity import RepoPath, Repository
from opvalue.identity.objects import WORKFLOWS

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Workflow(NamedTuple):
    """One workflow of one repository."""

    repository: Repository
    name: str
    """Its file's name without ``.md``."""

    @classmethod
    def parse(cls, repository: str, name: str) -> Self:
        """Read the two arguments of a command. Raises ``RepositoryRefused`` and ``UsageError``."""
        stem = name.removeprefix(f"{WORKFLOWS}/").removesuffix(".md")
        if not _NAME.fullmatch(stem):
            raise UsageError(f"{name[:80]!r} is no workflow's name", expected=f"NAME, of {WORKFLOWS}/NAME.md")
        return cls(Repository.parse(repository), stem)

    @property
    def source(self) -> RepoPath:
        """The workflow's file."""
        return RepoPath.parse(f"{WORKFLOWS}/{self.name}.md")

    @property
    def evaluator(self) -> RepoPath:
        """Where its evaluator belongs."""
        return RepoPath.parse(f".github/graders/{self.name}-operational-value.sh")
