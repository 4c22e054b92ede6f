"""``insteadOf`` makes another remote look like the requested one: addresses are read before any rewrite."""

from pathlib import Path

import pytest

from opvalue.checkout import NoTrustedRemote
from tests.checkout.repos import REPOSITORY, Repo

REWRITE = '[url "https://github.com/acme/"]\n\tinsteadOf = https://evil.example/mallory/\n'


def test_rewrite_in_the_repository(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r", remote="https://evil.example/mallory/widgets.git")
    repo.config(REWRITE)
    assert repo.git("remote", "get-url", "origin") == "https://github.com/acme/widgets.git", "git shows the rewritten"
    with pytest.raises(NoTrustedRemote) as refused:
        repo.open()
    assert refused.value.expected == "acme/widgets"
    assert refused.value.found == "origin = https://evil.example/mallory/widgets.git"


def test_rewrite_in_the_users_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo.init(tmp_path / "r", remote="https://evil.example/mallory/widgets.git")
    (tmp_path / ".gitconfig").write_text(REWRITE)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NoTrustedRemote):
        repo.open()


def test_address_given_by_the_users_settings_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo.init(tmp_path / "r", remote=None)
    (tmp_path / ".gitconfig").write_text('[remote "origin"]\n\turl = https://github.com/acme/widgets\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NoTrustedRemote) as refused:
        repo.open()
    assert refused.value.found == "no remotes"


def test_right_address_with_a_rewrite_to_a_mirror_stays_the_right_one(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    repo.config('[url "https://mirror.example/"]\n\tinsteadOf = https://github.com/\n')
    with repo.open() as checkout:
        assert checkout.repository == REPOSITORY
