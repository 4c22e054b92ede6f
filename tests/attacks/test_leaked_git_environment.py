"""Variables a git hook leaves behind point at another repository with a matching commit: none is passed on (GT-05)."""

from pathlib import Path

import pytest

from opvalue.checkout import CommitAbsent, NoTrustedRemote
from opvalue.identity import CommitId
from tests.checkout.repos import LIMIT, PATH, SCRIPT, Repo, published

EVIL = b"#!/usr/bin/env bash\necho 9\n"


def pair(tmp_path: Path) -> tuple[Repo, CommitId, Repo, CommitId]:
    repo, commit_id = published(tmp_path / "right")
    other, foreign = published(tmp_path / "other", EVIL)
    return repo, commit_id, other, foreign


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_DIR", "{other}/.git"),
        ("GIT_COMMON_DIR", "{other}/.git"),
        ("GIT_WORK_TREE", "{other}"),
        ("GIT_OBJECT_DIRECTORY", "{other}/.git/objects"),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "{other}/.git/objects"),
        ("GIT_INDEX_FILE", "{other}/.git/index"),
        ("GIT_NAMESPACE", "elsewhere"),
        ("GIT_SHALLOW_FILE", "{other}/.git/index"),
        ("GIT_CEILING_DIRECTORIES", "/"),
        ("GIT_REPLACE_REF_BASE", "refs/heads/"),
        ("GIT_CONFIG", "{other}/.git/config"),
        ("GIT_CONFIG_GLOBAL", "{other}/.git/config"),
        ("GIT_CONFIG_SYSTEM", "{other}/.git/config"),
        ("GIT_CONFIG_PARAMETERS", "'remote.origin.url'='https://github.com/mallory/other'"),
        ("GIT_EXEC_PATH", "{other}"),
        ("GIT_TRACE", "1"),
        ("GIT_DEFAULT_HASH", "sha256"),
    ],
)
def test_one_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    repo, commit_id, other, foreign = pair(tmp_path)
    monkeypatch.setenv(name, value.format(other=other.path))
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT
        assert checkout.holding_ref(commit_id) == "refs/heads/main"
        with pytest.raises(CommitAbsent):
            checkout.commit(foreign)


def test_counted_configuration_does_not_name_a_remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo.init(tmp_path / "r", remote="https://github.com/mallory/other")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "remote.origin.url")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/acme/widgets")
    with pytest.raises(NoTrustedRemote):
        repo.open()


def test_git_directory_alone_makes_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, commit_id, other, _ = pair(tmp_path)
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.chdir(other.path)
    with repo.open() as checkout:
        assert checkout.read(checkout.commit(commit_id), PATH, LIMIT) == SCRIPT
