"""Named arguments that nothing declares."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "jq-arguments"


@pytest.mark.parametrize(
    "text",
    [
        "jq -n '«$run'\n",
        "jq -n --arg run 1 '{a: $run,\n  b: «$now}'\n",
        "gh api x --jq '.[] | select(.n == «$n)'\n",
        "P='.a | «$b'\njq --arg a 1 \"$P\"\n",
        "jq -n '«$a | . as $x | «$b + $x' --arg c 1\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "jq -n '$run' --arg run 1\n",
        "jq -n '. as $x | $x, reduce .[] as $y (0; . + $y), $ENV.A, $__loc__'\n",
        "options=(--arg run 1)\njq -n \"${options[@]}\" '$run'\n",
        "jq -n --arg \"$name\" 1 '$run'\n",
        "jq -n '\"$run\" # $run'\n",
        "jq -n 'def f($a): $a; f(1)'\n",
        "# jq '$run'\necho '$run'\n",
        "jqr() { jq -n --arg run 1 \"$@\"; }\njqr '$run'\n",
    ],
)
def test_nothing(text: str) -> None:
    expect_nothing(_ID, text)
