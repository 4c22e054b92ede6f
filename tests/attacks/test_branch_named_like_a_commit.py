"""A branch or tag named like the recorded id: git would resolve the name; here only an object's own id counts."""

from pathlib import Path

import pytest

from tests.support.refusals import refused_before_running
from tests.support.world import EVALUATOR_PATH, World


@pytest.mark.parametrize("kind", ["refs/heads", "refs/tags", "refs/remotes/origin"])
@pytest.mark.parametrize("name", ["f" * 40, "f" * 64])
def test_full_length(tmp_path: Path, kind: str, name: str) -> None:
    world = World(tmp_path)
    world.repository("update-ref", f"{kind}/{name}", world.commit)
    world.subject["sha"] = name
    code = "checkout.commit-absent" if len(name) == 40 else "checkout.wrong-object-format"
    assert refused_before_running(world).code == code


@pytest.mark.parametrize("name", ["deadbeef", "experiments/issue-triage", "evals/main", "main"])
def test_shorter(tmp_path: Path, name: str) -> None:
    world = World(tmp_path)
    world.repository("update-ref", f"refs/heads/{name}", world.commit)
    world.subject["sha"] = name
    assert refused_before_running(world).code == "trust.commit-unsafe"


@pytest.mark.parametrize("length", [7, 12, 39])
def test_abbreviated(tmp_path: Path, length: int) -> None:
    world = World(tmp_path)
    world.subject["sha"] = world.commit[:length]
    assert refused_before_running(world).code == "trust.commit-unsafe"


def test_the_working_tree_and_head_stand_in_for_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    old = world.commit
    world.repository.commit({EVALUATOR_PATH: world.evaluator.replace(b"length / 3", b"length / 1")})
    world.repository.publish()
    world.record(world.evaluator.replace(b"length / 3", b"length / 1"))
    assert world.subject["sha"] == old
    assert refused_before_running(world).code == "trust.evaluator-differs"
