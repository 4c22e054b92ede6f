#!/usr/bin/env bash
# Usage: verify-operational-value-evaluator.sh PATH
#
# Verifies one operational-value evaluator with opvalue. Prints "verified PATH" and ends with 0, or says on standard
# error what is wrong and ends with 1. Nothing of the folder it is started in is run or imported, but for the evaluator.
set -euo pipefail

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

[[ $# -eq 1 ]] || fail "usage: ${0##*/} PATH"
readonly GIVEN="$1"
path="$1"
[[ -f "$path" ]] || fail "evaluator not found: $path"
[[ -x "$path" ]] || fail "evaluator is not executable: $path (chmod +x)"
case "$path" in
  /*) ;;
  *) path="./$path" ;;
esac

# An opvalue below the folder one stands in is not trusted: only absolute places of PATH count.
here="$(pwd -P)"
opvalue=""
IFS=: read -r -a places <<<"${PATH:-}"
for place in ${places[@]+"${places[@]}"}; do
  case "$place" in
    /*) ;;
    *) continue ;;
  esac
  folder="$(cd "$place" 2>/dev/null && pwd -P)" || continue
  if [[ "$folder" != "$here" && -f "$folder/opvalue" && -x "$folder/opvalue" ]]; then
    opvalue="$folder/opvalue"
    break
  fi
done

# The package's own console script is started isolated from PYTHONPATH and the like; as a module, with -P.
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP
if [[ -n "$opvalue" ]]; then
  set -- "$opvalue"
elif python3 -P -c 'import opvalue, verifier' >/dev/null 2>&1; then
  set -- python3 -P -m opvalue
else
  fail "opvalue is not installed: pipx install opvalue (or pip install opvalue; see https://github.com/opvalue/opvalue)"
fi

"$@" verify "$path" >&2 || exit 1
printf 'verified %s\n' "$GIVEN"
