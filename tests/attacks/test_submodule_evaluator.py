"""The evaluator's path, or a folder on its way, is a gitlink: another repository's content is not this one's."""

from pathlib import Path

import pytest

from opvalue.checkout import SubmoduleRefused
from opvalue.identity import CommitId
from tests.checkout.repos import LIMIT, PATH, Repo


def with_gitlink(path: Path, at: str) -> tuple[Repo, CommitId]:
    repo = Repo.init(path)
    # The gitlink names a commit that the store happens to hold, so that following it would work.
    target = repo.commit({"value.sh": b"echo 9\n"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{target},{at}")
    repo.git("commit", "-q", "-m", "gitlink")
    return repo, repo.head()


def test_gitlink_at_the_path(tmp_path: Path) -> None:
    repo, commit_id = with_gitlink(tmp_path / "r", str(PATH))
    with repo.open() as checkout, pytest.raises(SubmoduleRefused) as refused:
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)
    assert refused.value.found == "mode 160000"


def test_gitlink_for_a_folder(tmp_path: Path) -> None:
    repo, commit_id = with_gitlink(tmp_path / "r", PATH.folder)
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        with pytest.raises(SubmoduleRefused):
            checkout.find(commit, PATH, LIMIT)
        with pytest.raises(SubmoduleRefused):
            checkout.list_folder(commit, PATH.folder)
