from pathlib import Path

import pytest

from opvalue.evaluator import Tools
from opvalue.evaluator.environment import Folders, environment
from opvalue.identity import Host
from tests.evaluator.helpers import SIBLING, call

FOLDERS = Folders(tree="/p/tree", stand_in="/p/stand-in", tools="/p/tools", home="/p/home", scratch="/p/scratch")
TOOLS = Tools(bash=Path("/bin/bash"), jq=Path("/opt/jq/bin/jq"))


def test_the_whole_environment() -> None:
    made = environment(FOLDERS, TOOLS, Host.parse("ghe.example.com"), workspace=True, added={"X": "1", "HOME": "/no"})
    assert made == {
        "X": "1",
        "PATH": "/p/stand-in:/p/tools:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/opt/jq/bin",
        "HOME": "/p/home",
        "TMPDIR": "/p/scratch",
        "LC_ALL": "C",
        "TZ": "UTC",
        "GH_HOST": "ghe.example.com",
        "GH_TOKEN": "placeholder-not-a-credential",
        "GITHUB_SERVER_URL": "https://ghe.example.com",
        "GITHUB_API_URL": "https://ghe.example.com/api/v3",
        "GITHUB_GRAPHQL_URL": "https://ghe.example.com/api/graphql",
        "GITHUB_WORKSPACE": "/p/tree",
    }


@pytest.mark.parametrize("name", ["github.com", "acme.ghe.com"])
def test_the_host_decides_every_address(name: str) -> None:
    made = environment(FOLDERS, TOOLS, Host.parse(name), workspace=False, added={})
    assert made["GH_HOST"] == name
    assert made["GITHUB_SERVER_URL"] == f"https://{name}"
    assert made["GITHUB_API_URL"] == f"https://api.{name}"
    assert made["GITHUB_GRAPHQL_URL"] == f"https://api.{name}/graphql"
    assert "GITHUB_WORKSPACE" not in made


def test_a_script_sees_these_names_and_what_bash_adds(sandboxed: bool) -> None:
    names = set(call("compgen -e", (SIBLING, b""), sandboxed=sandboxed).split())
    assert names - {"PWD", "SHLVL", "_", "OLDPWD"} == {
        "PATH",
        "HOME",
        "TMPDIR",
        "LC_ALL",
        "TZ",
        "GH_HOST",
        "GH_TOKEN",
        "GITHUB_SERVER_URL",
        "GITHUB_API_URL",
        "GITHUB_GRAPHQL_URL",
        "GITHUB_WORKSPACE",
    }
