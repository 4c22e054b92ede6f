"""Short evaluators that source a shared runtime: the runtime is the commit's own, wherever it lies (RG-04)."""

from pathlib import Path

import pytest

from opvalue.process import detect
from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.world import EVALUATOR_PATH, World, demo_file

WAYS = {
    "beside": (".github/graders/runtime.sh", b'source "$(dirname "${BASH_SOURCE[0]}")/runtime.sh"\n'),
    "beside by cd": (
        ".github/graders/runtime.sh",
        b'here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\n. "$here/runtime.sh"\n',
    ),
    "above": (".github/lib/runtime.bash", b'source "${BASH_SOURCE[0]%/*}/../lib/runtime.bash"\n'),
    "by the workspace": ("scripts/runtime.sh", b'source "$GITHUB_WORKSPACE/scripts/runtime.sh"\n'),
    "by the workspace or not": (
        ".github/graders/runtime.sh",
        b'source "${GITHUB_WORKSPACE:-.}/.github/graders/runtime.sh"\n',
    ),
}


class Wrapper(World):
    """A run whose evaluator is a wrapper; the demo's own evaluator is the runtime."""

    def __init__(self, root: Path, way: str) -> None:
        self.runtime_path, line = WAYS[way]
        self.runtime = demo_file("issue-triage-operational-value.sh")
        wrapper = b"#!/usr/bin/env bash\nset -euo pipefail\nexport LANGUAGE=en\n" + line
        super().__init__(root, evaluator=wrapper, more={self.runtime_path: self.runtime})


@pytest.mark.parametrize("way", WAYS)
def test_it_is_regraded_from_the_commits_own_files(tmp_path: Path, way: str) -> None:
    world = Wrapper(tmp_path, way)
    regraded = world.regrade(runner=UNCONFINED)
    assert regraded.observation.value == 2 / 3
    assert [str(path) for path, _ in regraded.verified.evaluator.closure.files] == [EVALUATOR_PATH, world.runtime_path]
    assert regraded.statement["regrade"]["closureDigest"] != world.grader["digest"]  # type: ignore[index]
    if detect().sandbox is not None:
        assert world.regrade().statement == regraded.statement


@pytest.mark.parametrize("way", WAYS)
def test_the_working_tree_changes_nothing(tmp_path: Path, way: str) -> None:
    world = Wrapper(tmp_path, way)
    calm = world.regrade(runner=UNCONFINED).statement
    world.repository.write({world.runtime_path: world.runtime.replace(b"length / 3", b"length / 2")})
    assert world.regrade(runner=UNCONFINED).statement == calm
    (world.repository.path / world.runtime_path).unlink()
    assert world.regrade(runner=UNCONFINED).statement == calm


@pytest.mark.parametrize("way", WAYS)
def test_one_absent_at_the_commit_is_refused_by_name(tmp_path: Path, way: str) -> None:
    world = Wrapper(tmp_path, way)
    world.repository("rm", "-q", world.runtime_path)
    world.recommit({})
    world.repository.write({world.runtime_path: world.runtime})
    error = refused_before_running(world)
    assert error.code == "bash.source-absent"
    assert world.runtime_path in error.diagnostics()


def test_the_closure_digest_tells_two_runtimes_apart(tmp_path: Path) -> None:
    world = Wrapper(tmp_path, "beside")
    first = world.regrade(runner=UNCONFINED)
    world.recommit({world.runtime_path: world.runtime.replace(b"length / 3", b"length / 4")})
    second = world.regrade(runner=UNCONFINED)
    assert first.verified.consistent.evaluator_digest == second.verified.consistent.evaluator_digest
    assert first.verified.evaluator.closure_digest != second.verified.evaluator.closure_digest
    assert (first.observation.value, second.observation.value) == (2 / 3, 0.5)


@pytest.mark.parametrize("kind", ["link", "submodule"])
def test_a_runtime_that_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    world = Wrapper(tmp_path, "beside")
    path = world.repository.path / world.runtime_path
    path.unlink()
    if kind == "link":
        path.symlink_to("../../elsewhere.sh")
        world.recommit({"elsewhere.sh": world.runtime})
    else:
        world.repository("rm", "-q", "--cached", world.runtime_path)
        world.repository("update-index", "--add", "--cacheinfo", f"160000,{world.commit},{world.runtime_path}")
        world.repository("commit", "-q", "-m", "Submodule")
        world.commit = world.subject["sha"] = world.repository("rev-parse", "HEAD")
        world.repository.publish()
    expected = "checkout.symlink" if kind == "link" else "checkout.submodule"
    assert refused_before_running(world).code == expected


def test_a_script_deleted_since_is_still_there_at_its_commit(tmp_path: Path) -> None:
    world = Wrapper(tmp_path, "beside")
    calm = world.regrade(runner=UNCONFINED).statement
    world.repository("rm", "-q", "-r", ".github")
    world.repository.commit({"README.md": "gone"})
    world.repository.publish()
    assert world.regrade(runner=UNCONFINED).statement == calm
