"""Ways to a gh that is not the first of the given PATH."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing, findings_of, subject_of

_ID = "static-other-gh"


@pytest.mark.parametrize(
    "text",
    [
        '«/usr/bin/gh api "repos/a/b"\n',
        "timeout 5 «/opt/homebrew/bin/gh api x\n",
        'GH=/usr/bin/gh\n«"$GH" api x\n',
        "«hash -p /usr/bin/gh gh\ngh api x\n",
        "«command -p gh api x\n",
        "«env -i gh api x\n",
        "«env -i HOME=/ TERM=dumb gh api x\n",
        "«env -u PATH gh api x\n",
        "«sudo -E gh api x\n",
        "export PATH=«/usr/local/bin:/usr/bin:/bin\ngh api x\n",
        "PATH=«/usr/bin gh api x\n",
        'PATH=«"${PATH#*:}"\ngh api x\n',
        "«unset PATH\ngh api x\n",
        'export PATH=§"/opt/homebrew/bin:$PATH"\ngh api x\n',
        'export PATH=§/usr/local/bin:"${PATH:-}"\nf() { gh api x; }\n',
        'export PATH=¶"$tools:$PATH"\ngh api x\n',
        "x=\"$(§bash -lc 'gh api x')\"\n",
        "§bash -l -c 'cd / && gh api x | jq .'\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "gh api x\n",
        "command gh api x\n",
        "command -v gh\ngh api x\n",
        "env -i jq . x\ngh api x\n",
        'env -i PATH="$PATH" gh api x\n',
        "env LC_ALL=C gh api x\n",
        'PATH="$PATH:/opt/tools/bin"\ngh api x\n',
        'PATH="${PATH:-/usr/bin}:/opt/tools/bin"\ngh api x\n',
        'PATH+=":/opt/tools/bin"\ngh api x\n',
        'PATH="$HOME/.local/bin:$PATH"\ngh api x\n',
        'PATH="$(tools):/x"\ngh api x\n',
        "PATH=/usr/bin:/bin jq . x\ngh api x\n",
        "PATH=/usr/bin\njq . x\n",
        "export PATH\ngh api x\n",
        "hash -r\ngh api x\n",
        'GH=gh\n"$GH" api x\n',
        "bash -lc 'jq . x'\n",
        "bash -c 'gh api x'\n",
        "echo /usr/bin/gh\n",
        "# /usr/bin/gh api\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)


def test_it_says_which_one_is_asked() -> None:
    (found,) = findings_of(_ID, subject_of("/opt/homebrew/bin/gh api x\n"))
    assert found.message == "/opt/homebrew/bin/gh is asked, not the gh of the given PATH"


def test_it_says_which_folder_comes_first() -> None:
    (found,) = findings_of(_ID, subject_of('PATH="/opt/tools/bin:$PATH"\ngh api x\n'))
    assert found.message == "/opt/tools/bin comes before the given PATH, and a gh there is asked"
