"""What git is given: an environment from nothing, and overrides for all that could start a program."""

from pathlib import Path

from opvalue.checkout.command import discovered, isolated

INHERITED = {
    "PATH": "/bin",
    "HOME": "/home/a",
    "XDG_CONFIG_HOME": "/home/a/.config",
    "SUDO_UID": "1000",
    "GIT_DIR": "/elsewhere",
    "GIT_CONFIG_COUNT": "1",
    "GIT_SSH_COMMAND": "trap",
    "GH_TOKEN": "secret",
    "LD_PRELOAD": "trap.so",
    "LANG": "de_DE.UTF-8",
    "PAGER": "trap",
}


def test_discovered() -> None:
    call = discovered(Path("/bin/git"), Path("/clone"), INHERITED)
    assert call.argv[0] == "/bin/git"
    assert call.argv[-2:] == ("-C", "/clone")
    assert {name: call.env[name] for name in ("PATH", "HOME", "XDG_CONFIG_HOME", "SUDO_UID")} == {
        name: INHERITED[name] for name in ("PATH", "HOME", "XDG_CONFIG_HOME", "SUDO_UID")
    }
    for name in ("GIT_DIR", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND", "GH_TOKEN", "LD_PRELOAD", "LANG", "PAGER"):
        assert name not in call.env
    assert call.env["GIT_NO_LAZY_FETCH"] == "1"
    assert call.env["GIT_NO_REPLACE_OBJECTS"] == "1"
    assert call.env["GIT_ALLOW_PROTOCOL"] == "none"
    assert call.env["LC_ALL"] == "C"
    for setting in (
        "protocol.allow=never",
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.commitGraph=false",
    ):
        assert call.argv[call.argv.index(setting) - 1] == "-c"


def test_isolated() -> None:
    call = isolated(Path("/bin/git"), Path("/clone/.git/objects"), "sha1", shallow=None, environ=INHERITED)
    assert call.env["GIT_OBJECT_DIRECTORY"] == "/clone/.git/objects"
    assert call.env["GIT_CONFIG_NOSYSTEM"] == "1"
    assert call.env["GIT_CONFIG_GLOBAL"] == "/dev/null"
    assert not {"HOME", "XDG_CONFIG_HOME", "GIT_SHALLOW_FILE"} & set(call.env)
    folder = Path(call.env["GIT_DIR"])
    assert sorted(path.name for path in folder.iterdir()) == ["HEAD", "config", "refs"]
    shallow = Path("/clone/.git/shallow")
    call = isolated(Path("/bin/git"), Path("/o"), "sha256", shallow=shallow, environ={})
    assert call.env["GIT_SHALLOW_FILE"] == "/clone/.git/shallow"
    assert "objectformat = sha256" in (Path(call.env["GIT_DIR"]) / "config").read_text()
    assert call.env["PATH"]
