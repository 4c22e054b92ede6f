"""Commands of gh that a regrade does not answer."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-gh-other"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(«gh pr view 1 --json state)"\n',
        "«gh issue list | jq length\n",
        "printf '1\\n' | xargs -n 1 «gh run view\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "gh api repos/a/b/pulls/1\n",
        "gh auth status\n",
        "gh --version\n",
        'gh "$@"\n',
        "gh aw logs\n",
        "# gh pr view\n",
        'echo "gh pr view"\n',
        "gh\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
