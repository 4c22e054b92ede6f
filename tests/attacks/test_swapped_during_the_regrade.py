"""Everything on disk is exchanged between a check and its use; what was verified is what runs (DG-06)."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.refusals import UNCONFINED
from tests.support.world import EVALUATOR_PATH, World

MOMENTS = ("verifying it against the checkout", "running the evaluator")


def tampered(world: World) -> World:
    other = world.sharing(world.root / "other")
    other.root.mkdir()
    other.record(world.evaluator.replace(b"length / 3", b"length / 1"))
    return other


def exchange_archive(world: World) -> None:
    shutil.copyfile(tampered(world).artifact(), world.root / "agent.zip")


def remove_archive(world: World) -> None:
    (world.root / "agent.zip").unlink()


def change_working_tree(world: World) -> None:
    world.repository.write({EVALUATOR_PATH: world.evaluator.replace(b"length / 3", b"length / 1")})


def move_the_branch(world: World) -> None:
    world.repository.commit({EVALUATOR_PATH: b"#!/bin/bash\nexit 1\n"})
    world.repository.publish()


def remove_the_checkout(world: World) -> None:
    shutil.rmtree(world.repository.path)


SWAPS = [
    (MOMENTS[0], exchange_archive),
    (MOMENTS[0], remove_archive),
    (MOMENTS[0], change_working_tree),
    (MOMENTS[0], move_the_branch),
    (MOMENTS[1], exchange_archive),
    (MOMENTS[1], change_working_tree),
    (MOMENTS[1], move_the_branch),
    (MOMENTS[1], remove_the_checkout),
]


@pytest.mark.parametrize(("moment", "swap"), SWAPS)
def test_what_was_verified_is_what_runs(tmp_path: Path, moment: str, swap: Callable[[World], None]) -> None:
    expected = World(tmp_path / "calm").regrade(runner=UNCONFINED)
    world = World(tmp_path / "stirred")
    swapped: list[str] = []

    def stir(text: str) -> None:
        if text == moment:
            swap(world)
            swapped.append(text)

    regraded = world.regrade(runner=UNCONFINED, tell=stir)
    assert swapped == [moment]
    assert regraded.observation == expected.observation
    assert regraded.verified.consistent.evaluator_digest.hex == world.grader["digest"]


def test_an_evaluator_that_rewrites_itself_is_refused(tmp_path: Path) -> None:
    world = World(tmp_path)
    rewrite = b'chmod u+w "$0"; echo \'# more\' >>"$0"; grade_run'
    world.adopt(world.evaluator.replace(b"--grade-run) grade_run ;;", b"--grade-run) " + rewrite + b" ;;"))
    with pytest.raises(Exception, match="was changed after it was laid out"):
        world.regrade(runner=UNCONFINED)
