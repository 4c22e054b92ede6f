"""The archive names a commit that is in the store, with a generous evaluator, and that the remote never had."""

from pathlib import Path

import pytest

from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.repository import GitRepository
from tests.support.world import EVALUATOR_PATH, WORKFLOW_PATH, World

GENEROUS = (b"length / 3", b"length / 2")


def impostor(world: World) -> str:
    """Record a commit on no branch whose evaluator, workflow and digests all agree with the archive."""
    world.record(world.evaluator.replace(*GENEROUS))
    commit = world.recommit({EVALUATOR_PATH: world.evaluator}, publish=False)
    world.repository("reset", "-q", "--hard", "refs/remotes/origin/main")
    return commit


def test_reachable_from_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    impostor(world)
    assert refused_before_running(world).code == "trust.commit-not-anchored"


@pytest.mark.parametrize("ref", ["refs/heads/main", "refs/heads/local", "refs/stash", "refs/remotes/fork/main"])
def test_on_a_ref_that_is_not_the_remotes(tmp_path: Path, ref: str) -> None:
    world = World(tmp_path)
    world.repository("update-ref", ref, impostor(world))
    assert refused_before_running(world).code == "trust.commit-not-anchored"


def test_present_through_alternates(tmp_path: Path) -> None:
    world = World(tmp_path / "honest")
    foreign = GitRepository(tmp_path / "foreign")
    world.record(world.evaluator.replace(*GENEROUS))
    world.commit = world.subject["sha"] = foreign.commit(
        {EVALUATOR_PATH: world.evaluator, WORKFLOW_PATH: world.workflow}
    )
    alternates = world.repository.path / ".git/objects/info/alternates"
    alternates.write_text(f"{foreign.path}/.git/objects\n")
    assert world.repository("cat-file", "-t", world.commit) == "commit"
    assert refused_before_running(world).code == "trust.commit-not-anchored"


def test_after_a_forced_push(tmp_path: Path) -> None:
    world = World(tmp_path)
    honest = world.commit
    world.recommit({"README.md": b"x"})
    world.repository("update-ref", "refs/remotes/origin/main", honest)
    assert refused_before_running(world).code == "trust.commit-not-anchored"


def test_whoever_names_it_vouches_for_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    impostor(world)
    regraded = world.regrade(runner=UNCONFINED, commit=world.anchored())
    assert regraded.observation.value == 1
    assert "is named with --commit" in {check.name: check.detail for check in regraded.checks}["commit.anchored"]
