"""A folder, or something below one, stands where a grader file should be."""

from pathlib import Path

import pytest

from tests.archive import samples
from tests.archive.refusals import refused, refused_path
from tests.archive.test_artifact import lay_out
from tests.archive.zips import STORED, Item, build

FILES = list(samples.files())
FOLDER = {"method": STORED, "flags": 0, "attributes": (0o40755 << 16) | 0x10}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("below", ["/", "/x", "/x/y"])
@pytest.mark.parametrize("beside", [True, False])
def test_zip(tmp_path: Path, name: str, below: str, beside: bool) -> None:
    members = [item for item in samples.items() if beside or item.name != name.encode()]
    folder = Item((name + below).encode(), b"")
    assert refused(build([*members, folder]), tmp_path).code == "archive.not-regular"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("attributes", [0x10, 0o40755 << 16])
def test_zip_folder_without_its_slash(tmp_path: Path, name: str, attributes: int) -> None:
    members = [item.with_(attributes=attributes) if item.name == name.encode() else item for item in samples.items()]
    assert refused(build(members), tmp_path).code == "archive.not-regular"


@pytest.mark.parametrize("name", ["agent", "agent/graders", "./agent"])
def test_zip_file_in_place_of_a_folder(tmp_path: Path, name: str) -> None:
    assert refused(build([Item(name.encode(), b"x"), *samples.items()[1:]]), tmp_path).code == "archive.not-regular"


@pytest.mark.parametrize("name", FILES)
def test_folder(tmp_path: Path, name: str) -> None:
    path = lay_out(tmp_path) / name
    path.unlink()
    path.mkdir()
    assert refused_path(tmp_path).code == "archive.not-regular"


def test_folder_named_like_an_archive(tmp_path: Path) -> None:
    (tmp_path / "agent.zip").mkdir()
    assert refused_path(tmp_path / "agent.zip").code == "archive.no-grader-data"
