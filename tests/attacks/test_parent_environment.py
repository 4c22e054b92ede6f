"""A parent with colour switches, tokens, git and GitHub variables: none of it reaches the evaluator (HB-07, AW-03)."""

import os

import pytest

from tests.evaluator.helpers import call
from tests.process.helpers import the_sandbox

CANARY = "canary-4f1c"
NAMES = (
    *("GH_FORCE_TTY", "CLICOLOR_FORCE", "CLICOLOR", "NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM", "LS_COLORS"),
    *(
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "GH_ENTERPRISE_TOKEN",
        "GITHUB_ENTERPRISE_TOKEN",
        "GH_CONFIG_DIR",
        "GH_REPO",
        "GH_HOST",
    ),
    *("GITHUB_ACTIONS", "GITHUB_RUN_ID", "GITHUB_SERVER_URL", "GITHUB_API_URL", "GITHUB_WORKSPACE", "RUNNER_TEMP"),
    *("GIT_DIR", "GIT_INDEX_FILE", "GIT_CONFIG_COUNT", "JQ_COLORS", "LANG", "LC_NUMERIC", "LC_ALL", "TZ"),
    *("HOME", "TEMP", "TMP", "XDG_CONFIG_HOME", "LD_LIBRARY_PATH", "PYTHONPATH", "CDPATH", "GLOBIGNORE", "IFS"),
    *("SSH_AUTH_SOCK", "http_proxy", "HTTPS_PROXY", "AWS_SECRET_ACCESS_KEY", "OPVALUE_ANYTHING"),
)


@pytest.mark.parametrize("sandboxed", [False, True])
def test_nothing_of_the_parent_is_passed_on(sandboxed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if sandboxed:
        the_sandbox()
    for name in NAMES:
        monkeypatch.setenv(name, CANARY)
    monkeypatch.setenv("PATH", f"/{CANARY}:{os.environ['PATH']}")
    seen = call("env; declare -p; jq -n env", sandboxed=sandboxed)
    assert CANARY not in seen
    assert "\x1b" not in seen
    assert "GH_HOST=github.com" in seen
