"""The evidence of one grading as one file: written deterministically, read whole or not at all (DESIGN 5).

The format is documented in ``docs/bundle.md``. Content addressing shows that nothing was changed, not who recorded it.
"""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.evidence.bundle.checks import check_complete, check_declared, check_for, check_fresh, check_past
    from opvalue.evidence.bundle.model import Bundle, Declared, Failed, Header, Profile, scope_of
    from opvalue.evidence.bundle.reading import read_bundle
    from opvalue.evidence.bundle.stated import check_stated
    from opvalue.evidence.bundle.writing import check_clean, save, write

__all__ = [
    "Bundle",
    "Declared",
    "Failed",
    "Header",
    "Profile",
    "check_clean",
    "check_complete",
    "check_declared",
    "check_for",
    "check_fresh",
    "check_past",
    "check_stated",
    "read_bundle",
    "save",
    "scope_of",
    "write",
]

__getattr__ = names_of(
    __name__,
    {
        "checks": ("check_complete", "check_declared", "check_for", "check_fresh", "check_past"),
        "model": ("Bundle", "Declared", "Failed", "Header", "Profile", "scope_of"),
        "reading": ("read_bundle",),
        "stated": ("check_stated",),
        "writing": ("check_clean", "save", "write"),
    },
)
