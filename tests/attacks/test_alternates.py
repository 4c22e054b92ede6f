"""Objects borrowed from another store: honest ones are read, altered ones are refused, and none gains a branch."""

from pathlib import Path

import pytest

from opvalue.checkout import CommitAbsent, ObjectAltered
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, published

EVIL = b"#!/usr/bin/env bash\necho 9\n"


def test_honest_alternate_is_read(tmp_path: Path) -> None:
    source, commit_id = published(tmp_path / "source")
    shared = Repo.clone(source, tmp_path / "shared", "--reference", str(source.path))
    assert (shared.path / ".git/objects/info/alternates").read_text()
    with shared.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT


def test_altered_object_in_an_alternate(tmp_path: Path) -> None:
    victim, commit_id = published(tmp_path / "victim")
    blob = victim.git("rev-parse", f"HEAD:{PATH}")
    victim.remove(blob)
    other = Repo.init(tmp_path / "other")
    other.alter(blob, EVIL, "blob")
    (victim.path / ".git/objects/info/alternates").write_text(f"{other.path}/.git/objects\n")
    assert victim.git("show", f"HEAD:{PATH}") == EVIL.decode().removesuffix("\n"), "git serves the altered one"
    with victim.open() as checkout, pytest.raises(ObjectAltered):
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)


def test_foreign_commit_in_an_alternate_is_on_no_branch(tmp_path: Path) -> None:
    victim, _ = published(tmp_path / "victim")
    other, foreign = published(tmp_path / "other", EVIL)
    (victim.path / ".git/objects/info/alternates").write_text(f"{other.path}/.git/objects\n")
    with victim.open() as checkout:
        assert checkout.commit(foreign).id == foreign
        assert checkout.holding_ref(foreign) is None


def test_alternates_from_the_environment_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim, _ = published(tmp_path / "victim")
    other, foreign = published(tmp_path / "other", EVIL)
    leaked = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{other.path}/.git/objects"}
    assert victim.git("cat-file", "-t", foreign.hex, env=leaked) == "commit"
    monkeypatch.setenv(*next(iter(leaked.items())))
    with victim.open() as checkout, pytest.raises(CommitAbsent):
        checkout.commit(foreign)
