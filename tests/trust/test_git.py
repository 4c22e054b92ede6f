"""The nouns of a git store."""

import pytest

from opvalue.trust import Entry
from opvalue.trust.git import EntryKind


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("100644", EntryKind.FILE),
        ("100755", EntryKind.FILE),
        ("40000", EntryKind.FOLDER),
        ("120000", EntryKind.SYMLINK),
        ("160000", EntryKind.SUBMODULE),
        ("100664", EntryKind.OTHER),
        ("040000", EntryKind.OTHER),
        ("", EntryKind.OTHER),
    ],
)
def test_kinds(mode: str, kind: EntryKind) -> None:
    assert Entry("x", mode, "0" * 40).kind is kind
