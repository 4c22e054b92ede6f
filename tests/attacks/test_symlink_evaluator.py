"""The evaluator, or a folder on its way, is a symbolic link at the commit: refused, whatever it points at."""

from pathlib import Path

import pytest

from opvalue.checkout import SymlinkRefused
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo


def test_link_to_a_file_of_the_commit(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    (repo.path / PATH.folder).mkdir(parents=True)
    (repo.path / str(PATH)).symlink_to("real.sh")
    commit_id = repo.commit({".github/graders/real.sh": SCRIPT})
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        with pytest.raises(SymlinkRefused) as refused:
            checkout.read(commit, PATH, LIMIT)
        with pytest.raises(SymlinkRefused):
            checkout.find(commit, PATH, LIMIT)
    assert refused.value.found == "mode 120000"


def test_link_for_a_folder(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    (repo.path / ".github").mkdir()
    (repo.path / ".github/graders").symlink_to("/etc")
    commit_id = repo.commit()
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        for attempt in (
            lambda: checkout.read(commit, PATH, LIMIT),
            lambda: checkout.find(commit, PATH, LIMIT),
            lambda: checkout.list_folder(commit, ".github/graders"),
        ):
            with pytest.raises(SymlinkRefused):
                attempt()


def test_link_in_the_working_tree_changes_nothing(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    commit_id = repo.commit({str(PATH): SCRIPT})
    (repo.path / str(PATH)).unlink()
    (repo.path / str(PATH)).symlink_to("/etc/passwd")
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT
