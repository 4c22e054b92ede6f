"""Tokens read, needed or printed."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-credentials"


@pytest.mark.parametrize(
    "text",
    [
        'echo «"$GH_TOKEN"\n',
        'x=«"$GITHUB_TOKEN"\n',
        ': «"${GITHUB_TOKEN:?is needed}"\n',
        'f -H «"Authorization: token ${GH_TOKEN:-}"\n',
        'x="$(«gh auth token)"\n',
        "«gh auth status --show-token\n",
        "«gh auth status -t\n",
        "«printenv GH_TOKEN\n",
        'cat <<<«"$GH_TOKEN"\n',
        "jq -n '«$ENV.GITHUB_TOKEN'\n",
        '[ -n "${GITHUB_TOKEN:-}" ] && echo «"$GITHUB_TOKEN"\n',
        '[ -n "${GH_TOKEN:-}" ] && export GH_TOKEN=«"$GITHUB_TOKEN"\n',
        'if [ -n «"$GITHUB_TOKEN" ]; then export GH_TOKEN=«"$GITHUB_TOKEN"; fi\n',
        'GH_TOKEN=«"$GITHUB_TOKEN" gh api x\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'export GH_TOKEN="${GH_TOKEN:-${GITHUB_TOKEN:-}}"\n',
        'GH_TOKEN="${GH_TOKEN:-}"\n',
        '[ -n "${GITHUB_TOKEN:-}" ] && export GH_TOKEN="$GITHUB_TOKEN"\n',
        'if [[ -z "${GH_TOKEN:-}" && -n "${GITHUB_TOKEN:-}" ]]; then\n  export GH_TOKEN="$GITHUB_TOKEN"\nfi\n',
        'if a; then :; elif test "${GITHUB_TOKEN-}"; then GH_TOKEN="$GITHUB_TOKEN"; fi\n',
        '[ -n "${GH_TOKEN:-}" ] || exit 1\n[[ -n "${GITHUB_TOKEN:-}" ]] || true\n',
        ': "${GH_TOKEN:?is needed}"\n',
        'echo "${GH_TOKEN:+set}"\n',
        "# $GH_TOKEN\necho '$GITHUB_TOKEN'\n",
        'echo "set GH_TOKEN"\n',
        "gh auth status\n",
        'echo "$MY_TOKEN"\nprintenv HOME\n',
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
