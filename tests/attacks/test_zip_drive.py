"""A member's name begins with a drive (ZP-01)."""

from pathlib import Path

import pytest

from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import Item, build, unicode_path

NAMES = [b"C:x", b"c:/x", b"Z:agent/graders/grader_manifest.json"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first", [True, False])
def test_unwanted_member(tmp_path: Path, name: bytes, first: bool) -> None:
    hostile = Item(name, b"x")
    members = [hostile, *samples.items()] if first else [*samples.items(), hostile]
    error = refused(build(members), tmp_path)
    assert error.code == "archive.unsafe-name"
    assert error.message == "a member's name names a drive"


@pytest.mark.parametrize("name", NAMES)
def test_hidden_in_a_unicode_path_field(tmp_path: Path, name: bytes) -> None:
    hidden = Item(b"agent/x", b"x", extra=unicode_path(b"agent/x", name))
    assert refused(build([*samples.items(), hidden]), tmp_path).code == "archive.unsafe-name"
