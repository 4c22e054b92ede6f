"""Calls of the tool that grades."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-gh-aw"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(«gh aw logs "$run" --json)"\n',
        "if ! «gh aw audit 1 2>/dev/null; then exit 1; fi\n",
        "timeout 5 «gh aw logs\n",
        "f() { env A=1 «gh-aw logs; }\nf\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "# gh aw logs\n",
        "echo 'run gh aw compile'\n",
        "cat <<'END'\ngh aw logs\nEND\n",
        "gh api aw\n",
        "gh() { :; }\ngh aw logs\n",
        "command -v gh\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
