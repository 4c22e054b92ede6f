"""Sources resolved from the text, held against what Bash loads from the very same files."""

import re
from pathlib import Path

import pytest

from opvalue.bash.errors import SourceUnresolvable
from tests.bash.trees import loaded_by_bash, needs_bash_5, siblings_of

BESIDE = ".github/graders/runtime.sh"
SHARED = ".github/shared/runtime.sh"
TOOLS = "tools/runtime.sh"

RESOLVED = {
    # relative to BASH_SOURCE
    'source "$(dirname "${BASH_SOURCE[0]}")/runtime.sh"': [BESIDE],
    'source "$(dirname "$BASH_SOURCE")/runtime.sh"': [BESIDE],
    '. "$(dirname -- "${BASH_SOURCE[0]:-$0}")"/runtime.sh': [BESIDE],
    'source "${BASH_SOURCE[0]%/*}/runtime.sh"': [BESIDE],
    'source "${BASH_SOURCE%/*}/../shared/runtime.sh"': [SHARED],
    "source ${BASH_SOURCE[0]%/*}/runtime.sh": [BESIDE],
    'source "$(dirname "${BASH_SOURCE[-1]}")/runtime.sh"': [BESIDE],
    'source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/lib/deep.bash"': [".github/graders/lib/deep.bash"],
    'source "$(dirname "$(readlink -f -- "${BASH_SOURCE[0]}")")/runtime.sh"': [BESIDE],
    'source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/runtime.sh"': [BESIDE],
    'source "$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" > /dev/null 2>&1 && pwd -P)/runtime.sh"': [BESIDE],
    'source "$(cd "$(dirname "$0")"; pwd)/runtime.sh"': [BESIDE],
    'source "$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)/runtime.sh"': [BESIDE],
    'source "$(unset CDPATH; cd "${0%/*}/../shared" && pwd)/runtime.sh"': [SHARED],
    'source "`dirname "$0"`/runtime.sh"': [BESIDE],
    'source "$(dirname "$0")/with space.sh"': [".github/graders/with space.sh"],
    "source \"$(dirname \"$0\")\"/'with space.sh'": [".github/graders/with space.sh"],
    'source "$(printf %s "$(dirname "$0")")/runtime.sh"': [BESIDE],
    'source "$(echo "${0%/*}")/$(basename /x/runtime.sh)"': [BESIDE],
    # variables
    'DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\nsource "$DIR/runtime.sh"': [BESIDE],
    'readonly DIR="$(dirname "$0")"\nsource "${DIR}/../shared/runtime.sh"': [SHARED],
    'declare -r DIR="${0%/*}"\n. "$DIR"/runtime.sh': [BESIDE],
    'export DIR="${0%/*}"\n. "$DIR"/runtime.sh': [BESIDE],
    "DIR=$(dirname $0)\nsource $DIR/runtime.sh": [BESIDE],
    'A="${0%/*}"\nB="$A/../shared"\nB+=/runtime\nsource "$B.sh"': [SHARED],
    'A=1 B="${0%/*}" C=2\nsource "$B/runtime.sh"': [BESIDE],
    ': "${DIR:=${0%/*}}"\nsource "$DIR/runtime.sh"': [BESIDE],
    'source "${RUNTIME:-${0%/*}/runtime.sh}"': [BESIDE],
    'source "${RUNTIME-${0%/*}/runtime.sh}"': [BESIDE],
    'source "${0%/*}/${SUB:+nowhere/}runtime.sh"': [BESIDE],
    'NAME=runtime\nsource "${0%/*}/${NAME:+$NAME}.sh"': [BESIDE],
    'D=nowhere\nD="${0%/*}"\nsource "$D/runtime.sh"': [BESIDE],
    'if [ -z "${DIR:-}" ]; then DIR="${0%/*}"; fi\nsource "$DIR/runtime.sh"': [BESIDE],
    'if true; then D="${0%/*}"; else D="$(dirname "$0")"; fi\nsource "$D/runtime.sh"': [BESIDE],
    'case "$1" in --definition) D="${0%/*}" ;; *) D="${0%/*}" ;; esac\nsource "$D/runtime.sh"': [BESIDE],
    'D="${0%/*}"\nf() { declare D=nowhere; }\nf\nsource "$D/runtime.sh"': [BESIDE],
    'D="${0%/*}"\nf() { typeset D=nowhere; }\nf\nsource "$D/runtime.sh"': [BESIDE],
    'D=nowhere\nf() { export D="${0%/*}"; }\nf\nsource "$D/runtime.sh"': [BESIDE],
    'D=nowhere\nf() { readonly D="${0%/*}"; }\nf\nsource "$D/runtime.sh"': [BESIDE],
    'unset D\nsource "${D:-${0%/*}}/runtime.sh"': [BESIDE],
    # GITHUB_WORKSPACE
    'source "$GITHUB_WORKSPACE/tools/runtime.sh"': [TOOLS],
    'source "${GITHUB_WORKSPACE:?not set}/tools/runtime.sh"': [TOOLS],
    'source "${GITHUB_WORKSPACE:-$(git rev-parse --show-toplevel)}/tools/runtime.sh"': [TOOLS],
    'R="${GITHUB_WORKSPACE:-$PWD}"\nsource "$R"/tools/runtime.sh': [TOOLS],
    'source "${GITHUB_WORKSPACE}/.github/graders/../shared/runtime.sh"': [SHARED],
    'source "$GITHUB_WORKSPACE/${0#"$GITHUB_WORKSPACE"/}x" 2> /dev/null || true': [],
    # ways to say source
    'builtin source "${0%/*}/runtime.sh"': [BESIDE],
    'command . "${0%/*}/runtime.sh"': [BESIDE],
    'command -p -- . "${0%/*}/runtime.sh"': [BESIDE],
    '\\source "${0%/*}/runtime.sh"': [BESIDE],
    "'source' \"${0%/*}/runtime.sh\"": [BESIDE],
    'so"ur"ce "${0%/*}/runtime.sh"': [BESIDE],
    's=source\n"$s" "${0%/*}/runtime.sh"': [BESIDE],
    'source -- "${0%/*}/runtime.sh" a b': [BESIDE],
    'X=1 source "${0%/*}/runtime.sh"': [BESIDE],
    'source "${0%/*}/runtime.sh" > /dev/null 2>&1 < /dev/null': [BESIDE],
    'so\\\nurce "${0%/*}/run\\\ntime.sh"': [BESIDE],
    # places to say it in
    'if source "${0%/*}/runtime.sh"; then :; fi': [BESIDE],
    '{ source "${0%/*}/runtime.sh"; }': [BESIDE],
    '( source "${0%/*}/runtime.sh" )': [BESIDE],
    'x=$(source "${0%/*}/runtime.sh")': [BESIDE],
    'echo "a $(source "${0%/*}/runtime.sh") b"': [BESIDE],
    'cat <<X\n- $(source "${0%/*}/runtime.sh")\nX': [BESIDE],
    'cat <(source "${0%/*}/runtime.sh")': [BESIDE],
    'echo "${x:-$(source "${0%/*}/runtime.sh")}"': [BESIDE],
    'echo $(( 1 + $(source "${0%/*}/runtime.sh"; echo 1) ))': [BESIDE],
    'a=("$(source "${0%/*}/runtime.sh")")': [BESIDE],
    'local_() { local x="$(source "${0%/*}/runtime.sh")"; }\nlocal_': [BESIDE],
    'true | source "${0%/*}/runtime.sh"': [BESIDE],
    'source "${0%/*}/runtime.sh" &\nwait': [BESIDE],
    '! source "${0%/*}/runtime.sh"': [BESIDE],
    'time source "${0%/*}/runtime.sh"': [BESIDE],
    'for i in 1 2; do source "${0%/*}/runtime.sh"; done': [BESIDE],
    'for ((i = 0; i < 2; i++)); do source "${0%/*}/runtime.sh"; done': [BESIDE],
    'while :; do source "${0%/*}/runtime.sh"; break; done': [BESIDE],
    'until false; do source "${0%/*}/runtime.sh"; break; done': [BESIDE],
    'case a in a) source "${0%/*}/runtime.sh" ;; esac': [BESIDE],
    '[[ -n "$(source "${0%/*}/runtime.sh")" ]] || :': [BESIDE],
    '(( $(source "${0%/*}/runtime.sh"; echo 1) ))': [BESIDE],
    "eval 'source \"${0%/*}/runtime.sh\"'": [BESIDE],
    "trap 'source \"${0%/*}/runtime.sh\"' EXIT": [BESIDE],
    "trap -- 'source \"${0%/*}/runtime.sh\"' EXIT": [BESIDE],
    # functions
    'load() { source "$DIR/$1.sh"; }\nDIR="${0%/*}"\nload runtime\nload other': [BESIDE, ".github/graders/other.sh"],
    'load() { local f="$1"; shift; source "${0%/*}/$f$1"; }\nload run time.sh': [BESIDE],
    'here() { cd "$(dirname "${BASH_SOURCE[0]}")" && pwd; }\nsource "$(here)/runtime.sh"': [BESIDE],
    'f() { D="${0%/*}"; }\nf\nsource "$D/runtime.sh"': [BESIDE],
    'D="${0%/*}"\nf() { local D=/nowhere; }\nf\nsource "$D/runtime.sh"': [BESIDE],
    'f() { source "${0%/*}/runtime.sh"; }\n"$(echo f)"': [BESIDE],
    'main() { helper runtime.sh; }\nhelper() { source "${0%/*}/$1"; }\nmain "$@"': [BESIDE],
    'f() { [ "$1" = 2 ] && return; source "${0%/*}/runtime.sh"; f 2; }\nf 1': [BESIDE],
    'set -- runtime.sh x\nsource "${0%/*}/$1"': [BESIDE],
    'set -eu -o pipefail\nset -- x runtime.sh\nshift\nsource "${0%/*}/$1"': [BESIDE],
    # functions that run their arguments
    'run() { "$@"; }\nrun source "${0%/*}/runtime.sh"': [BESIDE],
    'run() { echo "+ $*"; $@; }\nrun "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'run() { shift; "$@"; }\nrun 3 bash "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'run() { "${@:2}"; }\nrun 3 "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'run() { "$@"; }\nsource "$(run dirname "$0")/runtime.sh"': [BESIDE],
    'run() { "$@"; }\nrun': [],
    'set -- a b\n[ $# -eq 2 ] && [ "$#" -lt 10 ] && source "${0%/*}/runtime.sh"': [BESIDE],
    'set -- a b\nif [ $# -gt 2 ]; then source "$1"; elif [[ $# -le 1 ]]; then source "$1"; fi': [],
    'set -- a b\n[ $# -ne 2 ] && source "$1"': [],
    'set -- a b\n[ $# -ge 3 ] && source "$1"': [],
    'set -- a b\n[ $# -ge 2 ] || source "$1"': [],
    'set -- a b\n[ $# -lt 2 ] && source "$1"': [],
    'set -- a b\n[ $# -gt 1 ] || source "$1"': [],
    'set -- a\nset -- "$@" runtime.sh\nsource "${0%/*}/$2"': [BESIDE],
    # what holds where a function, a file or a loop is left early
    'f() { x=runtime.sh; if [ -z "$1" ]; then return; fi; x=runtime.sh; }\nf\nsource "${0%/*}/$x"': [BESIDE],
    'f() { if [ "$1" ]; then D=/nowhere; return 1; fi; source "${0%/*}/$F"; }\nF=runtime.sh\nf': [BESIDE],
    'F=runtime.sh\nfor i in 1; do case $1 in x) F=x; exit ;; esac; continue; done\n. "${0%/*}/$F"': [BESIDE],
    'here() { cd "${0%/*}" && pwd; return 0; }\nsource "$(here)/runtime.sh"': [BESIDE],
    'true | F=x\nsource "${0%/*}/${F:-runtime.sh}"': [BESIDE],
    'for i in 1 2; do here() { cd "${0%/*}" && pwd; }; done\nsource "$(here)/runtime.sh"': [BESIDE],
    'if true; then F=runtime.sh; else F=nowhere; fi\nsource "${0%/*}/$F"': [BESIDE],
    'a=(b)\necho "${a[$(source "${0%/*}/runtime.sh"; echo 0)]}"': [BESIDE],
    '"" source "$1" || true': [],
    'IFS=,\nrun="bash,-eu"\n$run "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'IFS="]^"\nrun="bash]-eu"\n$run "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'F=runtime.a.b\nsource "${0%/*}/${F%%.*}.sh"': [BESIDE],
    'F=a.b.runtime\nsource "${0%/*}/${F##*.}.sh"': [BESIDE],
    'source "$(command dirname "$0")/runtime.sh"': [BESIDE],
    'cd "${0%/*}"\nsource "$(builtin command pwd)/runtime.sh"': [BESIDE],
    'eval source \'"${0%/*}/runtime.sh"\'': [BESIDE],
    'eval\ntrap\ntrap -p\ntrap -- EXIT\ntrap - EXIT\ntrap "" EXIT': [],
    'D="${0%/*}"\ng() { declare -F D || declare -f D || . "$D/runtime.sh"; }\ng': [BESIDE],
    ': "${D=${0%/*}}"\nif [ "$1" ]; then echo > /dev/null; fi\nsource "$D/runtime.sh"': [BESIDE],
    'D=\nsource "${0%/*}/${D+runtime.sh}${E+nowhere}"': [BESIDE],
    # what arithmetic only reads
    'D="${0%/*}"\nn=0\n(( n = n + D[0] == 1 ))\n. "$D/runtime.sh"': [BESIDE],
    '(( n = $(: "$GITHUB_WORKSPACE"; echo 1) ))\nlet "m = n" 1\n. "$GITHUB_WORKSPACE/tools/runtime.sh"': [TOOLS],
    # code in variables
    'N=runtime\nc=\'source "${0%/*}/$N.sh"\'\neval "$c"': [BESIDE],
    'N=runtime.sh\neval "F=$N"\nsource "${0%/*}/$F"': [BESIDE],
    # exported functions
    'f() { source "$GITHUB_WORKSPACE/tools/$1.sh"; }\nexport -f f\nbash -c "f runtime"': [TOOLS],
    'f() { source "$GITHUB_WORKSPACE/tools/$1.sh"; }\ndeclare -fx f\nbash -c "bash -c \'f runtime\'"': [TOOLS],
    'PATH="$GITHUB_WORKSPACE/tools:$PATH"\n: a\n[ "$1" ] && true': [],
    'PATH="$GITHUB_WORKSPACE/tools:$PATH"\nhelper() { :; }\nbash -c helper': ["tools/helper", TOOLS],
    # lists
    'run=(bash "$GITHUB_WORKSPACE/tools/helper.sh")\n"${run[@]}"': ["tools/helper.sh", TOOLS],
    'for f in "$GITHUB_WORKSPACE/tools/helper.sh"; do "$f"; done': ["tools/helper.sh", TOOLS],
    'empty=()\nfor f in; do :; done': [],
    # the folder a shell may look in
    'CDPATH= \ncd "${0%/*}/../shared"\nCDPATH=/x\ncd ../graders\nsource ./runtime.sh': [BESIDE],
    # functions that come back to themselves
    'source "${0%/*}/../shared/use.sh"\nuse first': [
        ".github/shared/use.sh",
        ".github/shared/first.sh",
        ".github/shared/util.sh",
    ],
    'load() { source "${0%/*}/$1.sh"; shift; [ $# -eq 0 ] || load "$@"; }\nload runtime other': [
        BESIDE,
        ".github/graders/other.sh",
    ],
    'N=runtime\nf() { source "${0%/*}/$N.sh"; [ "$N" = other ] || { N=other; f; }; }\nf': [
        BESIDE,
        ".github/graders/other.sh",
    ],
    # the current directory
    'cd "$(dirname "$0")"\nsource ./runtime.sh': [BESIDE],
    'cd "${0%/*}/../shared" || exit 1\n. ../graders/runtime.sh': [BESIDE],
    'cd "$GITHUB_WORKSPACE" && source tools/runtime.sh': [TOOLS],
    'pushd "${0%/*}" > /dev/null\nsource ./runtime.sh': [BESIDE],
    'cd "${0%/*}"\nsource "$PWD/runtime.sh"': [BESIDE],
    '( cd "${0%/*}" && source ./runtime.sh )': [BESIDE],
    # sourced files that source
    'source "${0%/*}/../shared/dir.sh"': [".github/shared/dir.sh", ".github/shared/util.sh"],
    'SCRIPT_DIR="${0%/*}"\nsource "$SCRIPT_DIR/../shared/dir.sh"\nsource "$SCRIPT_DIR/runtime.sh"': [
        ".github/shared/dir.sh",
        ".github/shared/util.sh",
        SHARED,
    ],
    'WANTED="${0%/*}/runtime.sh"\nsource "${0%/*}/../shared/by_variable.sh"': [".github/shared/by_variable.sh", BESIDE],
    'WANTED="${0%/*}/runtime.sh" source "${0%/*}/../shared/by_variable.sh"': [".github/shared/by_variable.sh", BESIDE],
    'source "${0%/*}/../shared/outer.sh"': [".github/shared/outer.sh", BESIDE],
    'source "${0%/*}/../shared/main.sh"': [".github/shared/main.sh", ".github/graders/other.sh"],
    'source "${0%/*}/../shared/functions.sh"\nload util.sh': [".github/shared/functions.sh", ".github/shared/util.sh"],
    # guarded by what is known
    '[[ "${BASH_SOURCE[0]}" == "$0" ]] && source "${0%/*}/runtime.sh"': [BESIDE],
    'S="${BASH_SOURCE[0]}"\nwhile [ -h "$S" ]; do\n  D="$(cd -P "$(dirname "$S")" && pwd)"\n  S="$(readlink "$S")"\n'
    '  [[ $S != /* ]] && S="$D/$S"\ndone\nsource "$(cd -P "$(dirname "$S")" && pwd)/runtime.sh"': [BESIDE],
    'until [ ! -L "$0" ]; do D="$(readlink "$0")"; done\nsource "${0%/*}/runtime.sh"': [BESIDE],
    # helpers
    'bash "${0%/*}/../../tools/helper.sh" a': ["tools/helper.sh", TOOLS],
    'bash -eu -o pipefail "$GITHUB_WORKSPACE/tools/helper.sh"': ["tools/helper.sh", TOOLS],
    'bash --norc -- "$GITHUB_WORKSPACE/tools/helper.sh"': ["tools/helper.sh", TOOLS],
    '"${0%/*}/../../tools/helper.sh" a': ["tools/helper.sh", TOOLS],
    '"$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'cd "$GITHUB_WORKSPACE/tools"\n./helper.sh': ["tools/helper.sh", TOOLS],
    'exec "$GITHUB_WORKSPACE/tools/helper.sh" "$@"': ["tools/helper.sh", TOOLS],
    'exec -a name bash "$GITHUB_WORKSPACE/tools/helper.sh" "$@"': ["tools/helper.sh", TOOLS],
    'env A=b bash "$GITHUB_WORKSPACE/tools/helper.sh"': ["tools/helper.sh", TOOLS],
    'timeout 5 bash "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'echo a | xargs "$GITHUB_WORKSPACE/tools/helper.sh"': ["tools/helper.sh", TOOLS],
    'x="$("$GITHUB_WORKSPACE/tools/helper.sh")"': ["tools/helper.sh", TOOLS],
    'timeout -k 9s 5 "$GITHUB_WORKSPACE/tools/helper" a': ["tools/helper", TOOLS],
    'env -u B A="$GITHUB_WORKSPACE" "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    'nohup -- "$GITHUB_WORKSPACE/tools/helper" > /dev/null': ["tools/helper", TOOLS],
    'cd "$GITHUB_WORKSPACE/tools"\nnice -n 5 ./helper': ["tools/helper", TOOLS],
    'export PATH="$GITHUB_WORKSPACE/tools:$PATH"\ntimeout 5 helper': ["tools/helper", TOOLS],
    'echo a | xargs -I % "$GITHUB_WORKSPACE/tools/helper" %': ["tools/helper", TOOLS],
    'timeout 5 cat "$GITHUB_WORKSPACE/tools/helper"': [],
    'find "$GITHUB_WORKSPACE/tools" -name absent': [],
    'bash < "$GITHUB_WORKSPACE/tools/runtime.sh"': [TOOLS],
    'bash -s < "$GITHUB_WORKSPACE/tools/runtime.sh"': [TOOLS],
    'bash -s -- a b < "$GITHUB_WORKSPACE/tools/runtime.sh"': [TOOLS],
    'bash -es a < "$GITHUB_WORKSPACE/tools/runtime.sh"': [TOOLS],
    'bash "$GITHUB_WORKSPACE/tools/arguments.sh" "${0%/*}/runtime.sh"': ["tools/arguments.sh", BESIDE],
    'bash -c \'source "$1"\' name "$GITHUB_WORKSPACE/tools/runtime.sh"': [TOOLS],
    'bash -c \'source "${0%/*}/runtime.sh"\' "$0"': [BESIDE],
    "bash <<'X'\nsource \"$GITHUB_WORKSPACE/tools/runtime.sh\"\nX": [TOOLS],
    "bash <<< 'source \"$GITHUB_WORKSPACE/tools/runtime.sh\"'": [TOOLS],
    'WANTED="${0%/*}/runtime.sh"\nbash "$GITHUB_WORKSPACE/tools/exported.sh"': ["tools/exported.sh", TOOLS],
    'export WANTED="${0%/*}/runtime.sh"\nbash "$GITHUB_WORKSPACE/tools/exported.sh"': ["tools/exported.sh", BESIDE],
    'WANTED="${0%/*}/runtime.sh" bash "$GITHUB_WORKSPACE/tools/exported.sh"': ["tools/exported.sh", BESIDE],
    'declare -x WANTED\nWANTED="${0%/*}/runtime.sh"\nbash "$GITHUB_WORKSPACE/tools/exported.sh"': [
        "tools/exported.sh",
        BESIDE,
    ],
    'set -a\nWANTED="${0%/*}/runtime.sh"\nset +a\nbash "$GITHUB_WORKSPACE/tools/exported.sh"': [
        "tools/exported.sh",
        BESIDE,
    ],
    'set -o allexport\nWANTED="${0%/*}/runtime.sh"\nbash "$GITHUB_WORKSPACE/tools/exported.sh"': [
        "tools/exported.sh",
        BESIDE,
    ],
    'PATH="$GITHUB_WORKSPACE/tools:$PATH"\nhelper.sh': ["tools/helper.sh", TOOLS],
    'export PATH="$PATH:${0%/*}:$GITHUB_WORKSPACE/tools"\nhelper a': ["tools/helper", TOOLS],
    'PATH="$GITHUB_WORKSPACE/tools:$PATH"\nsource runtime.sh': [TOOLS],
    'export WANTED="${0%/*}/runtime.sh"\ntimeout -k 1 5 bash "$GITHUB_WORKSPACE/tools/exported.sh"': [
        "tools/exported.sh",
        BESIDE,
    ],
    'timeout 5 env WANTED="${0%/*}/runtime.sh" bash "$GITHUB_WORKSPACE/tools/exported.sh"': [
        "tools/exported.sh",
        BESIDE,
    ],
    'env WANTED="${0%/*}/runtime.sh" bash "$GITHUB_WORKSPACE/tools/exported.sh"': ["tools/exported.sh", BESIDE],
    'x=\n$x bash $y "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    '"$BASH" "$GITHUB_WORKSPACE/tools/helper"': ["tools/helper", TOOLS],
    "run='bash -eu'\n$run \"$GITHUB_WORKSPACE/tools/helper\"": ["tools/helper", TOOLS],
    "BASH_ENV= bash -c :": [],
    # nothing
    'echo "source $0/x.sh"': [],
    "cat <<'X'\nsource nowhere.sh\nX": [],
    "# source nowhere.sh": [],
    "jq -n '. as $x | .source'": [],
    'command -v source > /dev/null': [],
    'if false; then source "$1"; fi': [],
    'if [ -n "${WANTED:-}" ]; then source "$WANTED"; fi': [],
    '[[ "$0" != "${BASH_SOURCE[0]}" ]] && source "$1"': [],
    '[ -L "$0" ] && source "$1"': [],
}  # fmt: skip


def name_of(script: str) -> str:
    return re.sub(r"[^\w$./-]+", "_", script)[:70]


@needs_bash_5
@pytest.mark.parametrize(
    ("script", "expected"), [pytest.param(*item, id=name_of(item[0])) for item in RESOLVED.items()]
)
def test_bash_loads_just_these(script: str, expected: list[str], tmp_path: Path) -> None:
    found = siblings_of(script)
    assert found == expected
    assert loaded_by_bash(script, tmp_path) == set(found)


def test_a_file_that_sources_itself_is_followed_once() -> None:
    assert siblings_of('source "${0%/*}/../shared/circle.sh"') == [".github/shared/circle.sh"]


def test_a_function_that_calls_itself_without_end_is_followed_so_far() -> None:
    loading = 'f() { source "${0%/*}/${2:-runtime}.sh"; f "x$1"; }\nf a'
    with pytest.raises(SourceUnresolvable) as caught:
        siblings_of(loading)
    assert caught.value.message.endswith("told: $2 is an argument")
    assert siblings_of('f() { f "x$1"; }\nf a\nsource "${0%/*}/runtime.sh"') == [BESIDE]


def test_a_program_is_started_with_the_variables_env_gives_it() -> None:
    script = 'timeout 5 env WANTED="${0%/*}/runtime.sh" "$GITHUB_WORKSPACE/tools/exported.sh"'
    assert siblings_of(script) == ["tools/exported.sh", BESIDE]


def test_a_trap_is_followed_with_what_holds_at_the_end() -> None:
    script = "F=other.sh\ntrap 'source \"${0%/*}/$F\"' EXIT\nF=runtime.sh"
    assert siblings_of(script) == [".github/graders/other.sh", BESIDE]


def test_the_evaluator_may_call_itself() -> None:
    assert siblings_of('if [ "$1" = x ]; then bash "$0" y; "$0" z; fi') == []


def test_every_way_on_is_taken() -> None:
    script = 'if [ "$1" ]; then f=runtime.sh; source "${0%/*}/$f"; else f=other.sh; source "${0%/*}/$f"; fi'
    assert siblings_of(script) == [BESIDE, ".github/graders/other.sh"]


def test_a_way_that_ends_the_script_leaves_nothing_behind() -> None:
    script = 'D="${0%/*}"\nif [ "$1" = x ]; then D=/nowhere; { echo; exit 1; }; fi\nsource "$D/runtime.sh"'
    assert siblings_of(script) == [BESIDE]
    script = 'D="${0%/*}"\n[ "$1" ] && exit 1\ncase $1 in x) D=/; exit ;; esac\n. "$D/runtime.sh"'
    assert siblings_of(script) == [BESIDE]


def test_code_of_other_languages_is_laid_beside_and_not_followed() -> None:
    files = {"tools/a.jq": ".x", "tools/b.py": "source nowhere", "tools/c.awk": "{}", "tools/data.json": "{}"}
    script = (
        'D="$GITHUB_WORKSPACE/tools"\njq -f "$D/a.jq" "$D/data.json"\npython3 "$D/b.py"\nawk -f"$D/c.awk"\n'
        'jq --from-file="$D/absent.jq"'
    )
    assert siblings_of(script, files) == ["tools/a.jq", "tools/b.py", "tools/c.awk"]


@pytest.mark.parametrize("suffix", ["sh", "bash", "jq", "awk", "sed", "py", "js", "mjs", "cjs", "pl", "rb"])
def test_an_argument_is_a_program_by_its_suffix(suffix: str) -> None:
    files = {f"tools/a.{suffix}": "", "tools/a.txt": "", "tools/a": ""}
    for argument in (f"/a.{suffix}", f"/x/../a.{suffix}"):
        script = f'run "$GITHUB_WORKSPACE/tools{argument}" "$GITHUB_WORKSPACE/tools/a.txt" "$GITHUB_WORKSPACE/tools/a"'
        assert siblings_of(script, files) == [f"tools/a.{suffix}"]
    assert siblings_of(f'run "$GITHUB_WORKSPACE/../tools/a.{suffix}"', files) == []


@pytest.mark.parametrize(
    ("name", "text", "followed"),
    [
        ("a.sh", "", True),
        ("a.bash", "", True),
        ("a.py", "", False),
        ("a.py", "#!/bin/sh\n", True),
        ("a.py", "#!/usr/bin/env bash\n", True),
        ("a.py", "#!/usr/bin/python\n", False),
        ("a", "", True),
    ],
)
def test_a_helper_is_followed_where_it_is_bash(name: str, text: str, followed: bool) -> None:
    files = {f"tools/{name}": f'{text}source "$GITHUB_WORKSPACE/tools/b.sh"\n', "tools/b.sh": ""}
    expected = [f"tools/{name}", "tools/b.sh"] if followed else [f"tools/{name}"]
    assert siblings_of(f'"$GITHUB_WORKSPACE/tools/{name}"', files) == expected


def test_looking_at_a_file_is_not_running_it() -> None:
    script = '[ -f "${0%/*}/runtime.sh" ]; ls "${0%/*}/runtime.sh"; echo "$GITHUB_WORKSPACE/tools/runtime.sh"'
    assert siblings_of(script) == []
