"""Refusals, guards, limits, order and digest of closures."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.bash import Closure, closure_digest, read_closure
from opvalue.bash.errors import ClosureTooLarge, NotAnalysable, SourceAbsent, SourceOutside, SourceUnresolvable
from opvalue.errors import OpvalueError
from opvalue.identity import RepoPath
from tests.bash.snippets import EXTGLOB, MISREAD, SNIPPETS
from tests.bash.trees import FILES, MAIN, closure_of, siblings_of

BESIDE = ".github/graders/runtime.sh"

UNRESOLVABLE = {
    'source "$1"': "$1 is an argument",
    'source "$@"': "$@ is known only to a run",
    'source "$LIB/runtime.sh"': "LIB is not set",
    'source "$HOME/runtime.sh"': "HOME is set from outside the script",
    "source ~/runtime.sh": "~ is set from outside the script",
    'source "$(find . -name x.sh)"': "the output of find is not known",
    'source "$(git rev-parse --show-toplevel)/x.sh"': "the output of git is not known",
    'source "${GITHUB_WORKSPACE:+$(pick)}/x.sh"': "the output of pick is not known",
    'source <(curl "$x")': '<(curl "$x") is not followed',
    "source /dev/stdin <<< 'a'": "it is a stream, not a file",
    "source /proc/self/fd/3": "it is a stream, not a file",
    'source "${0%/*}"/*.sh': "it is a pattern",
    "source '/a'*.sh": "it is a pattern",
    'source "$(command)"': "the output of command is not known",
    'source "${0%/*}/"{a,b}.sh': "it is a list in braces",
    'for f in a b; do source "${0%/*}/$f.sh"; done': "f is the variable of a loop",
    'select f in a b; do source "${0%/*}/$f.sh"; done': "f is the variable of a loop",
    'while read -r f; do source "${0%/*}/$f"; done < list': "f is set by a command",
    'if [ "$1" ]; then f=a; else f=b; fi\nsource "${0%/*}/$f.sh"': "f has more than one possible value",
    'f=a\n[ "$1" ] && f=b\nsource "${0%/*}/$f.sh"': "f has more than one possible value",
    'case $1 in x) f=a ;; y) f=b ;; esac\nsource "${0%/*}/$f.sh"': "f has more than one possible value",
    'f=runtime.sh\nwhile next; do source "${0%/*}/$f"; f="$f/a"; done': "f has more than one possible value",
    'a=(x y)\nsource "${0%/*}/${a[0]}"': "a is an array",
    'a=(x y)\nsource "${0%/*}/$a"': "a is an array",
    'a[1]=x\nsource "${0%/*}/$a"': "a is an array",
    'source "${BASH_SOURCE[$i]}"': "BASH_SOURCE[$i] is not followed",
    'source "${BASH_SOURCE[7]}"': "BASH_SOURCE is not set",
    'source "${!x}"': "${!x} is not followed",
    'source "${0/score/runtime}"': "${0/score/runtime} is not followed",
    'source "${0:0:5}"': "${0:0:5} is not followed",
    'source "x$((1 + 1)).sh"': "$((1 + 1)) is not followed",
    "source $'\\xe9'": "$'\\xe9' is not followed",
    'x="a b"\nsource ${0%/*}/$x': "it may be split into several words",
    'x="${0%/*}"\neval "$(settings)"\nsource "$x/runtime.sh"': "eval may have set it",
    'if [ "$1" ]; then eval "$(settings)"; fi\nsource "${DIR:-${0%/*}}/runtime.sh"': "eval may have set it",
    'eval "$(settings)"\nsource "${DIR:-${0%/*}}/runtime.sh"': "eval may have set it",
    'read IFS\n$GITHUB_WORKSPACE/tools/helper': "it may be split into several words",
    'declare -n r=x\nr=y\nsource "$x"': "a name reference may have set it",
    'declare -l x=A\nsource "${0%/*}/$x"': "x is declared with an attribute",
    'declare "$name=x"\nsource "$GITHUB_WORKSPACE/x"': "a command sets a variable whose name is not known",
    'export "x=$1"\nsource "${0%/*}/$x"': "x is set by a command",
    'command export x=a\nsource "${0%/*}/$x"': "x is set by a command",
    'printf -v x a\nsource "${0%/*}/$x"': "x is set by a command",
    'read -r -d "" x\nsource "${0%/*}/$x"': "x is set by a command",
    'mapfile -t x < f\nsource "${0%/*}/$x"': "x is set by a command",
    'printf -vx a\nsource "${0%/*}/$x"': "x is set by a command",
    'read -rdq x\nsource "${0%/*}/$x"': "x is set by a command",
    'read -d n x\nsource "${0%/*}/$x"': "x is set by a command",
    'read -p x -n 1 -- y\nsource "${0%/*}/$y"': "y is set by a command",
    'x=a\nread -ax\nsource "${0%/*}/$x"': "x is set by a command",
    'REPLY=a\nread -r\nsource "${0%/*}/$REPLY"': "REPLY is set by a command",
    'MAPFILE=a\nmapfile -t\nsource "${0%/*}/$MAPFILE"': "MAPFILE is an array",
    'OPTARG=a\ngetopts ab x\nsource "${0%/*}/$OPTARG"': "OPTARG is set by a command",
    'OPTIND=a\ngetopts ab x\nsource "${0%/*}/$OPTIND"': "OPTIND is set by a command",
    'x=a\nunset "x[0]"\nsource "${0%/*}/$x"': "x is not set",
    'x=a\nshopt -s lastpipe\necho b | read -r x\nsource "${0%/*}/$x"': "x has more than one possible value",
    'x=a\n[ "$1" ] && shopt -s "$o"\necho b | read -r x\n. "${0%/*}/$x"': "x has more than one possible value",
    'f() { x=a; if [ "$1" ]; then return; fi; x=b; }\nf "$@"\n. "${0%/*}/$x"': "x has more than one possible value",
    'f() { x=a; [ "$1" ] && return 0; x=b; }\nf "$@"\nsource "${0%/*}/$x"': "x has more than one possible value",
    'x=a\nwhile :; do x=b; [ "$1" ] && break; x=a; done\nsource "${0%/*}/$x"': "x has more than one possible value",
    'x=a\nfor i in 1 2; do x=b; [ "$1" ] && continue; x=a; done\n. "${0%/*}/$x"': "x has more than one possible value",
    'x=other\nfor i in 1; do . "${0%/*}/$x.sh"; x=b; case $1 in 1) continue;; esac; x=other; done': "x has more than "
    "one possible value",
    'x=a\n(( $(: "$GITHUB_WORKSPACE") + (x += 2) ))\nsource "$GITHUB_WORKSPACE/$x"': "x is computed",
    'x=a\n(( ++ x ))\nsource "${0%/*}/$x"': "x is computed",
    'x=a\n(( x[1] <<= 1 ))\nsource "${0%/*}/$x"': "x is computed",
    'x=a\n(( 1, x=2 ))\nsource "${0%/*}/$x"': "x is computed",
    'c="source $GITHUB_WORKSPACE/tools/runtime.sh"\neval "$c"': "the command is put together when it runs",
    'c=source\neval "$c $1"': "the command is put together when it runs",
    'export CDPATH=/x\ncd tools\nsource ./runtime.sh': "CDPATH may lead elsewhere",
    'find "$GITHUB_WORKSPACE" -name "*.sh" -exec bash {} ";"': "find or xargs fills it in",
    'getopts ab x\nsource "${0%/*}/$x"': "x is set by a command",
    'x=1\n(( x++ ))\nsource "${0%/*}/$x"': "x is computed",
    'x=1\ny=$((x = 2))\nsource "${0%/*}/$x"': "x is computed",
    'x=1\nlet x=2\nsource "${0%/*}/$x"': "x is computed",
    'unset "$name"\nsource "$GITHUB_WORKSPACE/x"': "unset may have taken it away",
    'x=a\nunset x\nsource "${0%/*}/$x"': "x is not set",
    'cd "$1"\nsource ./runtime.sh': "$1 is an argument",
    'cd\nsource ./runtime.sh': "the directory it changes to is not known",
    'cd -\nsource ./runtime.sh': "the directory it changes to is not known",
    'popd\nsource ./runtime.sh': "popd changes to a directory that is not followed",
    'source "$(cd ..; pwd)/runtime.sh"': "it depends on where the repository lies",
    'source "${0#*/}"': "it depends on where the repository lies",
    'source "${0%%[a-z]*}/x"': "its pattern is not one that is followed",
    'source "${0%"$1"}/x"': "$1 is an argument",
    'source "${x%y}"': "x is not set",
    'source "${1%y}"': "$1 is an argument",
    'source "${x:?}"': "x is not set",
    "source": "no path is given",
    "source -x y": "no path is given",
    'eval "source $x"': "the command is put together when it runs",
    "eval '. ' \"$x\"": "the command is put together when it runs",
    'trap "source $x" EXIT': "the command is put together when it runs",
    'bash -c ". $x"': "the command is put together when it runs",
    'bash <<X\nsource $x\nX': "the command is put together when it runs",
    'bash "${0%/*}/$1"': "$1 is an argument",
    'bash "$1"': "$1 is an argument",
    '"${0%/*}/$1" x': "$1 is an argument",
    'export WANTED=a\nenv -i bash "$GITHUB_WORKSPACE/tools/exported.sh"': "the command that starts the shell may have "
    "changed it",
    'timeout 5 "$GITHUB_WORKSPACE/$1" x': "$1 is an argument",
    'set -- "$@"\nsource "${0%/*}/$1"': "$1 is an argument",
    'shift\nsource "$1"': "$1 is an argument",
    'set -- a\nshift "$n"\nsource "$1"': "$1 is an argument",
    'load() { source "${0%/*}/$1"; }\nload "$@"': "$1 is an argument",
    'load() { source "${0%/*}/$1"; }\nload "$x"': "x is not set",
    'load() { source "${0%/*}/$2"; }\nload a': "2 is not set",
    'load() { source "${0%/*}/$1"; }': "$1 is an argument",
    'source "$GITHUB_WORKSPACE/a:b.sh"': "the path 'a:b.sh' holds a backslash or a colon",
    'source "$GITHUB_WORKSPACE"': "the path '' is empty",
    'source "$(pwd -x)/a"': "pwd is given what it does not take",
    'source "$(dirname a b)"': "dirname is given several names",
    'source "$(basename -a a)"': "basename is given several names",
    'source "$(readlink "$0")"': "readlink without -f is not followed",
    'source "$(readlink -z -f "$0")"': "readlink without -f is not followed",
    'source "$(realpath --relative-to=x "$0")"': "realpath is given what is not followed",
    'source "$(printf "%q" "$0")"': "the output of printf is not followed",
    'source "$(printf)"': "the output of printf is not followed",
    'source "$(echo -e "$0")"': "it depends on where the repository lies",
    'source "$(echo a; echo b)"': "several commands print",
    'source "$(if a; then b; fi)"': "the output of a compound command is not followed",
    'source "$("$x")"': "x is not set",
    'source "$(dirname "$x")"': "x is not set",
    'source "$(x=(a); echo "$x")"': "it is an array",
    'f() { f; }\nsource "$(f)"': "f calls too deeply",
    "x=" + "a" * 4000 + '\nsource "$x$x"': "the value is too long",
    "x=" + "a" * 4000 + '\nx+="$x"\nsource "$x"': "the value is too long",
    'x="$1"\nx+=a\nsource "$x"': "$1 is an argument",
    'x=a\nx+="$1"\nsource "$x"': "$1 is an argument",
}  # fmt: skip


@pytest.mark.parametrize("script", UNRESOLVABLE)
def test_a_path_that_only_a_run_would_tell_is_refused(script: str) -> None:
    with pytest.raises(SourceUnresolvable) as caught:
        closure_of(script)
    assert caught.value.code == "bash.source-unresolvable"
    assert caught.value.message.endswith(f"cannot be told: {UNRESOLVABLE[script]}")
    assert caught.value.expected == "a literal path or one relative to BASH_SOURCE or GITHUB_WORKSPACE"


def test_the_refusal_names_file_line_and_text() -> None:
    files = {BESIDE: '# one\nload() {\n  source "$1" \\\n    again\n}\n'}
    with pytest.raises(SourceUnresolvable) as caught:
        closure_of('\nsource "${0%/*}/runtime.sh"\n', files)
    assert caught.value.message.startswith(f"{BESIDE}, line 3: the path of a sourced or helper file cannot be told")
    assert caught.value.found == 'source "$1" \\'


def test_the_line_of_code_in_a_text_is_that_of_the_command_around_it() -> None:
    with pytest.raises(SourceUnresolvable) as caught:
        closure_of("\n\ntrap 'source \"$1\"' EXIT\n")
    assert caught.value.message.startswith(f"{MAIN}, line 3: ")


@pytest.mark.parametrize(
    "script",
    [
        "source runtime.sh",
        "source ./runtime.sh",
        'source "$PWD/runtime.sh"',
        'source "$(pwd)/runtime.sh"',
        "cd sub\nsource ./runtime.sh",
        'd=$(mktemp -d)\nsource "$d/made.sh"',
    ],
)
def test_a_path_relative_to_the_empty_directory_is_refused(script: str) -> None:
    with pytest.raises(SourceOutside) as caught:
        closure_of(script)
    assert caught.value.code == "bash.source-outside"


@pytest.mark.parametrize(
    "script",
    [
        "source /etc/profile",
        ". /tmp/gh-aw/runtime.sh",
        'source "$GITHUB_WORKSPACE/../other/runtime.sh"',
        'source "${0%/*}/../../../x.sh"',
        'source "${GITHUB_WORKSPACE}x/runtime.sh"',
        "cd /usr/lib\nsource ./runtime.sh",
    ],
)
def test_a_path_outside_the_repository_is_refused(script: str) -> None:
    with pytest.raises(SourceOutside) as caught:
        closure_of(script)
    assert "outside the repository" in caught.value.message or "relative to" in caught.value.message


def test_an_absent_file_is_refused_by_name() -> None:
    with pytest.raises(SourceAbsent) as caught:
        closure_of('\nsource "${0%/*}/absent.sh"')
    assert caught.value.code == "bash.source-absent"
    assert caught.value.message == f"{MAIN}, line 2: .github/graders/absent.sh is not at the recorded commit"


@pytest.mark.parametrize(
    "script",
    [
        'bash "${0%/*}/absent.sh"',
        '"${0%/*}/absent.sh"',
        'timeout 5 "${0%/*}/absent.sh"',
        '[ -f "${0%/*}/other.sh" ] && . "${0%/*}/absent.sh"',
        '. "${0%/*}/absent.sh" || exit 1',
        'if [ -f "${0%/*}/absent.sh" ]; then :; fi\n. "${0%/*}/absent.sh"',
        '[ -f "${0%/*}/absent.sh" ] || exit 1\n. "${0%/*}/absent.sh"',
    ],
)
def test_a_file_that_nothing_guards_must_be_there(script: str) -> None:
    with pytest.raises(SourceAbsent):
        closure_of(script)


@pytest.mark.parametrize(
    "guarded",
    [
        '[ -f "%s" ] && . "%s"',
        '[[ -r "%s" && -s "%s" ]] && source "%s"',
        'test -e "%s" && . "%s"',
        '[ ! -f "%s" ] || . "%s"',
        'if [ -f "%s" ]; then . "%s"; fi',
        'if ! [ -f "%s" ] 2> /dev/null; then :; else . "%s"; fi',
        'if { [ -f "%s" ]; }; then . "%s"; fi',
        'if [ "$1" ] && [ -f "%s" ]; then . "%s"; fi',
        'if [ -x "%s" ]; then "%s"; fi',
        'if [ -f "%s" ]; then bash "%s"; fi',
        'while [ -f "%s" ]; do . "%s"; break; done',
        '. "%s" || true',
        'source "%s" 2> /dev/null || :',
        '[ "$1" ] && . "%s" || true',
        'bash "%s" || true',
        'F="%s"\n[ -f "$F" ] && . "$F"',
    ],
)
def test_a_guarded_file_is_taken_when_there_and_left_when_not(guarded: str) -> None:
    assert siblings_of(guarded.replace("%s", "${0%/*}/runtime.sh")) == [BESIDE]
    assert siblings_of(guarded.replace("%s", "${0%/*}/absent.sh")) == []


def test_a_file_is_asked_for_once() -> None:
    asked: list[str] = []

    def read(path: RepoPath) -> bytes | None:
        asked.append(str(path))
        return None if path.text.endswith("absent.sh") else b":"

    script = b'D="${0%/*}"\n. "$D/a.sh"\n. "$D/a.sh"\n. "$D/absent.sh" || true\n. "$D/absent.sh" || true\n'
    closure = read_closure(RepoPath.parse(MAIN), script, read)
    assert asked == [".github/graders/a.sh", ".github/graders/absent.sh"]
    assert closure.files == ((RepoPath.parse(MAIN), script), (RepoPath.parse(".github/graders/a.sh"), b":"))
    assert closure.path == RepoPath.parse(MAIN)


def test_what_the_reader_raises_passes_through() -> None:
    class Refused(OpvalueError):
        code = "test.refused"

    def read(path: RepoPath) -> bytes | None:
        raise Refused(f"{path} is a link")

    with pytest.raises(Refused):
        read_closure(RepoPath.parse(MAIN), b'source "${0%/*}/a.sh"', read)


def test_too_many_files() -> None:
    files = {f"lib/{number}.sh": "" for number in range(4)}
    script = "\n".join(f'source "$GITHUB_WORKSPACE/{path}"' for path in files)
    assert len(closure_of(script, files, siblings=4).files) == 5
    with pytest.raises(ClosureTooLarge) as caught:
        closure_of(script, files, siblings=3)
    assert (caught.value.code, caught.value.found) == ("bash.closure-too-large", "lib/3.sh is one more")


def test_too_large_together() -> None:
    files = {"lib/a.sh": "#" * 60, "lib/b.sh": "#" * 40}
    script = "\n".join(f'source "$GITHUB_WORKSPACE/{path}"' for path in files)
    assert len(closure_of(script, files, sibling_bytes=100).files) == 3
    with pytest.raises(ClosureTooLarge) as caught:
        closure_of(script, files, sibling_bytes=99)
    assert caught.value.found == "100 bytes with lib/b.sh"


def test_a_sibling_that_cannot_be_read_is_refused_by_name() -> None:
    with pytest.raises(NotAnalysable) as caught:
        closure_of('source "${0%/*}/runtime.sh"', {BESIDE: "echo ${x~} `y`"})
    assert caught.value.message == f"{BESIDE} holds Bash that cannot be analysed"


def test_aliases_are_refused() -> None:
    with pytest.raises(NotAnalysable):
        closure_of("shopt -s expand_aliases\nalias a='source x'\na")
    for line in ("shopt -qs expand_aliases", "shopt -sq nullglob expand_aliases", "shopt -s -- expand_aliases"):
        with pytest.raises(NotAnalysable):
            closure_of(line)
    assert siblings_of("shopt -s extglob nullglob\nshopt -u expand_aliases") == []


def test_functions_that_print_without_end_in_sight_are_refused() -> None:
    with pytest.raises(NotAnalysable) as caught:
        closure_of('f() { : "$(f)" "$(f)" "$(f)"; }\nx="$(f)"')
    assert caught.value.message == "the script is too entangled to be analysed"
    assert caught.value.expected == "at most 100000 substitutions to evaluate"


@pytest.mark.parametrize("line", ["alias s=source", "set -o posix\nalias a=b s='source x'", 'alias "$x"'])
def test_a_defined_alias_is_refused(line: str) -> None:
    with pytest.raises(NotAnalysable) as caught:
        closure_of(line)
    assert caught.value.message == "the script defines an alias, which may hide a command"
    assert siblings_of("alias -p\nalias s || unalias -a") == []


def test_the_digest_is_built_as_documented() -> None:
    closure = closure_of('source "${0%/*}/runtime.sh"', {BESIDE: "x"})
    main = 'source "${0%/*}/runtime.sh"'
    lines = ["opvalue closure 1"]
    for path, text in ((MAIN, main), (BESIDE, "x")):
        lines.append(f"{len(path)} {path} {len(text)} {hashlib.sha256(text.encode()).hexdigest()}")
    expected = hashlib.sha256(("\n".join(lines) + "\n").encode()).hexdigest()
    assert closure_digest(closure).hex == expected


def test_the_digest_tells_runtimes_apart_and_not_the_order_of_discovery() -> None:
    main, one, other = (RepoPath.parse(path) for path in (MAIN, "a.sh", "b.sh"))
    base = Closure(((main, b"m"), (one, b"1"), (other, b"2")), handles_definition=True)
    assert closure_digest(base) == closure_digest(base._replace(files=(base.files[0], *base.files[:0:-1])))
    for files in (
        ((main, b"m"), (one, b"2"), (other, b"1")),
        ((main, b"m"), (one, b"1")),
        ((one, b"1"), (main, b"m"), (other, b"2")),
        ((main, b"m"), (one, b"12"), (other, b"")),
    ):
        assert closure_digest(base) != closure_digest(base._replace(files=files))


def outcome_of(script: bytes) -> str:
    """Return ``closure``, or the code of the refusal."""
    try:
        closure = read_closure(RepoPath.parse(MAIN), script, lambda path: FILES.get(path.text, "").encode())
    except OpvalueError as refused:
        return refused.code
    return "closure" if closure.files[0] == (RepoPath.parse(MAIN), script) else "another script"


_OUTCOMES = re.compile(r"closure|bash\.[a-z-]+")


@given(st.lists(st.sampled_from((*SNIPPETS, *MISREAD, *EXTGLOB)), min_size=1, max_size=4), st.data())
def test_damaged_scripts_end_in_a_closure_or_a_coded_refusal(snippets: list[str], data: st.DataObject) -> None:
    text = "\n".join(snippets)
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 5))
    put = data.draw(st.sampled_from(["", "$(", '"', "'", "${", "}", "source ", "eval ", "<<X\n", "`", "((", "\\", "é"]))
    assert _OUTCOMES.fullmatch(outcome_of((text[:at] + put + text[at + cut :]).encode()))


@given(st.binary(max_size=400))
def test_noise_ends_in_a_closure_or_a_coded_refusal(noise: bytes) -> None:
    assert _OUTCOMES.fullmatch(outcome_of(noise))


@pytest.mark.parametrize(
    "line",
    [
        "mapfile -C 'echo' -c 1 a",
        "readarray -Cf a",
        "mapfile -tC f a",
        "readarray -d x -n 1 -C f a",
        "enable -f x.so x",
        'enable "$x"',
    ],
)
def test_builtins_that_run_what_no_tree_shows(line: str) -> None:
    with pytest.raises(NotAnalysable):
        read_closure(RepoPath.parse("x.sh"), f"#!/bin/bash\n{line}\n".encode(), lambda _path: None)


@pytest.mark.parametrize(
    "line", ["mapfile -t lines <<<x", "readarray lines", "mapfile -dC a", "mapfile -t -- C", "enable"]
)
def test_builtins_that_do_not(line: str) -> None:
    closure = read_closure(RepoPath.parse("x.sh"), f"#!/bin/bash\n{line}\n".encode(), lambda _path: None)
    assert len(closure.files) == 1
