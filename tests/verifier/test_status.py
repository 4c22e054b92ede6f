"""What becomes of a failing status."""

import pytest

from tests.verifier.scripts import STRICT, subject_of
from verifier.status import End, Fate, Instead, end_of, errexit_is_off, instead_of, options_of
from verifier.syntax import syntax_of


def _end(text: str) -> End:
    syntax = syntax_of(subject_of(text))
    (call,) = syntax.named("gh")
    return end_of(call.site, syntax)


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("gh\n", Fate.STOPS),
        ("gh\necho\n", Fate.ERREXIT),
        ("x=$(gh)\necho\n", Fate.ERREXIT),
        ("f() { gh; }\n", Fate.STOPS),
        ("f() { x=$(gh); }\n", Fate.STOPS),
        ("if gh; then :; fi\n", Fate.TESTED),
        ("while gh; do :; done\n", Fate.TESTED),
        ("if gh; echo; then :; fi\n", Fate.ERREXIT),
        ("! gh\n", Fate.TESTED),
        ("gh && echo\n", Fate.TESTED),
        ("gh || echo\n", Fate.CAUGHT),
        ("gh && echo || echo\n", Fate.CAUGHT),
        ("echo || gh\necho\n", Fate.ERREXIT),
        ("gh | jq .\necho\n", Fate.ERREXIT),
        ("gh | jq . || echo\n", Fate.CAUGHT),
        ("gh &\n", Fate.IGNORED),
        ("local x=$(gh)\n", Fate.DECLARED),
        ("echo $(gh)\n", Fate.ARGUMENT),
        ("[[ $(gh) ]]\n", Fate.ARGUMENT),
        ("for x in $(gh); do :; done\n", Fate.ARGUMENT),
        ("x=1 y=$(gh) echo\n", Fate.ARGUMENT),
        ("(( x = $(gh) ))\n", Fate.ARGUMENT),
        ("cat <(gh)\n", Fate.PROCESS),
        ("x=$(gh; echo)\n", Fate.SUBSTITUTED),
        ("x=$(echo; gh)\necho\n", Fate.ERREXIT),
        ("x=$(gh)\necho $?\n", Fate.TESTED),
        ("x=$(gh)\n[[ $? -eq 0 ]]\n", Fate.TESTED),
        ("gh\n(( $? == 0 ))\n", Fate.TESTED),
        ("{ gh; }\necho\n", Fate.ERREXIT),
        ("( gh ) || echo\n", Fate.CAUGHT),
        ("case x in a) gh ;; esac\necho\n", Fate.ERREXIT),
    ],
)
def test_fate_in_strict_mode(text: str, fate: Fate) -> None:
    assert _end(STRICT + text).fate is fate


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("gh\necho\n", Fate.IGNORED),
        ("set -e\ngh | jq .\n", Fate.PIPED),
        ("set -e\nset +e\ngh\necho\n", Fate.IGNORED),
        ("set +e\nset -e\ngh\necho\n", Fate.ERREXIT),
        ("set -e\nif a; then set +e; fi\ngh\necho\n", Fate.ERREXIT),
        ("set -e\ngh\nset +e\n", Fate.ERREXIT),
        ("set -euo pipefail\nset +o pipefail\ngh | jq .\n", Fate.PIPED),
        ("set -e\nshopt -s inherit_errexit\nshopt -u inherit_errexit\nx=$(gh; echo)\n", Fate.SUBSTITUTED),
        ("set -e\nshopt -s inherit_errexit\nx=$(gh; echo)\n", Fate.ERREXIT),
        ("shopt -s inherit_errexit\nset -e\nx=$(gh; echo)\n", Fate.ERREXIT),
    ],
)
def test_fate_without(text: str, fate: Fate) -> None:
    assert _end(text).fate is fate


def test_options() -> None:
    assert options_of(syntax_of(subject_of("set -eo pipefail\nset -- -u\nset +x\nset -o\n"))) >= {"errexit", "pipefail"}
    assert "nounset" in options_of(syntax_of(subject_of("set -o nounset\n")))
    assert options_of(syntax_of(subject_of("set --\n"))) == frozenset()


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("gh || echo 0\n", Instead.NUMBER),
        ("gh || printf '%s\\n' 1.5\n", Instead.NUMBER),
        ("gh || x=1\n", Instead.NUMBER),
        ("gh || { echo no >&2; x=0; }\n", Instead.NUMBER),
        ("gh || echo '[]'\n", Instead.EMPTY),
        ("gh || echo\n", Instead.EMPTY),
        ("gh || echo false\n", Instead.FALSE),
        ("gh || echo falsehood\n", Instead.OTHER),
        ("gh || x=\n", Instead.EMPTY),
        ("gh || true\n", Instead.NOTHING),
        ("gh || return 0\n", Instead.NOTHING),
        ("gh || return 1\n", Instead.OTHER),
        ("gh || echo 0 >&2\n", Instead.NOTHING),
        ("gh || { echo a >&2; echo b >&2; }\n", Instead.NOTHING),
        ("gh || { echo a >&2; fail; }\n", Instead.OTHER),
        ("gh || { x=0; return 1; }\n", Instead.OTHER),
        ("gh || { x=0; return 0; }\n", Instead.NUMBER),
        ("gh || { x=0; return; }\n", Instead.NUMBER),
        ('gh || { x=0; exit "$y"; }\n', Instead.OTHER),
        ("if ! gh; then echo a >&2; x=0; fi\n", Instead.NUMBER),
        ("if ! gh; then x=0; exit 1; fi\n", Instead.OTHER),
        ("gh || jq -n 0\n", Instead.NUMBER),
        ("gh || jq -nc '{}'\n", Instead.EMPTY),
        ("gh || jq -r --null-input '[]'\n", Instead.EMPTY),
        ("gh || jq -c 0\n", Instead.OTHER),
        ("gh || jq -n --arg a 0 0\n", Instead.OTHER),
        ("gh || jq -n '[.a]'\n", Instead.OTHER),
        ("gh || jq\n", Instead.OTHER),
        ("gh || echo null 2>/dev/null\n", Instead.OTHER),
        ("gh || echo a b\n", Instead.OTHER),
        ("gh || x=1 y=2\n", Instead.OTHER),
        ("gh || [[ x ]]\n", Instead.OTHER),
        ("gh || { :; }\n", Instead.NOTHING),
        ("gh && echo 1\n", Instead.OTHER),
        ("if ! gh; then x=0; fi\n", Instead.NUMBER),
        ("if gh; then echo 1; else echo 0; fi\n", Instead.NUMBER),
        ("if gh; then echo 1; elif true; then echo 0; fi\n", Instead.OTHER),
    ],
)
def test_instead(text: str, instead: Instead) -> None:
    assert instead_of(_end(STRICT + text).instead) is instead


def test_functions_in_which_errexit_is_off() -> None:
    text = "a() { b; }\nb() { :; }\nc() { :; }\nd() { c; }\nx=$(a)\nd\n"
    assert errexit_is_off(syntax_of(subject_of(text))) == {"a", "b"}
