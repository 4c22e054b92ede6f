"""A fork's commit fetched by a pull-request refspec: it lies under the remote's name and is not the remote's branch."""

from pathlib import Path

import pytest

from opvalue.identity import CommitId
from tests.checkout.repos import Repo, published


def with_fork_head(path: Path) -> tuple[Repo, CommitId]:
    repo, tip = published(path)
    return repo, repo.commit_tree(repo.tree_with("value.sh", b"echo 9\n"), tip)


@pytest.mark.parametrize(
    ("refspec", "ref"),
    [
        ("+refs/pull/*/head:refs/remotes/origin/pr/*", "refs/remotes/origin/pr/7"),
        ("+refs/pull/*/merge:refs/remotes/origin/pr/*/merge", "refs/remotes/origin/pr/7/merge"),
        ("+refs/pull/*:refs/remotes/origin/pull/*", "refs/remotes/origin/pull/7/head"),
        ("+refs/pull/*:refs/pull/*", "refs/pull/7/head"),
        ("+refs/pull/7/head:refs/remotes/origin/main-too", "refs/remotes/origin/main-too"),
        ("+refs/pull/7/head:remotes/origin/short", "refs/remotes/origin/short"),
        ("+refs/pull/*/head:refs/tags/pr-*", "refs/tags/pr-7"),
        ("+refs/*:refs/remotes/origin/*", "refs/remotes/origin/pull/7/head"),
        ("pull/7/head:refs/remotes/origin/seven", "refs/remotes/origin/seven"),
    ],
)
def test_pull_refspec_of_the_repository(tmp_path: Path, refspec: str, ref: str) -> None:
    repo, fork_head = with_fork_head(tmp_path / "r")
    repo.git("config", "--add", "remote.origin.fetch", refspec)
    repo.git("update-ref", ref, fork_head.hex)
    with repo.open() as checkout:
        assert checkout.holding_ref(fork_head) is None


def test_pull_refspec_in_the_users_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, fork_head = with_fork_head(tmp_path / "r")
    repo.git("update-ref", "refs/remotes/origin/pr/7", fork_head.hex)
    settings = '[remote "origin"]\n\tfetch = +refs/pull/*/head:refs/remotes/origin/pr/*\n'
    (tmp_path / ".gitconfig").write_text(settings)
    monkeypatch.setenv("HOME", str(tmp_path))
    with repo.open() as checkout:
        assert checkout.holding_ref(fork_head) is None


def test_ref_outside_every_refspec(tmp_path: Path) -> None:
    repo, fork_head = with_fork_head(tmp_path / "r")
    repo.git("update-ref", "refs/pull/7/head", fork_head.hex)
    repo.git("update-ref", "refs/remotes/pull/7/merge", fork_head.hex)
    with repo.open() as checkout:
        assert checkout.holding_ref(fork_head) is None


@pytest.mark.parametrize("refspec", ["+refs/heads/*:refs/remotes/origin/*", "+refs/heads/*:refs/remotes/origin/evil/*"])
def test_another_repositorys_refspec_into_the_remotes_names(tmp_path: Path, refspec: str) -> None:
    repo, fork_head = with_fork_head(tmp_path / "r")
    repo.git("remote", "add", "fork", "https://github.com/mallory/widgets")
    repo.git("config", "remote.fork.fetch", refspec)
    repo.git("update-ref", "refs/remotes/origin/evil/main", fork_head.hex)
    with repo.open() as checkout:
        assert checkout.holding_ref(fork_head) is None


def test_tag_that_may_be_a_forks(tmp_path: Path) -> None:
    repo, fork_head = with_fork_head(tmp_path / "r")
    repo.git("tag", "v9", fork_head.hex)
    with repo.open() as checkout:
        assert checkout.holding_ref(fork_head) == "refs/tags/v9"
    repo.git("remote", "add", "fork", "https://github.com/mallory/widgets")
    with repo.open() as checkout:
        assert checkout.holding_ref(fork_head) is None, "fetching from the fork would have brought its tags"
    repo.git("config", "remote.fork.tagOpt", "--no-tags")
    with repo.open() as checkout:
        assert checkout.holding_ref(fork_head) == "refs/tags/v9"


def test_mirror_clone_with_pull_request_refs(tmp_path: Path) -> None:
    source, tip = published(tmp_path / "source")
    fork_head = source.commit_tree(source.tree_with("value.sh", b"echo 9\n"), tip)
    source.git("update-ref", "refs/pull/7/head", fork_head.hex)
    repo = Repo.clone(source, tmp_path / "mirror.git", "--mirror")
    assert repo.head("refs/pull/7/head") == fork_head
    with repo.open() as checkout:
        assert checkout.holding_ref(tip) == "refs/heads/main"
        assert checkout.holding_ref(fork_head) is None
