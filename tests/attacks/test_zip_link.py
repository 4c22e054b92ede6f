"""A grader file, or a folder above it, is a symbolic link, in a zip or in a folder (reference 2.2, step 5)."""

import stat
from pathlib import Path

import pytest

from opvalue.archive import read_artifact
from tests.archive import samples
from tests.archive.refusals import refused, refused_path
from tests.archive.test_artifact import lay_out
from tests.archive.zips import LINK, STORED, Item, build

FILES = list(samples.files())
FOLDERS_ABOVE = ["agent", "agent/graders"]


@pytest.mark.parametrize("name", FILES)
def test_zip_member(tmp_path: Path, name: str) -> None:
    link = Item(name.encode(), b"../../../secret", method=STORED, flags=0, attributes=LINK)
    members = [link if item.name == link.name else item for item in samples.items()]
    assert refused(build(members), tmp_path).code == "archive.symbolic-link"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFDIR, 0o150000])
def test_zip_member_of_another_kind(tmp_path: Path, name: str, kind: int) -> None:
    members = [
        item.with_(attributes=(kind | 0o644) << 16) if item.name == name.encode() else item for item in samples.items()
    ]
    assert refused(build(members), tmp_path).code == "archive.not-regular"


@pytest.mark.parametrize("name", FOLDERS_ABOVE)
@pytest.mark.parametrize("slash", ["", "/"])
def test_zip_folder(tmp_path: Path, name: str, slash: str) -> None:
    link = Item((name + slash).encode(), b"elsewhere", method=STORED, flags=0, attributes=LINK)
    assert refused(build([link, *samples.items()]), tmp_path).code == "archive.symbolic-link"


@pytest.mark.parametrize("name", FILES)
def test_file_in_a_folder(tmp_path: Path, name: str) -> None:
    path = lay_out(tmp_path) / name
    path.rename(path.with_suffix(".real"))
    path.symlink_to(path.with_suffix(".real").name)
    assert refused_path(tmp_path).code == "archive.symbolic-link"


@pytest.mark.parametrize("name", FILES)
def test_link_to_nowhere_in_a_folder(tmp_path: Path, name: str) -> None:
    path = lay_out(tmp_path) / name
    path.unlink()
    path.symlink_to(path)
    assert refused_path(tmp_path).code == "archive.symbolic-link"


@pytest.mark.parametrize("name", FOLDERS_ABOVE)
def test_folder_above(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path / "run")
    (tmp_path / "run" / name).rename(tmp_path / "elsewhere")
    (tmp_path / "run" / name).symlink_to(tmp_path / "elsewhere")
    assert refused_path(tmp_path / "run").code == "archive.symbolic-link"


def test_unwanted_links_are_not_followed(tmp_path: Path) -> None:
    lay_out(tmp_path)
    (tmp_path / "agent/link").symlink_to("/etc")
    (tmp_path / "loop").symlink_to(".")
    assert read_artifact(tmp_path).layout == samples.FOLDER
