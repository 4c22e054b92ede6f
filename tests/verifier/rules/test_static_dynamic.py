"""Commands put together at run time."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-dynamic"


@pytest.mark.parametrize(
    "text",
    [
        '§eval "$x"\n',
        '§eval "y=$x"\n',
        'x="$(§bash -c "$code")"\n',
        'xargs -I{} §sh -c "echo {} $x"\n',
        '§eval "$(jq -r .x)"\n',
        'read -r command\n¶"$command" a\n',
        '¶python3 -c "print($x)"\n',
        'command="$1"\n¶"$command" a\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "eval 'x=1'\n",
        'eval "$(jq -r \'@sh "a=\\(.a) b=\\(.b)"\' <<<"$x")"\n',
        "bash -c 'echo 1'\nbash\nbash -c\n",
        'retry() { "$@" || "$@"; }\nretry gh api x\n',
        'each() { "$1" x; }\neach echo\n',
        'GH=gh\n"$GH" api x\n',
        "folder=x\ntrap \"rm -rf '$folder'\" EXIT\n",
        "# eval $x\necho 'eval \"$x\"'\n",
        "python3 -c 'print(1)'\n",
        '"$(dirname x)/y" || true\n',
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
