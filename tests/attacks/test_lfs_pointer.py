"""The commit holds an LFS pointer while the working tree holds a script: refused by name (GT-09)."""

from pathlib import Path

import pytest

from opvalue.checkout import LfsPointer
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo

POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)


@pytest.mark.parametrize(
    "pointer", [POINTER, POINTER.replace(b"git-lfs.github.com", b"hawser.github.com")], ids=["current", "first"]
)
def test_pointer_is_named_as_such(tmp_path: Path, pointer: bytes) -> None:
    repo = Repo.init(tmp_path / "r")
    commit_id = repo.commit({str(PATH): pointer})
    (repo.path / str(PATH)).write_bytes(SCRIPT)
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        with pytest.raises(LfsPointer) as refused:
            checkout.read(commit, PATH, LIMIT)
        with pytest.raises(LfsPointer):
            checkout.find(commit, PATH, LIMIT)
    assert "stored in LFS" in refused.value.message


@pytest.mark.parametrize(
    "data", [b"#!/bin/bash\n# " + POINTER, POINTER + b"#" * 1024, b"version https://git-lfs.github.com/spec/v1\n"]
)
def test_a_script_that_speaks_of_lfs_is_a_script(tmp_path: Path, data: bytes) -> None:
    repo = Repo.init(tmp_path / "r")
    commit_id = repo.commit({str(PATH): data})
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == data
