"""Which scripts handle ``--definition``, and which only mention it."""

import pytest

from tests.bash.trees import closure_of

HANDLED = [
    'case "${1:-}" in --definition) a ;; esac',
    'case "$1" in\n  --definition|-d) a ;;\n  *) b ;;\nesac',
    "case $1 in -d | --definition) a ;; esac",
    'case "$1" in "--definition") a ;; esac',
    "case \"$1\" in '--definition') a ;; esac",
    'case "$1" in --"definition") a ;; esac',
    'case "$1" in (--definition) a ;; esac',
    'case "$1" in --def*) a ;; esac',
    'case "$1" in --definition*) a ;; esac',
    'case "$1" in --[d]efinition) a ;; esac',
    'shopt -s extglob\ncase "$1" in @(--definition|-d)) a ;; esac',
    'shopt -s extglob\ncase "$1" in --@(definition|metric)) a ;; esac',
    'case "$1:$#" in --definition:1) a ;; esac',
    'case "x$1" in x--definition) a ;; esac',
    'mode="${1:-}"\ncase "$mode" in --definition) a ;; esac',
    'while [ $# -gt 0 ]; do case "$1" in --definition) m=d ;; esac; shift; done',
    'for a in "$@"; do case "$a" in --definition) b ;; esac; done',
    'main() { case "$1" in --definition) a ;; esac; }\nmain "$@"',
    '[ "$1" = "--definition" ] && a',
    '[ "$1" = --definition ] && a',
    '[ "$1" == "--definition" ] && a',
    '[ "--definition" = "$1" ] && a',
    '[ "$1" != "--definition" ] || a',
    '[ x"$1" = x--definition ] && a',
    '[ "x$1" = "x--definition" ] && a',
    'if [ $# -eq 1 -a "$1" = --definition ]; then a; fi',
    'test "$1" = --definition && a',
    "if [[ $1 == --definition ]]; then a; fi",
    'if [[ "${1:-}" = "--definition" ]]; then a; fi',
    "[[ $# == 1 && ( $1 == --definition || $1 == -d ) ]] && a",
    "[[ $1 != --definition ]] || a",
    "[[ $1 =~ ^--definition$ ]] && a",
    "[[ $1 =~ ^--(definition|metric)$ ]] && a",
    "[[ $1 == --@(definition|metric) ]] && a",
    '[[ " $* " == *" --definition "* ]] && a',
    'if ! [ "$1" = --definition ]; then a; fi',
    'x="$([ "$1" = --definition ] && echo yes)"',
    'readonly MODE=--definition\n[ "$1" = "$MODE" ] && a',
    'D="--definition"\ncase "$1" in "$D") a ;; esac',
    'case "${1#--}" in definition) a ;; esac',
    'mode="${1##--}"\ncase "$mode" in definition) a ;; esac',
    'mode=${1/--/}\n[ "$mode" = definition ] && a',
    'case "${1//-/}" in definition) a ;; esac',
    "eval 'case $1 in --definition) a ;; esac'",
    "bash -c 'case $1 in --definition) a ;; esac' x \"$1\"",
    'source "${0%/*}/../lib/modes.sh"',
    'exec bash "${0%/*}/../lib/modes.sh" "$@"',
]

NOT_HANDLED = [
    "",
    "# --definition",
    'echo "usage: $0 --definition" >&2',
    "cat <<X\n--definition\nX",
    "cat <<'X'\ncase $1 in --definition) ;; esac\nX",
    "printf '%s\\n' 'case \"$1\" in --definition) a ;; esac'",
    'MODES="--definition --metric"',
    "modes=(--definition --metric)",
    "bash other.sh --definition",
    "helper --definition | jq .",
    "case --definition in a) b ;; esac",
    '[ -n "--definition" ] && a',
    '[ "--definition" = "--definition" ] && a',
    'case "$1" in --*) a ;; esac',
    'case "$1" in *) a ;; esac',
    'case "$1" in --definitions) a ;; esac',
    'case "$1" in "--def*") a ;; esac',
    'case "$1" in definition) a ;; esac',
    'case "$1" in --metric) a ;; --grade-run) b ;; esac',
    '[ "$1" = --metric ] && a',
    '[ "$1" = definition ] && a',
    '[ "$1" -eq 1 ]',
    "[[ $1 == *definition* ]]",
    "[[ $1 =~ definition ]]",
    'jq -e \'.metrics == "--definition"\' "$1"',
    'session="$1"\njq -s "[.[] | .id]" "$session"',
    'case "$x" in "$y"--definition) a ;; esac',
]


@pytest.mark.parametrize("script", HANDLED)
def test_a_comparison_with_the_word_handles_it(script: str) -> None:
    files = {".github/lib/modes.sh": 'case "$1" in --definition) a ;; esac\n'}
    assert closure_of(script, files).handles_definition is True


@pytest.mark.parametrize("script", NOT_HANDLED)
def test_a_mere_mention_does_not(script: str) -> None:
    assert closure_of(script).handles_definition is False
