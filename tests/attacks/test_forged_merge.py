"""A merge commit with the right parents [base, head], made up locally, that carries something else than they do."""

from pathlib import Path

import pytest

from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.world import EVALUATOR_PATH, WORKFLOW_PATH, World

RUNTIME = ".github/graders/runtime.sh"
SOURCING = b'\nsource "${BASH_SOURCE[0]%/*}/runtime.sh"\ncase "${1:-}" in\n'


def merged(world: World, files: dict[str, bytes]) -> None:
    """Record a merge of main and a commit on no branch; its tree is main's with ``files``."""
    base = world.commit
    tree = world.repository("write-tree")
    head = world.repository("commit-tree", tree, "-p", base, "-m", "head")
    world.repository.write(files)
    world.repository("add", "-A")
    tree = world.repository("write-tree")
    world.commit = world.repository("commit-tree", tree, "-p", base, "-p", head, "-m", "Merge")
    world.subject.update(sha=world.commit, ref="refs/pull/7/merge", eventName="pull_request")


def wrapper(tmp_path: Path) -> World:
    world = World(tmp_path, more={RUNTIME: b"true\n"})
    world.adopt(world.evaluator.replace(b'\ncase "${1:-}" in\n', SOURCING))
    return world


def test_an_honest_merge_is_regraded_through_its_parent(tmp_path: Path) -> None:
    world = World(tmp_path)
    merged(world, {"README.md": b"x"})
    regraded = world.regrade(runner=UNCONFINED)
    details = {check.name: check.detail for check in regraded.checks}
    assert "is a pull-request merge whose parent" in details["commit.anchored"]
    assert details["commit.merge-evaluator"] == "the merge and its anchored parent hold one evaluator"
    assert regraded.observation.value == 2 / 3


def test_another_evaluator(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.record(world.evaluator.replace(b"length / 3", b"length / 1"))
    merged(world, {EVALUATOR_PATH: world.evaluator})
    assert refused_before_running(world).code == "trust.merge-evaluator-differs"


def test_another_sourced_file(tmp_path: Path) -> None:
    world = wrapper(tmp_path)
    assert world.regrade(runner=UNCONFINED).observation.value == 2 / 3
    world.notes.unlink()
    merged(world, {RUNTIME: b"metric() { echo 1; }\n"})
    error = refused_before_running(world)
    assert error.code == "trust.merge-evaluator-differs"
    assert RUNTIME in error.message


def test_another_workflow_configuration(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.grader["config"]["events"] = world.grader["config"]["events"][:1]
    declared = world.workflow.partition(b"        - { kind: assigned")[0] + b"---\n"
    merged(world, {WORKFLOW_PATH: declared})
    error = refused_before_running(world)
    assert (error.code, "config" in error.message) == ("trust.binding-differs", True)


@pytest.mark.parametrize("ref", ["refs/heads/main", "refs/tags/v1", "refs/pull/7/head"])
def test_a_merge_of_no_pull_request(tmp_path: Path, ref: str) -> None:
    world = World(tmp_path)
    merged(world, {"README.md": b"x"})
    world.subject["ref"] = ref
    assert refused_before_running(world).code == "trust.commit-not-anchored"


def test_one_parent_is_no_merge(tmp_path: Path) -> None:
    world = World(tmp_path)
    tree = world.repository("write-tree")
    world.commit = world.repository("commit-tree", tree, "-p", world.commit, "-m", "Not a merge")
    world.subject.update(sha=world.commit, ref="refs/pull/7/merge")
    assert refused_before_running(world).code == "trust.commit-not-anchored"


def test_an_absent_merge_is_explained(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.subject.update(sha="0" * 39 + "1", ref="refs/pull/7/merge")
    error = refused_before_running(world)
    assert error.code == "checkout.commit-absent"
    assert "throw-away merge commit of pull request 7" in error.hint
