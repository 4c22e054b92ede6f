"""Reference 2.2, steps 1, 9 and 10, and what binds the run: each refusal by its code, and no evaluator started."""

from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.identity import Repository
from opvalue.identity.instant import InstantRefused
from opvalue.limits import KIB
from tests.regrade.changes import SHEBANG, Change, Row, grader, ids, without
from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.repository import GitRepository
from tests.support.world import EVALUATOR_PATH, WORKFLOW_PATH, World


def test_step_9_no_trusted_checkout(world: World, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert refused_before_running(world, checkout=empty).code == "checkout.not-a-repository"
    assert refused_before_running(world, checkout=tmp_path / "absent").code == "checkout.not-a-repository"
    assert refused_before_running(world, checkout=world.artifact()).code == "checkout.not-a-repository"


def test_step_9_remotes_that_are_not_the_repository(world: World, tmp_path: Path) -> None:
    bare = GitRepository(tmp_path / "other")
    bare("remote", "set-url", "origin", "https://github.com/evil/widgets")
    assert refused_before_running(world, checkout=bare.path).code == "checkout.no-trusted-remote"
    bare("remote", "add", "acme", "https://github.com/acme/widgets")
    assert refused_before_running(world, checkout=bare.path, repository=None).code == "checkout.ambiguous-repository"
    bare("remote", "remove", "acme")
    bare("remote", "remove", "origin")
    assert refused_before_running(world, checkout=bare.path, repository=None).code == "checkout.no-trusted-remote"


def test_step_9_no_git(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused_before_running(world).code == "checkout.git-missing"


@pytest.mark.parametrize("other", ["acme/gadgets", "ghe.example.com/acme/widgets", "evil/widgets"])
def test_step_10_another_repository_was_asked_for(world: World, other: str) -> None:
    world.subject["repository"] = Repository.parse(other).slug
    assert refused_before_running(world, repository=Repository.parse(other)).code == "checkout.no-trusted-remote"


UNSAFE_COMMITS = {
    "abbreviated": lambda sha: sha[:12],
    "seven characters": lambda sha: sha[:7],
    "capitals": str.upper,
    "one too many": lambda sha: sha + "0",
    "one too few": lambda sha: sha[:-1],
    "branch": lambda _: "main",
    "remote branch": lambda _: "origin/main",
    "head": lambda _: "HEAD",
    "with a path": lambda sha: f"{sha}:{EVALUATOR_PATH}",
    "parent": lambda sha: f"{sha}~0",
    "peeled": lambda sha: f"{sha}^{{commit}}",
    "option": lambda _: "--output=/tmp/x",
    "empty": lambda _: "",
    "line feed": lambda sha: sha + "\n",
    "experiment branch": lambda _: "experiments/issue-triage",
}


@pytest.mark.parametrize("spell", UNSAFE_COMMITS.values(), ids=UNSAFE_COMMITS)
def test_step_10_unsafe_commit(world: World, spell: Callable[[str], str]) -> None:
    world.subject["sha"] = spell(world.commit)
    assert refused_before_running(world).code == "trust.commit-unsafe"


@pytest.mark.parametrize(
    "path",
    [
        "-x.sh",
        "--output=x.sh",
        "/etc/passwd",
        ".github\\graders\\x.sh",
        "HEAD:x.sh",
        "a\nb.sh",
        "a\x00b.sh",
        "a//b.sh",
        "a/./b.sh",
        "a/b.sh/",
        "a/../b.sh",
        "../x.sh",
        "..",
        ".",
        "./../../../x.sh",
        "a" * 1025,
        "\ud800.sh",
    ],
)
def test_step_10_unsafe_path(world: World, path: str) -> None:
    world.grader["run"] = path
    assert refused_before_running(world).code == "identity.unsafe-path"


@pytest.mark.parametrize("path", [None, ""])
def test_step_10_no_path(world: World, path: str | None) -> None:
    world.grader["run"] = path
    assert refused_before_running(world).code == "trust.evaluator-undeclared"


def test_step_10_commit_absent(world: World) -> None:
    world.subject["sha"] = "0" * 39 + "1"
    assert refused_before_running(world).code == "checkout.commit-absent"


@pytest.mark.parametrize("what", ["HEAD^{tree}", f"HEAD:{EVALUATOR_PATH}"])
def test_step_10_not_a_commit(world: World, what: str) -> None:
    world.subject["sha"] = world.repository("rev-parse", what)
    assert refused_before_running(world).code == "checkout.not-a-commit"


def test_step_10_annotated_tag(own: World) -> None:
    own.repository("tag", "-a", "v1", "-m", "v1")
    own.subject["sha"] = own.repository("rev-parse", "refs/tags/v1")
    assert refused_before_running(own).code == "checkout.not-a-commit"


def test_step_10_sha256_id_in_a_sha1_repository(world: World) -> None:
    world.subject["sha"] = "0" * 64
    assert refused_before_running(world).code == "checkout.wrong-object-format"


def test_step_10_path_absent_at_the_commit(world: World) -> None:
    world.grader["run"] = ".github/graders/other.sh"
    assert refused_before_running(world).code == "checkout.path-absent"


def test_step_10_path_is_a_folder(world: World) -> None:
    world.grader["run"] = ".github/graders"
    assert refused_before_running(world).code == "checkout.folder"


def test_step_10_path_is_a_link(own: World) -> None:
    (own.repository.path / EVALUATOR_PATH).rename(own.repository.path / "real.sh")
    (own.repository.path / EVALUATOR_PATH).symlink_to("../../real.sh")
    own.recommit({})
    assert refused_before_running(own).code == "checkout.symlink"


def test_step_10_path_is_a_pointer(own: World) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    own.recommit({EVALUATOR_PATH: pointer})
    assert refused_before_running(own).code == "checkout.lfs-pointer"


def test_step_10_blob_too_large(own: World) -> None:
    own.recommit({EVALUATOR_PATH: SHEBANG.ljust(64 * KIB + 1, b"#")})
    assert refused_before_running(own).code == "checkout.object-too-large"


def test_step_10_evaluator_differs(own: World) -> None:
    own.recommit({EVALUATOR_PATH: own.evaluator.replace(b"length / 3", b"length / 4")})
    error = refused_before_running(own)
    assert error.code == "trust.evaluator-differs"
    assert error.expected == f"sha256:{own.grader['digest']} (archived)"


def test_step_10_evaluator_differs_though_the_digest_string_is_unchanged(own: World) -> None:
    committed = own.evaluator
    own.record(own.evaluator.replace(b"length / 3", b"length / 1"))
    assert own.evaluator != committed
    assert refused_before_running(own).code == "trust.evaluator-differs"


def test_step_10_evaluator_differs_only_by_carriage_returns(own: World) -> None:
    own.recommit({EVALUATOR_PATH: own.evaluator.replace(b"\n", b"\r\n")})
    error = refused_before_running(own)
    assert error.code == "trust.evaluator-differs"
    assert "only by carriage returns" in error.message


def test_not_anchored(own: World) -> None:
    own.recommit({"README.md": "x"}, publish=False)
    assert refused_before_running(own).code == "trust.commit-not-anchored"


SESSION = b'#!/usr/bin/env bash\nset -euo pipefail\njq -n \'[{"id": "a", "value": 1}]\' <"$1"\n'
BOUND: list[Row] = [
    ("config", lambda world: world.grader["config"].update(issue=43), "trust.binding-differs"),
    ("config added", lambda world: world.grader["config"].update(verification=True), "trust.binding-differs"),
    ("config without", without(lambda world: world.grader, "config"), "trust.binding-differs"),
    ("threshold", grader(threshold=0.5), "trust.binding-differs"),
    ("threshold 0", grader(threshold=0), "trust.binding-differs"),
    ("no threshold", grader(threshold=None), "trust.binding-differs"),
    ("direction", grader(direction="lower_is_better"), "trust.binding-differs"),
]


@pytest.mark.parametrize(("change", "code"), ids(BOUND))
def test_bound_settings(world: World, change: Change, code: str) -> None:
    change(world)
    assert refused_before_running(world).code == code


def test_bound_to_no_workflow(own: World) -> None:
    own.recommit({WORKFLOW_PATH: "---\nname: Issue Triage\n---\n"})
    assert refused_before_running(own).code == "trust.workflow-not-found"


def test_bound_to_a_broken_workflow(own: World) -> None:
    own.recommit({WORKFLOW_PATH: own.workflow.replace(b"threshold: 0.6", b"threshold: [")})
    assert refused_before_running(own).code == "trust.workflow-malformed"


SOURCING: list[tuple[str, bytes, str]] = [
    ("absent", b'source "${BASH_SOURCE[0]%/*}/absent.sh"\n', "bash.source-absent"),
    ("unresolvable", b'source "$(cat list)"\n', "bash.source-unresolvable"),
    ("outside", b"source /etc/profile\n", "bash.source-outside"),
    ("not analysable", b"if then fi ((\n", "bash.not-analysable"),
]


@pytest.mark.parametrize(("line", "code"), [row[1:] for row in SOURCING], ids=[row[0] for row in SOURCING])
def test_closure(own: World, line: bytes, code: str) -> None:
    own.adopt(own.evaluator + line)
    assert refused_before_running(own).code == code


def test_another_contract(own: World) -> None:
    own.adopt(SESSION)
    assert refused_before_running(own).code == "regrade.wrong-contract"


@pytest.mark.parametrize(
    ("time", "code"),
    [
        ("2026-08-30T12:00:00", "instant.refused"),
        ("2026-08-30", "instant.refused"),
        ("", "instant.refused"),
        ("yesterday", "instant.refused"),
        ("NOW", "instant.refused"),
        ("2026-08-20T09:59:59.999Z", "regrade.evidence-before-run"),
        ("2026-10-01T00:00:00.001Z", "regrade.evidence-in-future"),
        ("9999-12-31T23:59:59Z", "regrade.evidence-in-future"),
    ],
)
def test_step_1_evidence_time(world: World, time: str, code: str) -> None:
    assert refused_before_running(world, time).code == code


def test_step_1_comes_before_anything_is_read(world: World, tmp_path: Path) -> None:
    with pytest.raises(InstantRefused):
        world.regrade("nonsense", artifact=tmp_path / "absent.zip", checkout=tmp_path / "absent")


def test_the_untouched_run_is_regraded(world: World) -> None:
    """What keeps the tables above honest."""
    assert world.regrade(runner=UNCONFINED).observation.value == 2 / 3
    assert world.modes == ["--definition", "--grade-run"]
