"""A graft file gives a commit other parents: it is not read, from the repository or from the environment."""

from pathlib import Path

import pytest

from opvalue.identity import CommitId
from tests.checkout.repos import Repo, published


def forged(path: Path) -> tuple[Repo, CommitId, CommitId, str]:
    repo, tip = published(path)
    impostor = repo.commit_tree(repo.tree_with("value.sh", b"echo 9\n"))
    return repo, tip, impostor, f"{tip} {impostor}\n"


def test_info_grafts(tmp_path: Path) -> None:
    repo, tip, impostor, line = forged(tmp_path / "r")
    file = repo.path / ".git/info/grafts"
    file.parent.mkdir(exist_ok=True)
    file.write_text(line)
    assert impostor.hex in repo.git("rev-list", tip.hex).splitlines(), "git is fooled"
    with repo.open() as checkout:
        assert checkout.commit(tip).parents == ()
        assert checkout.holding_ref(impostor) is None
        assert checkout.holding_ref(tip) == "refs/heads/main"


def test_graft_file_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, tip, impostor, line = forged(tmp_path / "r")
    (tmp_path / "grafts").write_text(line)
    leaked = {"GIT_GRAFT_FILE": str(tmp_path / "grafts")}
    assert impostor.hex in repo.git("rev-list", tip.hex, env=leaked).splitlines(), "git is fooled"
    monkeypatch.setenv("GIT_GRAFT_FILE", str(tmp_path / "grafts"))
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None


def test_shallow_file_that_hides_history_does_not_forge_any(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    second = repo.commit({"x": b"x"})
    repo.publish()
    (repo.path / ".git/shallow").write_text(f"{second}\n")
    with repo.open() as checkout:
        assert checkout.commit(second).parents == (first,)
        assert checkout.holding_ref(second) == "refs/heads/main"
