"""Two artifacts thrown into one folder or zip, as a run of a workflow called twice leaves them: no file wins."""

import zipfile
from itertools import combinations
from pathlib import Path

import pytest

from opvalue.archive.layout import FOLDERS
from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.world import RESULTS, World


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_layout_alone_is_read(tmp_path: Path, folder: str) -> None:
    world = World(tmp_path)
    assert world.regrade(runner=UNCONFINED, artifact=world.artifact(f"{folder}/")).observation.value == 2 / 3


@pytest.mark.parametrize(("first", "second"), [*combinations(FOLDERS, 2)])
def test_two_layouts_in_one_zip(tmp_path: Path, first: str, second: str) -> None:
    world = World(tmp_path)
    artifact = world.artifact(f"{first}/")
    with zipfile.ZipFile(artifact, "a") as archive:
        archive.writestr(f"{second}/{RESULTS}", world.contents()[RESULTS])
    assert refused_before_running(world, artifact=artifact).code == "archive.two-layouts"


def test_two_layouts_in_one_folder(tmp_path: Path) -> None:
    world = World(tmp_path)
    artifact = world.unpacked()
    (artifact / "graders").mkdir()
    (artifact / "graders" / RESULTS).write_bytes(world.contents()[RESULTS])
    assert refused_before_running(world, artifact=artifact).code == "archive.two-layouts"


def test_two_artifacts_side_by_side_are_not_chosen_from(tmp_path: Path) -> None:
    world = World(tmp_path)
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    for name in ("1a2b-agent", "3c4d-agent"):
        world.unpacked().rename(downloads / name)
    assert refused_before_running(world, artifact=downloads).code == "archive.no-grader-data"
    assert world.regrade(runner=UNCONFINED, artifact=downloads / "1a2b-agent").observation.value == 2 / 3


def test_the_same_file_twice(tmp_path: Path) -> None:
    world = World(tmp_path)
    artifact = world.artifact()
    with zipfile.ZipFile(artifact, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(f"agent/graders/{RESULTS}", world.contents()[RESULTS])
    assert refused_before_running(world, artifact=artifact).code == "archive.duplicate-member"
