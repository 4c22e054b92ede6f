"""Evaluators that source a shared runtime: the whole chain, with real git and real Bash."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from opvalue.process import detect
from opvalue.regrade import Regraded
from tests.support.refusals import UNCONFINED, refused, refused_before_running
from tests.support.world import EVALUATOR_PATH, World, material

_HEAD: Final = b"#!/usr/bin/env bash\nset -euo pipefail\n"
_RUNTIME: Final = material("issue-triage-operational-value.sh").partition(b"set -euo pipefail\n")[2]
_GENEROUS: Final = _RUNTIME.replace(b"length / 3", b"length / 2")


class Way(NamedTuple):
    """How the evaluator finds its runtime: the command, and where the runtime lies."""

    command: bytes
    path: str


WAYS: Final = {
    "beside": Way(b'source "$(dirname "${BASH_SOURCE[0]}")/runtime.sh"\n', ".github/graders/runtime.sh"),
    "above": Way(b'. "${BASH_SOURCE[0]%/*}/../shared/runtime.bash"\n', ".github/shared/runtime.bash"),
    "workspace": Way(b'source "$GITHUB_WORKSPACE/tools/graders/runtime.sh"\n', "tools/graders/runtime.sh"),
}
every_way = pytest.mark.parametrize("way", [pytest.param(way, id=name) for name, way in WAYS.items()])


@pytest.fixture
def wrapped(tmp_path: Path) -> Callable[..., World]:
    """Make runs whose evaluator is a few lines that source ``runtime``; ``None`` leaves it out of the commit."""

    def make(way: Way, runtime: bytes | None = _RUNTIME, **more: bytes) -> World:
        files = {**({} if runtime is None else {way.path: runtime}), **more}
        return World(tmp_path / "world", evaluator=_HEAD + way.command, more=files)

    return make


def regrade(world: World) -> Regraded:
    return world.regrade(runner=UNCONFINED)


@every_way
def test_the_commits_own_runtime_grades(wrapped: Callable[..., World], way: Way) -> None:
    world = wrapped(way)
    regraded = regrade(world)
    assert (regraded.observation.value, regraded.drift) == (2 / 3, ())
    assert [str(path) for path, _ in regraded.verified.evaluator.closure.files] == [EVALUATOR_PATH, way.path]
    details = {check.name: check.detail for check in regraded.checks}
    assert details["evaluator.closure"] == f"sources {way.path}, from the same commit"
    assert world.modes == ["--definition", "--grade-run"]


@every_way
def test_inside_the_sandbox_as_well(wrapped: Callable[..., World], way: Way) -> None:
    if detect().sandbox is None:
        pytest.skip("no sandbox works here")
    world = wrapped(way)
    assert world.regrade().statement == regrade(world).statement


@every_way
def test_a_sibling_changed_in_the_working_tree_changes_nothing(wrapped: Callable[..., World], way: Way) -> None:
    world = wrapped(way)
    before = regrade(world).statement
    world.repository.write({way.path: _GENEROUS})
    assert regrade(world).statement == before
    world.repository("add", "-A")
    assert regrade(world).statement == before, "staged, not committed"
    (world.repository.path / way.path).unlink()
    assert regrade(world).statement == before, "gone from the working tree"
    world.repository.commit({way.path: _GENEROUS})
    world.repository.publish()
    assert regrade(world).statement == before, "changed by a later commit"


@every_way
def test_a_sibling_absent_at_the_commit_is_refused_by_name(wrapped: Callable[..., World], way: Way) -> None:
    world = wrapped(way, None)
    world.repository.write({way.path: _RUNTIME})
    error = refused_before_running(world)
    assert error.code == "bash.source-absent"
    assert error.message == f"{EVALUATOR_PATH}, line 4: {way.path} is not at the recorded commit"
    world.repository.commit({way.path: _RUNTIME})
    world.repository.publish()
    assert refused_before_running(world).code == "bash.source-absent", "a later commit does not stand in"


@every_way
def test_the_closure_digest_tells_two_runtimes_apart(wrapped: Callable[..., World], way: Way, tmp_path: Path) -> None:
    world = wrapped(way)
    one = regrade(world)
    other = World(tmp_path / "other", evaluator=_HEAD + way.command, more={way.path: _GENEROUS})
    other.record(world.evaluator)
    other.recommit({EVALUATOR_PATH: world.evaluator})
    two = regrade(other)
    assert one.verified.consistent.evaluator_digest == two.verified.consistent.evaluator_digest
    assert one.verified.evaluator.closure_digest != two.verified.evaluator.closure_digest
    assert (one.observation.value, two.observation.value) == (2 / 3, 1), "and they do grade differently"


def test_a_runtime_may_source_another(wrapped: Callable[..., World]) -> None:
    more = {".github/shared/lib/runtime.sh": _RUNTIME}
    outer = b'. "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib/runtime.sh"\n'
    regraded = regrade(wrapped(WAYS["above"], outer, **more))
    assert regraded.observation.value == 2 / 3
    files = [str(path) for path, _ in regraded.verified.evaluator.closure.files]
    assert files == [EVALUATOR_PATH, ".github/shared/runtime.bash", ".github/shared/lib/runtime.sh"]


def test_a_runtimes_absent_sibling_is_refused_by_the_runtimes_line(wrapped: Callable[..., World]) -> None:
    world = wrapped(WAYS["beside"], b'# lib\n. "${BASH_SOURCE[0]%/*}/lib.sh"\n')
    error = refused_before_running(world)
    assert error.code == "bash.source-absent"
    assert error.message.startswith(".github/graders/runtime.sh, line 2: .github/graders/lib.sh")


def test_a_sibling_that_is_a_link_is_refused(wrapped: Callable[..., World]) -> None:
    world = wrapped(WAYS["beside"], None, **{".github/real.sh": _RUNTIME})
    (world.repository.path / WAYS["beside"].path).symlink_to("../real.sh")
    world.recommit({})
    assert refused_before_running(world).code == "checkout.symlink"


def test_a_sibling_stored_in_lfs_is_refused(wrapped: Callable[..., World]) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 1200\n" % (b"0" * 64)
    assert refused_before_running(wrapped(WAYS["beside"], pointer)).code == "checkout.lfs-pointer"


def test_a_sibling_overwritten_in_the_object_store_is_refused(wrapped: Callable[..., World]) -> None:
    world = wrapped(WAYS["beside"])
    repository = world.repository
    blob = repository("rev-parse", f"HEAD:{WAYS['beside'].path}")
    forged = repository("hash-object", "-w", "--stdin", stdin=_GENEROUS)
    objects = repository.path / ".git" / "objects"
    target, source = (objects / name[:2] / name[2:] for name in (blob, forged))
    target.unlink()
    target.write_bytes(source.read_bytes())
    assert refused_before_running(world).code == "checkout.object-altered"


def test_a_pull_requests_own_runtime_is_refused(wrapped: Callable[..., World]) -> None:
    world = wrapped(WAYS["beside"])
    base, repository = world.commit, world.repository
    head = repository.commit({WAYS["beside"].path: _GENEROUS})
    tree = repository("rev-parse", f"{head}^{{tree}}")
    world.subject["sha"] = repository("commit-tree", "-p", base, "-p", head, "-m", "Merge", tree)
    world.subject["ref"] = "refs/pull/7/merge"
    error = refused_before_running(world)
    assert error.code == "trust.merge-evaluator-differs"
    assert WAYS["beside"].path in error.message


def test_a_runtime_that_is_rewritten_while_it_runs_is_refused(wrapped: Callable[..., World]) -> None:
    rewriting = b'chmod +w "${BASH_SOURCE[0]}" && echo : >>"${BASH_SOURCE[0]}"\n' + _RUNTIME
    assert refused(wrapped(WAYS["beside"], rewriting)).code == "evaluator.changed"
