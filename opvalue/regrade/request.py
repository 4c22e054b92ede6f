"""What a caller asks for, and what it vouches for; the same online and offline. Pure."""

import enum
from pathlib import Path
from typing import NamedTuple

from opvalue.checkout import GitCheckout
from opvalue.identity import CommitId, Host, Repository, RunRef
from opvalue.trust import Anchor, CommitAnchor, FormerName, ReachableAnchor


class Contract(enum.Enum):
    """The two contracts an operational-value evaluator may speak (DESIGN 1)."""

    SCHEMA_4 = "schema-4"
    """``--definition``, ``--metric``, ``--grade-run``: can be regraded."""
    SESSION = "session"
    """A session file as ``$1`` and a metrics array: cannot."""


class RegradeRequest(NamedTuple):
    """One run to be regraded."""

    run: RunRef
    evidence_at: str
    """An RFC 3339 time with a zone, ``now`` or ``maturity``."""
    checkout: Path
    """A clone of the run's repository; trusted."""
    repository: Repository | None = None
    """The run's repository; when absent, the only one the checkout's remotes name."""
    commit: CommitId | None = None
    """A commit the caller vouches for."""
    renamed_from: tuple[str, ...] = ()
    """Former names of the repository, ``OWNER/REPO`` each, vouched for by the caller."""
    contract: Contract | None = None
    """The evaluator's contract, when it is not to be told from the script."""
    require_mature: bool = False
    """Refuse an observation that is not mature."""

    def former_names(self, host: Host) -> tuple[FormerName, ...]:
        """Return the names the caller vouches for. Raises ``RepositoryRefused``."""
        why = "vouched for with --renamed-from"
        return tuple(FormerName(Repository.parse(name, default_host=host), why) for name in self.renamed_from)

    def anchors(self, checkout: GitCheckout, *others: Anchor) -> tuple[Anchor, ...]:
        """Return who may vouch for the commit, the caller first, the clone's own refs last."""
        own = () if self.commit is None else (CommitAnchor(self.commit),)
        return (*own, *others, ReachableAnchor(checkout))
