"""A repository whose objects are named by SHA-256: read and re-hashed as such; ids of the other format are refused."""

from pathlib import Path

import pytest

from opvalue.checkout import ObjectAltered, WrongObjectFormat
from opvalue.identity import CommitId
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, published


def sha256(path: Path) -> tuple[Repo, CommitId, CommitId]:
    repo = Repo.init(path, "--object-format=sha256")
    first = repo.commit({str(PATH): SCRIPT})
    second = repo.commit({"x": b"x"})
    repo.git("tag", "-a", "v1", "-m", "v1", first.hex)
    repo.publish()
    return repo, first, second


def test_read_and_held(tmp_path: Path) -> None:
    repo, first, second = sha256(tmp_path / "r")
    assert len(first.hex) == 64
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(first), PATH, LIMIT) == SCRIPT
        assert checkout.commit(second).parents == (first,)
        assert checkout.holding_ref(first) == "refs/heads/main"


def test_altered_blob(tmp_path: Path) -> None:
    repo, first, _ = sha256(tmp_path / "r")
    repo.alter(repo.git("rev-parse", f"{first}:{PATH}"), b"echo 9\n")
    with repo.open() as checkout, pytest.raises(ObjectAltered):
        checkout.read(checkout.commit(first), PATH, LIMIT)


def test_id_of_the_other_format_never_reaches_git(tmp_path: Path) -> None:
    repo, first, _ = sha256(tmp_path / "r")
    short = CommitId(first.hex[:40])
    assert repo.git("cat-file", "-t", short.hex) == "commit", "git takes it for an abbreviation"
    with repo.open() as checkout:
        with pytest.raises(WrongObjectFormat):
            checkout.commit(short)
        with pytest.raises(WrongObjectFormat):
            checkout.holding_ref(short)
    other, _ = published(tmp_path / "other")
    with other.open() as checkout, pytest.raises(WrongObjectFormat):
        checkout.commit(first)
