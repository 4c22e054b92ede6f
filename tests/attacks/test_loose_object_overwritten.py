"""A loose object is overwritten in place: git serves it, re-hashing does not."""

import zlib
from pathlib import Path

import pytest

from opvalue.checkout import GitCheckout, GitTimedOut, ObjectAltered, ObjectUnreadable
from opvalue.identity import CommitId
from opvalue.limits import Limits
from tests.checkout.repos import LIMIT, PATH, REPOSITORY, SCRIPT, Repo, published

EVIL = b"#!/usr/bin/env bash\necho 9\n"


def blob_of(repo: Repo) -> str:
    return repo.git("rev-parse", f"HEAD:{PATH}")


def test_blob_with_valid_compression_and_header(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    repo.alter(blob_of(repo), EVIL)
    assert repo.git("cat-file", "blob", blob_of(repo)) == EVIL.decode().removesuffix("\n"), "git serves the altered one"
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        with pytest.raises(ObjectAltered) as refused:
            checkout.read(commit, PATH, LIMIT)
    assert refused.value.expected == blob_of(repo)
    assert refused.value.found != blob_of(repo)


def test_tree_that_names_another_blob(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    evil = repo.git("hash-object", "-w", "--stdin", stdin=EVIL)
    folder = repo.git("rev-parse", "HEAD:.github/graders")
    kind, data = repo.content(folder)
    repo.alter(folder, data.replace(bytes.fromhex(blob_of(repo)), bytes.fromhex(evil)), kind)
    assert repo.git("show", f"{commit_id}:{PATH}") == EVIL.decode().removesuffix("\n"), "git serves the altered one"
    with repo.open() as checkout, pytest.raises(ObjectAltered):
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)


def test_commit_that_names_another_tree(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    evil = repo.tree_with("value.sh", EVIL)
    kind, data = repo.content(commit_id.hex)
    repo.alter(commit_id.hex, data.replace(repo.git("rev-parse", "HEAD^{tree}").encode(), evil.encode()), kind)
    with repo.open() as checkout:
        with pytest.raises(ObjectAltered):
            checkout.commit(commit_id)
        with pytest.raises(ObjectAltered):
            checkout.holding_ref(commit_id)


def test_type_changed_content_kept(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    repo.alter(blob_of(repo), SCRIPT, "tag")
    with repo.open() as checkout, pytest.raises(ObjectAltered):
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"noise that is not compressed",
        zlib.compress(b"blob 27\0" + EVIL)[:-6],
        zlib.compress(b"blob 5\0" + EVIL),
        zlib.compress(b"nonsense 27\0" + EVIL),
        zlib.compress(EVIL),
    ],
    ids=["empty", "noise", "cut", "short-size", "no-type", "no-header"],
)
@pytest.mark.parametrize("victim", ["blob", "tree", "commit"])
def test_noise_in_place_of_an_object(tmp_path: Path, stored: bytes, victim: str) -> None:
    repo, commit_id = published(tmp_path / "r")
    oid = {"blob": blob_of(repo), "tree": repo.git("rev-parse", "HEAD^{tree}"), "commit": commit_id.hex}[victim]
    repo.overwrite(oid, stored)
    with repo.open() as checkout, pytest.raises((ObjectAltered, ObjectUnreadable)):
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)


def test_header_that_announces_more_than_there_is(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    repo.overwrite(blob_of(repo), zlib.compress(b"blob 999\0" + EVIL))
    limits = Limits(git_seconds=1.0)
    with GitCheckout.open(repo.path, repository=REPOSITORY, limits=limits) as checkout:
        commit = checkout.commit(commit_id)
        with pytest.raises((GitTimedOut, ObjectAltered, ObjectUnreadable)):
            checkout.read(commit, PATH, LIMIT)


def test_the_reader_goes_on_after_a_damaged_object(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    other = CommitId(repo.commit_tree(repo.git("rev-parse", "HEAD^{tree}")).hex)
    repo.overwrite(other.hex, b"noise")
    with repo.open() as checkout:
        with pytest.raises(ObjectUnreadable):
            checkout.commit(other)
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT
