"""Git objects of a trusted clone, through plumbing, re-hashed (DESIGN 4.5, 4.6)."""

from typing import TYPE_CHECKING

from opvalue.checkout.checkout import GitCheckout
from opvalue.checkout.errors import (
    AmbiguousRepository,
    CheckoutRefused,
    CommitAbsent,
    DubiousOwnership,
    FolderRefused,
    GitFailed,
    GitMissing,
    GitTimedOut,
    LfsPointer,
    NeverCommitted,
    NotACommit,
    NotARepository,
    NoTrustedRemote,
    ObjectAltered,
    ObjectMalformed,
    ObjectMissing,
    ObjectNotFetched,
    ObjectTooLarge,
    ObjectUnreadable,
    PathAbsent,
    SearchTimedOut,
    ShallowHistory,
    SubmoduleRefused,
    SymlinkRefused,
    UnsafeObjectId,
    UnusualMode,
    WrongObjectFormat,
)
from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.checkout.history import FirstCommit, History, Stamp

__all__ = [
    "AmbiguousRepository",
    "CheckoutRefused",
    "CommitAbsent",
    "DubiousOwnership",
    "FirstCommit",
    "FolderRefused",
    "GitCheckout",
    "GitFailed",
    "GitMissing",
    "GitTimedOut",
    "History",
    "LfsPointer",
    "NeverCommitted",
    "NoTrustedRemote",
    "NotACommit",
    "NotARepository",
    "ObjectAltered",
    "ObjectMalformed",
    "ObjectMissing",
    "ObjectNotFetched",
    "ObjectTooLarge",
    "ObjectUnreadable",
    "PathAbsent",
    "SearchTimedOut",
    "ShallowHistory",
    "Stamp",
    "SubmoduleRefused",
    "SymlinkRefused",
    "UnsafeObjectId",
    "UnusualMode",
    "WrongObjectFormat",
]

__getattr__ = names_of(__name__, {"history": ("FirstCommit", "History", "Stamp")})
