"""A clone without blobs or trees, offline: "not fetched" is told apart from "not in the tree", and nothing is fetched.

The promisor is a local repository that *could* answer, so a lazy fetch would succeed and show (GT-02).
"""

import shlex
from pathlib import Path

import pytest

from opvalue.checkout import CommitAbsent, ObjectNotFetched, PathAbsent
from opvalue.identity import CommitId, RepoPath
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, published

ELSEWHERE = RepoPath(".github/graders/none.sh")


def partial(tmp_path: Path, *words: str) -> tuple[Repo, CommitId]:
    source, commit_id = published(tmp_path / "source")
    for name in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        source.git("config", name, "true")
    repo = Repo.clone(source, tmp_path / "clone", "--no-checkout", *words)
    repo.git("config", f"url.file://{source.path}.insteadOf", "https://github.com/acme/widgets.git")
    return repo, commit_id


def objects(repo: Repo) -> set[Path]:
    return {path for path in (repo.path / ".git/objects").rglob("*") if path.is_file()}


def test_blob_not_fetched(tmp_path: Path) -> None:
    repo, commit_id = partial(tmp_path, "--filter=blob:none")
    before = objects(repo)
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        entry = checkout.entry(commit, PATH)
        assert entry is not None
        with pytest.raises(ObjectNotFetched) as refused:
            checkout.read(commit, PATH, LIMIT)
        with pytest.raises(ObjectNotFetched):
            checkout.find(commit, PATH, LIMIT)
        assert checkout.find(commit, ELSEWHERE, LIMIT) is None
        with pytest.raises(PathAbsent):
            checkout.read(commit, ELSEWHERE, LIMIT)
        assert checkout.holding_ref(commit_id) == "refs/heads/main"
    assert objects(repo) == before, "nothing was fetched"
    assert refused.value.expected == f"object {entry.oid}"
    assert refused.value.hint.endswith(f"git -C {repo.path} cat-file -e {entry.oid}")


def test_tree_not_fetched(tmp_path: Path) -> None:
    repo, commit_id = partial(tmp_path, "--filter=tree:0")
    before = objects(repo)
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        for path in (PATH, ELSEWHERE):
            with pytest.raises(ObjectNotFetched):
                checkout.find(commit, path, LIMIT)
        with pytest.raises(ObjectNotFetched):
            checkout.list_folder(commit, "")
    assert objects(repo) == before, "nothing was fetched"


def test_commit_absent_from_a_partial_clone(tmp_path: Path) -> None:
    repo, _ = partial(tmp_path, "--filter=blob:none")
    new = Repo(tmp_path / "source").commit({"x": b"x"})
    before = objects(repo)
    with repo.open() as checkout, pytest.raises(CommitAbsent) as refused:
        checkout.commit(new)
    assert objects(repo) == before, "nothing was fetched"
    command = refused.value.hint.rpartition(": ")[2]
    assert command == f"git -C {repo.path} fetch --no-filter origin {new}"
    repo.git(*shlex.split(command)[3:])
    with repo.open() as checkout:
        commit = checkout.commit(new)
        assert checkout.read(commit, RepoPath("x"), LIMIT) == b"x"


def test_the_hint_for_a_blob_works(tmp_path: Path) -> None:
    repo, commit_id = partial(tmp_path, "--filter=blob:none")
    with repo.open() as checkout, pytest.raises(ObjectNotFetched) as refused:
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)
    repo.git(*shlex.split(refused.value.hint.rpartition(": ")[2])[3:])
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT
