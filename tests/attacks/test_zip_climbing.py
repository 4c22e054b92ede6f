"""A member's name climbs out of the folder it would be extracted to (ZP-01)."""

from pathlib import Path

import pytest

from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import Item, build, unicode_path

CLIMBING = [b"..", b"../x", b"../../etc/cron.d/x", b"a/../../x", b"agent/graders/../../../x", b"a/..", b"agent/../a"]


@pytest.mark.parametrize("name", CLIMBING)
def test_unwanted_member(tmp_path: Path, name: bytes) -> None:
    error = refused(build([*samples.items(), Item(name, b"x")]), tmp_path)
    assert error.code == "archive.unsafe-name"
    assert error.message == "a member's name climbs"


@pytest.mark.parametrize("name", CLIMBING)
def test_folder(tmp_path: Path, name: bytes) -> None:
    assert refused(build([Item(name + b"/"), *samples.items()]), tmp_path).code == "archive.unsafe-name"


def test_beside_the_wanted_name(tmp_path: Path) -> None:
    name = b"agent/graders/../graders/grader_manifest.json"
    assert refused(build([*samples.items(), Item(name, b"{}")]), tmp_path).code == "archive.unsafe-name"


def test_hidden_in_a_unicode_path_field(tmp_path: Path) -> None:
    hidden = Item(b"agent/x", b"x", extra=unicode_path(b"agent/x", b"../x"))
    assert refused(build([*samples.items(), hidden]), tmp_path).code == "archive.unsafe-name"


def test_nothing_is_written_outside(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    refused(build([*samples.items(), Item(b"../out", b"x")]), inner)
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]


@pytest.mark.parametrize("name", [b"..data", b"a..b", b"...", b"a/..b/c..", b".. /x"])
def test_harmless_dots_are_read(name: bytes) -> None:
    assert samples.read(build([*samples.items(), Item(name, b"x")])).evaluator == samples.SCRIPT
