"""What jq 1.6 refuses, told from the text, and held against a jq 1.6 where there is one."""

import subprocess

import pytest

from opvalue.process import find_program, usual_path
from verifier.jq_older import code_of, needs_newer
from verifier.jq_versions import version_here

_NEWER = (
    (". as $end | $end", "$end has the name of a keyword"),
    ('"\\(1 as $label | $label)"', "$label has the name of a keyword"),
    (".a.[0]", "a dot stands before a bracket"),
    (".[].[]", "a dot stands before a bracket"),
    ('."a".[0]', "a dot stands before a bracket"),
    ("if .a then 1 end", "an if has no else"),
    ("if .a then if .b then 1 end else 2 end", "an if has no else"),
    ("if .a then 1 elif .b then 2 end", "an if has no else"),
    ('map(if type == "number" then . * 2 end) | add', "an if has no else"),
    ("pick(.a)", "it does not have pick"),
    (".a | toarray", "it does not have toarray"),
    ("[.[] | abs]", "it does not have abs"),
    (".a | trim", "it does not have trim"),
    ("add(.[].n)", "it does not have add"),
)
_OLD = (
    ".",
    "if .a then 1 else 2 end",
    "if .a then 1 elif .b then 2 else 3 end | if . then . else empty end",
    "{end: 1, if: 2} | .end, .if, .else",
    '"if $end .a.[0] pick(.a)" # if .a then 1 end',
    '"a \\"quoted\\" \\(if .a then "if" else ")" end) end"',
    "def pick(f): f; pick(.a)",
    "def f(trim): trim; f(.a)",
    "{trim: 1} | .trim, .abs",
    "[.[0], .[1]] | .[0]",
    "if .[0] and .[1] then .[2] else .[3] end",
    "add, debug, ([.[]?] | add)",
    "$__loc__.line",
    ".a[0].b[1:]?",
    '.["a"]["b"]',
    "reduce .[]? as $x (0; . + 1) | try error catch .",
)


def _refused(program: str) -> bool:
    argv = [str(find_program("jq", usual_path())), "-n", program]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 3


@pytest.mark.parametrize(("program", "reason"), _NEWER)
def test_what_came_later_is_told(program: str, reason: str) -> None:
    found = needs_newer(program)
    assert found is not None
    assert found.reason == reason


@pytest.mark.parametrize("program", _OLD)
def test_what_has_always_been_is_not(program: str) -> None:
    assert needs_newer(program) is None


@pytest.mark.parametrize(("program", "refused"), [*((one, True) for one, _ in _NEWER), *((one, False) for one in _OLD)])
def test_jq_1_6_agrees(program: str, refused: bool) -> None:
    if version_here() != "jq-1.6":
        pytest.skip("there is another jq")
    assert _refused(program) is refused


def test_a_format_that_fails_only_when_it_is_run() -> None:
    found = needs_newer(".a | @base32d")
    assert found is not None
    assert found.reason == "it does not have @base32d"


def test_the_first_is_told_at_its_place() -> None:
    found = needs_newer("# if\n.a.[0]\n| pick(.a)")
    assert found is not None
    assert found.offset == len("# if\n.a")


def test_texts_and_comments_are_no_code() -> None:
    assert code_of('"a\\"b\\(.c + "d(")e" # f\n.g') == '"     (.c + "  ") "    \n.g'


def test_a_parenthesis_that_closes_nothing_is_code_like_any_other() -> None:
    assert code_of('1) "a\\(2)) b" ("c")') == '1) "  (2)   " (" ")'
    assert code_of('1))) | "a"') == '1))) | " "'
