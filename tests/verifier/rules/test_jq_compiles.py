"""Programs that do not compile, by the jq at hand."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing, findings_of, subject_of

_ID = "jq-compiles"


@pytest.mark.parametrize(
    "text",
    [
        "jq «'{a' <<<1\n",
        "x=1\njq -r '\n  .a\n«  | nosuch(1)\n' x\n",
        "gh api x --jq «'.a | | .b'\n",
        "gh api x -q«'.[' | cat\n",
        "P=«'.a |'\njq \"$P\"\n",
        "D='def f: 1;'\njq «\"$D\"' f | g'\n",
        "jq -nr --arg a 1 «'.a | $a | nosuch'\n",
        "jq -f /dev/stdin <<'END'\n«.a |\nEND\n",
        "jq -f <(cat <<'END'\n«.a |\nEND\n) x\n",
        'cat >"$t/x.jq" <<\'END\'\n«.a |\nEND\njq -f "$t/x.jq"\n',
        "jqr() { jq -r \"$@\"; }\njqr «'.a |' x\n",
        'get() { jq -r "$1" <<<"$2"; }\nget «\'.a |\' x\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "jq -n --arg a 1 --argjson b 2 --slurpfile c x --rawfile d x '$a, $b, $c, $d, $ENV, env' x\n",
        "jq -n '$undeclared'\n",
        'jq ".a | $x"\n',
        'jq "$@"\njq\njq -r\n',
        "jq -n 'include \"x\"; f'\n",
        "# jq '{a'\necho 'jq {a'\ncat <<'END'\njq '{a'\nEND\n",
        "jq() { :; }\njq '{a'\n",
        "jq --indent 2 -L lib '.a' x\njq -rn -- '.a'\n",
        "jq -n '$ARGS.positional' --args '{a' b\n",
        "jq -n '.a' --args \"$@\"\n",
        'P=.a\nP=$1\njq "$P |"\n',
        'jq -rn -f "$x"\n',
    ],
)
def test_nothing(text: str) -> None:
    expect_nothing(_ID, text)


def test_files_of_the_closure_are_compiled_where_they_lie() -> None:
    main = 'set -e\njq -f "$(dirname "${BASH_SOURCE[0]}")/lib.jq" x\n'
    (found,) = findings_of(_ID, subject_of(main, {".github/graders/lib.jq": "def f: 1;\nf | nosuch(1; 2)\n"}))
    assert (found.severity.value, found.path, found.line) == ("error", ".github/graders/lib.jq", 2)
    assert found.message.endswith("does not compile the program: nosuch/2 is not defined")
