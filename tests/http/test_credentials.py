"""Which token goes to which host (HB-01), and that none shows itself."""

import copy
import pickle
from pathlib import Path

import pytest

from opvalue.http import Credentials, Token
from opvalue.identity import Host
from tests.http.conftest import CANARY, fails
from tests.support.canary import Hunt

CLOUD = [Host("github.com"), Host("acme.ghe.com"), Host("a.b.ghe.com"), Host("github.localhost")]
OTHERS = [
    Host("ghe.example.com"),
    Host("ghe.com"),
    Host("notghe.com"),
    Host("github.com.example.com"),
    Host("api.github.com"),
    Host("github.com:8443"),
    Host("acme.ghe.com:8443"),
    Host("127.0.0.1:80"),
]
ALL = {"GH_TOKEN": "t1", "GITHUB_TOKEN": "t2", "GH_ENTERPRISE_TOKEN": "t3", "GITHUB_ENTERPRISE_TOKEN": "t4"}


def without(*names: str) -> dict[str, str]:
    return {name: value for name, value in ALL.items() if name not in names}


def found(environ: dict[str, str], host: Host) -> tuple[str, str] | None:
    token = Credentials(environ).token_for(host)
    return None if token is None else (token.reveal(), token.source)


@pytest.mark.parametrize("host", CLOUD, ids=str)
@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        (ALL, ("t1", "GH_TOKEN")),
        (without("GH_TOKEN"), ("t2", "GITHUB_TOKEN")),
        (ALL | {"GH_TOKEN": ""}, ("t2", "GITHUB_TOKEN")),
        (ALL | {"GH_TOKEN": " \n"}, ("t2", "GITHUB_TOKEN")),
        (ALL | {"GH_TOKEN": "t1\n"}, ("t1", "GH_TOKEN")),
        (without("GH_TOKEN", "GITHUB_TOKEN"), None),
        ({}, None),
    ],
)
def test_github_and_its_tenants(host: Host, environ: dict[str, str], expected: tuple[str, str] | None) -> None:
    assert found(environ, host) == expected


@pytest.mark.parametrize("host", OTHERS, ids=str)
@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        (ALL, ("t3", "GH_ENTERPRISE_TOKEN")),
        (without("GH_ENTERPRISE_TOKEN"), ("t4", "GITHUB_ENTERPRISE_TOKEN")),
        (ALL | {"GH_ENTERPRISE_TOKEN": ""}, ("t4", "GITHUB_ENTERPRISE_TOKEN")),
        (without("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"), None),
        ({}, None),
    ],
)
def test_any_other_host(host: Host, environ: dict[str, str], expected: tuple[str, str] | None) -> None:
    assert found(environ, host) == expected


def test_what_was_looked_for_is_named() -> None:
    credentials = Credentials({})
    assert credentials.looked_for(CLOUD[0]) == ("GH_TOKEN", "GITHUB_TOKEN", "gh auth token --hostname github.com")
    assert credentials.looked_for(OTHERS[0]) == (
        "GH_ENTERPRISE_TOKEN",
        "GITHUB_ENTERPRISE_TOKEN",
        "gh auth token --hostname ghe.example.com",
    )


@pytest.mark.parametrize("value", [f"{CANARY} {CANARY}", f"{CANARY}\n{CANARY}", f"{CANARY}\x00", f"{CANARY}é", "\x7f"])
def test_what_cannot_be_a_token_is_refused_by_the_variables_name(value: str) -> None:
    error = fails("http.token-malformed", lambda: Credentials({"GH_TOKEN": value}).token_for(CLOUD[0]))
    assert "GH_TOKEN" in error.message
    assert error.kind.exit_status == 4


def test_a_token_does_not_show_itself() -> None:
    token = Token(CANARY, "GH_TOKEN")
    credentials = Credentials({"GH_TOKEN": CANARY})
    credentials.token_for(CLOUD[0])
    for shown in (repr(token), str(token), f"{token}", f"{token!s:>9}", f"{[token]}", repr(credentials)):
        assert CANARY not in shown
    assert not hasattr(token, "__dict__")
    assert not hasattr(credentials, "__dict__")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_token_is_not_copied(duplicate: object) -> None:
    assert callable(duplicate)
    with pytest.raises(TypeError, match="not copied"):
        duplicate(Token(CANARY, "GH_TOKEN"))


class FakeGh:
    """A program called gh that notes how it was called."""

    def __init__(self, folder: Path, script: str, hunt: Hunt) -> None:
        self.seen = folder / "seen"
        program = folder / "bin" / "gh"
        hunt.plant(program)
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\n{{ echo "$0 $*"; env; }} >>"{self.seen}"\n{script}\n')
        program.chmod(0o755)
        self.environ = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": str(folder)}


def test_gh_is_asked_last_and_once_and_is_told_no_token(tmp_path: Path, hunt: Hunt) -> None:
    gh = FakeGh(tmp_path, f"echo {CANARY}", hunt)
    environ = gh.environ | {"GH_TOKEN": "t1", "SECRET": "s", "GH_CONFIG_DIR": "/c", "DBUS_SESSION_BUS_ADDRESS": "d"}
    credentials = Credentials(environ)
    host = Host("ghe.example.com")
    for _ in range(3):
        token = credentials.token_for(host)
        assert token is not None
        assert (token.reveal(), token.source) == (CANARY, "gh auth token --hostname ghe.example.com")
    lines = gh.seen.read_text().splitlines()
    assert [line for line in lines if "auth token" in line] == [
        f"{tmp_path}/bin/gh auth token --hostname ghe.example.com"
    ]
    names = {line.partition("=")[0] for line in lines}
    assert {"GH_CONFIG_DIR", "DBUS_SESSION_BUS_ADDRESS", "HOME", "GH_PROMPT_DISABLED"} <= names
    assert not {"GH_TOKEN", "SECRET"} & names
    assert CANARY not in gh.seen.read_text()


def test_gh_is_not_asked_where_a_variable_answers(tmp_path: Path, hunt: Hunt) -> None:
    gh = FakeGh(tmp_path, f"echo {CANARY}", hunt)
    assert found(gh.environ | {"GITHUB_TOKEN": "t2"}, CLOUD[0]) == ("t2", "GITHUB_TOKEN")
    assert not gh.seen.exists()


@pytest.mark.parametrize(
    "script",
    [
        "echo 'no oauth token' >&2; exit 1",
        f"echo {CANARY}; exit 1",
        "true",
        "echo two words",
        "printf '\\377\\376'",
        "head -c 200000 /dev/zero",
    ],
)
def test_when_gh_fails_there_is_no_token(
    tmp_path: Path, script: str, capfd: pytest.CaptureFixture[str], hunt: Hunt
) -> None:
    assert found(FakeGh(tmp_path, script, hunt).environ, CLOUD[0]) is None
    assert capfd.readouterr() == ("", "")


def test_a_gh_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hunt: Hunt) -> None:
    monkeypatch.setattr("opvalue.http.credentials._GH_SECONDS", 0.2)
    assert found(FakeGh(tmp_path, "exec sleep 30", hunt).environ, CLOUD[0]) is None


def test_a_gh_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hunt: Hunt) -> None:
    gh = FakeGh(tmp_path, f"echo {CANARY}", hunt)
    monkeypatch.chdir(tmp_path / "bin")
    assert found({"PATH": ":.:bin"}, CLOUD[0]) is None
    assert not gh.seen.exists()
