"""Options and programs that only GNU has."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-gnu-only"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(date -u §-d "$y" +%s)"\n',
        "date §--date=yesterday\n",
        "date §+%s%N\n",
        "sed §-i 's/a/b/' \"$x\"\n",
        "sed §-Ei 's/a/b/' \"$x\"\n",
        "grep §-oP '\\d+' <<<\"$x\"\n",
        "stat §-c %s x\n",
        "find . -type f §-printf '%f\\n'\n",
        "xargs §-d '\\n' echo <x\n",
        "head -n §-1 x\n",
        "head §-n-1 x\n",
        "§tac x\n",
        "§timeout 5 gh api x\n",
        "base64 §-w0 x\n",
        "awk §'{print strftime(\"%s\")}' x\n",
        "mktemp §--suffix=.json\n",
        "cat x | §shuf\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "readlink ¶-f x\n",
        "base64 ¶-d x\n",
        "sort ¶-rV x\n",
        "xargs ¶-r echo <x\n",
        "¶sha256sum x\n",
        "¶realpath x\n",
    ],
)
def test_what_newer_systems_know_is_a_note(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "# date -d x; tac\n",
        "echo 'date -d x' \"grep -P\"\n",
        "date -u +%Y-%m-%dT%H:%M:%SZ\n",
        "sed -i '' 's/a/b/' x\nsed -i.bak 's/a/b/' x\n",
        "sed -n -E 's/i/x/p' x\n",
        "grep -E 'P' x\ngrep -oE -- -P x\n",
        "base64 --decode x\n",
        "head -n 1 x\nhead -c 10 x\ntail -n +2 x\n",
        "sort -rn x\n",
        'x="$(date -u -d "$y" +%s 2>/dev/null || date -u -j -f %F "$y" +%s)"\n',
        "awk '{print $1}' x\n",
        "tac() { cat; }\ntac x\n",
        "jq 'strftime(\"%s\")' x\n",
        "find . -name x -print\n",
        "mktemp -d\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
