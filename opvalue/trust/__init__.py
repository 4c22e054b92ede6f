"""Trust moves forward only: states, anchors and the functions between them (DESIGN 4). Pure.

Git objects and references come in through the Protocols declared here; nothing here opens, spawns or connects.
"""

from opvalue.trust.anchors import Anchor, CommitAnchor, ReachableAnchor, References, anchor
from opvalue.trust.bind import bind
from opvalue.trust.consistent import consistent
from opvalue.trust.evaluator import match, pin
from opvalue.trust.git import Commit, Entry, Objects
from opvalue.trust.states import (
    AnchoredRun,
    Check,
    CheckState,
    ConsistentRun,
    FormerName,
    PinnedTree,
    TrustPolicy,
    VerifiedEvaluator,
    VerifiedRun,
)

__all__ = [
    "Anchor",
    "AnchoredRun",
    "Check",
    "CheckState",
    "Commit",
    "CommitAnchor",
    "ConsistentRun",
    "Entry",
    "FormerName",
    "Objects",
    "PinnedTree",
    "ReachableAnchor",
    "References",
    "TrustPolicy",
    "VerifiedEvaluator",
    "VerifiedRun",
    "anchor",
    "bind",
    "consistent",
    "match",
    "pin",
]
