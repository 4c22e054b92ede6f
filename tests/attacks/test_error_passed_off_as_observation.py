"""The original run failed; its result is dressed up with an observation, so that a regrade would invent its case."""

from pathlib import Path

from tests.support.refusals import refused_before_running
from tests.support.world import World


def test_an_error_with_an_observation_stays_an_error(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.result.update(status="error", value=None, error="evaluator exited 1")
    error = refused_before_running(world)
    assert (error.code, error.found) == ("archive.original-run-failed", "evaluator exited 1")


def test_an_error_without_one_is_said_plainly(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.result.update(status="error", value=None, observation=None)
    error = refused_before_running(world)
    assert (error.code, error.kind.exit_status) == ("archive.original-run-failed", 3)
