"""opvalue: say, long after a run, what a GitHub Agentic Workflow was worth, and prove it.

The public names are loaded when first asked for, so that importing the package costs nothing.
"""

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # not typing's own: importing that is a fifth of what the quick answers cost

if TYPE_CHECKING:
    from opvalue.archive import ArchivedRun, read_archive
    from opvalue.checkout import GitCheckout
    from opvalue.errors import OpvalueError
    from opvalue.identity import Instant, Repository, RunRef
    from opvalue.limits import Limits
    from opvalue.regrade import Regraded, verify_run
    from opvalue.trust import CommitAnchor, ReachableAnchor, TrustPolicy, VerifiedRun

_HOME = {
    "ArchivedRun": "archive",
    "read_archive": "archive",
    "GitCheckout": "checkout",
    "OpvalueError": "errors",
    "Instant": "identity",
    "Repository": "identity",
    "RunRef": "identity",
    "Limits": "limits",
    "Regraded": "regrade",
    "verify_run": "regrade",
    "CommitAnchor": "trust",
    "ReachableAnchor": "trust",
    "TrustPolicy": "trust",
    "VerifiedRun": "trust",
}

__all__ = [
    "ArchivedRun",
    "CommitAnchor",
    "GitCheckout",
    "Instant",
    "Limits",
    "OpvalueError",
    "ReachableAnchor",
    "Regraded",
    "Repository",
    "RunRef",
    "TrustPolicy",
    "VerifiedRun",
    "__version__",
    "read_archive",
    "verify_run",
]


def __getattr__(name: str) -> object:
    room = _HOME.get(name)
    if room is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{room}"), name)
