"""A commit that exists in the store and on no branch or tag of the remote: readable, and held by nothing."""

from pathlib import Path

from opvalue.identity import CommitId
from tests.checkout.repos import Repo, published

EVIL = b"#!/usr/bin/env bash\necho 9\n"


def test_loose_object_on_no_ref(tmp_path: Path) -> None:
    repo, tip = published(tmp_path / "r")
    impostor = repo.commit_tree(repo.tree_with("value.sh", EVIL), tip)
    with repo.open() as checkout:
        assert checkout.commit(impostor).parents == (tip,)
        assert checkout.holding_ref(impostor) is None


def test_forged_merge_of_base_and_head(tmp_path: Path) -> None:
    repo, base = published(tmp_path / "r")
    head = repo.commit({"x": b"x"})
    repo.publish("feature", head)
    merge = repo.commit_tree(repo.tree_with("value.sh", EVIL), base, head)
    with repo.open() as checkout:
        assert checkout.commit(merge).parents == (base, head)
        assert checkout.holding_ref(merge) is None
        assert checkout.holding_ref(head) == "refs/heads/feature"


def test_refs_that_are_not_the_remotes(tmp_path: Path) -> None:
    repo, tip = published(tmp_path / "r")
    impostor = repo.commit_tree(repo.tree_with("value.sh", EVIL), tip)
    for ref in (
        "refs/heads/local",
        "refs/stash",
        "refs/notes/commits",
        "refs/original/refs/heads/main",
        "refs/remotes/other/main",
        "refs/remotes/originals/main",
        "refs/remotes/main",
        "refs/bisect/bad",
        "refs/worktree/x",
        "refs/prefetch/remotes/origin/main",
    ):
        repo.git("update-ref", ref, impostor.hex)
    (repo.path / ".git/FETCH_HEAD").write_text(f"{impostor}\t\tbranch 'main' of https://github.com/acme/widgets\n")
    repo.git("checkout", "-q", "--detach", impostor.hex)
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None


def test_symbolic_ref_under_the_remote(tmp_path: Path) -> None:
    repo, tip = published(tmp_path / "r")
    impostor = repo.commit_tree(repo.tree_with("value.sh", EVIL), tip)
    repo.git("update-ref", "refs/heads/local", impostor.hex)
    repo.git("symbolic-ref", "refs/remotes/origin/alias", "refs/heads/local")
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None


def test_pushed_away_commit_is_held_by_no_branch(tmp_path: Path) -> None:
    source, _ = published(tmp_path / "source")
    old = source.commit({"x": b"1"})
    repo = Repo.clone(source, tmp_path / "clone")
    source.git("reset", "-q", "--hard", "HEAD^")
    new = source.commit({"x": b"2"})
    repo.git("fetch", "-q", f"file://{source.path}", "+refs/heads/*:refs/remotes/origin/*")
    with repo.open() as checkout:
        assert checkout.commit(old).id == old
        assert checkout.holding_ref(old) is None
        assert checkout.holding_ref(new) == "refs/heads/main"


def test_commit_that_is_not_there(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    with repo.open() as checkout:
        assert checkout.holding_ref(CommitId("1" * 40)) is None


def test_tree_in_place_of_a_commit(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    tree = CommitId(repo.git("rev-parse", "HEAD^{tree}"))
    repo.git("update-ref", "refs/tags/tree", tree.hex)
    with repo.open() as checkout:
        assert checkout.holding_ref(tree) is None
