"""``./x.sh`` lies beside the workflow file: it is regraded from there, and from nowhere else."""

from pathlib import Path

import pytest

from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.world import EVALUATOR_PATH, WORKFLOW_PATH, World

BESIDE = ".github/workflows/x.sh"


def world_with(tmp_path: Path, files: dict[str, bytes | str]) -> World:
    world = World(tmp_path)
    declared = world.workflow.replace(EVALUATOR_PATH.encode(), b"./x.sh")
    world.recommit({WORKFLOW_PATH: declared, **files})
    world.grader["run"] = "./x.sh"
    return world


def test_it_works(tmp_path: Path) -> None:
    world = world_with(tmp_path, {})
    world.recommit({BESIDE: world.evaluator})
    assert world.regrade(runner=UNCONFINED).observation.value == 2 / 3


@pytest.mark.parametrize("elsewhere", ["x.sh", ".github/x.sh", ".github/graders/x.sh"])
def test_another_folder_is_not_looked_at(tmp_path: Path, elsewhere: str) -> None:
    world = world_with(tmp_path, {})
    world.recommit({elsewhere: world.evaluator})
    assert refused_before_running(world).code == "checkout.path-absent"


@pytest.mark.parametrize("climbing", ["./../../../x.sh", "./../../../../etc/x.sh"])
def test_it_cannot_climb_out(tmp_path: Path, climbing: str) -> None:
    world = world_with(tmp_path, {})
    world.grader["run"] = climbing
    assert refused_before_running(world).code == "identity.unsafe-path"


def test_the_archive_cannot_move_the_path(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.recommit({BESIDE: world.evaluator})
    world.grader["run"] = "./x.sh"
    assert refused_before_running(world).code == "trust.workflow-not-found"
