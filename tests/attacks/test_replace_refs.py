"""Replacement refs substitute the commit, the tree or the blob: they are not followed."""

from pathlib import Path

import pytest

from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, published

EVIL = b"#!/usr/bin/env bash\necho 9\n"


@pytest.mark.parametrize("victim", ["commit", "tree", "blob"])
def test_replaced_object(tmp_path: Path, victim: str) -> None:
    repo, commit_id = published(tmp_path / "r")
    evil = repo.commit({str(PATH): EVIL})
    suffix = {"commit": "", "tree": "^{tree}", "blob": f":{PATH}"}[victim]
    repo.git("replace", repo.git("rev-parse", f"{commit_id}{suffix}"), repo.git("rev-parse", f"{evil}{suffix}"))
    assert repo.git("show", f"{commit_id}:{PATH}") == EVIL.decode().removesuffix("\n"), "git follows the replacement"
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT


def test_replacement_that_forges_reachability(tmp_path: Path) -> None:
    repo, tip = published(tmp_path / "r")
    impostor = repo.commit_tree(repo.tree_with("value.sh", EVIL))
    grafted = repo.commit_tree(repo.git("rev-parse", "HEAD^{tree}"), impostor)
    repo.git("replace", tip.hex, grafted.hex)
    assert is_ancestor(repo, impostor.hex, tip.hex), "git is fooled"
    with repo.open() as checkout:
        assert checkout.holding_ref(impostor) is None
        assert checkout.commit(tip).parents == ()
        assert checkout.holding_ref(tip) == "refs/heads/main"


def is_ancestor(repo: Repo, ancestor: str, tip: str) -> bool:
    return ancestor in repo.git("rev-list", tip).splitlines()
