"""A script built to make its reader work without end. It is read or refused, and soon."""

import time

import pytest

from opvalue.bash import read_closure
from opvalue.errors import OpvalueError
from opvalue.evaluator import parse_with_shfmt
from opvalue.identity import RepoPath
from opvalue.limits import KIB

SIZE = 64 * KIB


def filled(piece: str) -> str:
    return piece * (SIZE // len(piece))


def doubling(depth: int) -> str:
    calls = "".join(f"f{level}() {{ f{level + 1}; f{level + 1}; }}\n" for level in range(depth))
    return f"{calls}f{depth}() {{ :; }}\nf0\n"


SCRIPTS = {
    "calls that double": doubling(60),
    "sources that double": 'source "${0%/*}/a.sh"\n' * 2,
    "a chain of calls": "".join(f"f{level}() {{ f{level + 1}; }}\n" for level in range(2000)) + "f0\n",
    "values that double": "x=aa\n" + 'x="$x$x"\n' * 1000,
    "nested loops": "while a; do x=$((x + 1)); y$((x))=1; " * 40 + "done; " * 40,
    "loops over many variables": "while a; do\n" + "".join(f"v{n}=$v{n + 1}\n" for n in range(500)) + "done\n",
    "nested ifs": filled("if a; then ") + "\n",
    "closed nested ifs": "if a; then " * 2000 + ":;" + " fi;" * 2000,
    "nested substitutions": "$(" * 3000 + "a" + ")" * 3000,
    "nested parameters": "${x:-" * 3000 + "a" + "}" * 3000,
    "nested quotes": '"$(' * 1500 + "a" + ')"' * 1500,
    "nested evals": "eval eval " * 2000,
    "many brackets": filled("["),
    "many braces": filled("{ "),
    "many backquotes": filled("`"),
    "escaped backquotes": 'echo "' + filled("\\`")[:-8] + '"',
    "backslashes": "echo '" + filled("\\")[:-10] + "`'",
    "many backquotes in quotes": "echo '" + filled("`")[:-10] + "'",
    "many stars": f"x={'a' * 3000}\n" + 'y="${x%*b}${x##*b}"\n' * 500,
    "a long list": "a" + " && a" * 10000,
    "a long pipeline": "a" + " | a" * 10000,
    "many branches": "case $1 in " + "".join(f"{n}) x{n}=1 ;; " for n in range(3000)) + "esac",
    "many words": "a " + filled("b "),
    "self calls": 'export X="$X/a"\nbash "$0"\n',
    "self calls by argument": 'bash "$0" "$1x"\nset -- "${1:-}a"\n"$0" "$1"\n',
    "arithmetic": "(( " + filled("a=")[:-10] + "1 ))",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_it_is_read_or_refused_soon(name: str) -> None:
    sibling = b'source "${BASH_SOURCE[0]%/*}/b$RANDOM.sh"'
    started = time.monotonic()
    try:
        read_closure(RepoPath.parse("a/x.sh"), SCRIPTS[name].encode(), lambda _path: sibling, parser=parse_with_shfmt)
    except OpvalueError as refused:
        code = refused.code
    else:
        code = "bash.read"
    assert code.startswith("bash.")
    assert time.monotonic() - started < 30
