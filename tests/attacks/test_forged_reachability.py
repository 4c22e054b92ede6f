"""An altered commit on the way, or a poisoned commit-graph, claims that a branch leads to an impostor.

Git believes both. Every commit on the path is re-hashed here, so neither makes a path.
"""

from pathlib import Path

import pytest

from opvalue.checkout import ObjectAltered
from opvalue.identity import CommitId
from tests.checkout.repos import Repo, published


def history(path: Path) -> tuple[Repo, list[CommitId], CommitId]:
    """Return commits 0 to 3 of the published main branch, oldest first, and an impostor on no branch."""
    repo, first = published(path)
    commits = [first, *(repo.commit({"x": str(number).encode()}) for number in range(3))]
    repo.publish()
    return repo, commits, repo.commit_tree(repo.tree_with("value.sh", b"echo 9\n"))


def forged_parents(repo: Repo, commit_id: CommitId, extra: CommitId) -> bytes:
    _, data = repo.content(commit_id.hex)
    return data.replace(b"\nauthor ", f"\nparent {extra}\nauthor ".encode(), 1)


@pytest.mark.parametrize("victim", [1, 2])
def test_altered_loose_commit_inside_history(tmp_path: Path, victim: int) -> None:
    repo, commits, impostor = history(tmp_path / "r")
    repo.alter(commits[victim].hex, forged_parents(repo, commits[victim], impostor))
    assert impostor.hex in repo.git("rev-list", "main").splitlines(), "git is fooled"
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None
        assert checkout.holding_ref(commits[3]) == "refs/heads/main"
        assert checkout.holding_ref(commits[0]) is None, "the altered commit leads nowhere any more"


def test_altered_tip(tmp_path: Path) -> None:
    repo, commits, impostor = history(tmp_path / "r")
    repo.alter(commits[3].hex, forged_parents(repo, commits[3], impostor))
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None


def test_poisoned_commit_graph(tmp_path: Path) -> None:
    repo, commits, impostor = history(tmp_path / "r")
    _, honest = repo.content(commits[2].hex)
    repo.alter(commits[2].hex, forged_parents(repo, commits[2], impostor))
    repo.git("commit-graph", "write", "--reachable")
    repo.alter(commits[2].hex, honest)
    assert impostor.hex in repo.git("-c", "core.commitGraph=true", "rev-list", "main").splitlines(), "git is fooled"
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None
        assert checkout.holding_ref(commits[0]) == "refs/heads/main"


def test_another_way_round_an_altered_commit_is_found(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    left = repo.commit_tree(tree, first, message="left")
    right = repo.commit_tree(tree, first, message="right")
    longer = repo.commit_tree(tree, right, message="longer")
    merge = repo.commit_tree(tree, left, longer)
    repo.publish("main", merge)
    repo.alter(left.hex, forged_parents(repo, left, first))
    with repo.open() as checkout:
        assert checkout.holding_ref(first) == "refs/heads/main"
        with pytest.raises(ObjectAltered):
            checkout.holding_ref(left)


def test_annotated_tag_altered_to_name_an_impostor(tmp_path: Path) -> None:
    repo, commits, impostor = history(tmp_path / "r")
    repo.git("tag", "-a", "v1", "-m", "v1", commits[1].hex)
    tag = repo.git("rev-parse", "refs/tags/v1")
    kind, data = repo.content(tag)
    repo.alter(tag, data.replace(commits[1].hex.encode(), impostor.hex.encode()), kind)
    assert repo.git("cat-file", "tag", "v1").startswith(f"object {impostor}"), "git serves the altered one"
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None
