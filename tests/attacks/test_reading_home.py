"""An evaluator that looks for credentials in the user's home (reference 9.2, weakness 8)."""

import os
from pathlib import Path

import pytest

from opvalue.process import sandbox
from tests.evaluator.helpers import call
from tests.process.helpers import the_sandbox

CANARY = "canary-token-77aa"
SEARCH = 'cat ~/.config/gh/hosts.yml "$HOME/.netrc" ~/.netrc; echo "$(ls -A ~ | wc -l) files"'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / ".config/gh").mkdir(parents=True)
    (home / ".config/gh/hosts.yml").write_text(f"oauth_token: {CANARY}\n")
    (home / ".netrc").write_text(f"machine github.com password {CANARY}\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(sandbox, "_detected", {})
    return home


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("sandboxed", [False, True])
def test_its_home_is_empty(sandboxed: bool) -> None:
    if sandboxed:
        the_sandbox()
    assert call(SEARCH, sandboxed=sandboxed).split() == ["0", "files"]


def test_in_the_sandbox_the_real_home_is_not_there(home: Path) -> None:
    the_sandbox()
    real = os.path.realpath(home)
    pattern = f"{CANARY[:-2]}''{CANARY[-2:]}"  # so that the script does not find itself
    search = f"cat {real}/.netrc {home}/.netrc /root/.netrc; grep -rs {pattern} /home /root /tmp {real}; true"
    seen = call(search)
    assert CANARY not in seen
