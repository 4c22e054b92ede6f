#!/usr/bin/env bash
# What the action does: install opvalue into a folder of its own, outside of the checkout, verify the evaluators, show
# findings beside the lines and on the summary page. Everything the caller says comes in by OPVALUE_* variables.
#
# The checkout is data: Python starts isolated (-I: no PYTHONPATH, no user site, not the current folder), nothing is
# installed from it, and no program of it is run but the evaluators, in opvalue's sandbox.
set -euo pipefail

fail() {
  printf '::error title=opvalue::%s\n' "$1"
  exit 2
}

truth() {
  case "$1" in
    true) return 0 ;;
    false | "") return 1 ;;
    *) fail "an input must be true or false" ;;
  esac
}

one_of() {
  local name="$1" given="$2" word
  shift 2
  for word in "$@"; do
    [[ "$given" != "$word" ]] || return 0
  done
  fail "the input $name must be one of: $*"
}

: "${GITHUB_WORKSPACE:?}" "${RUNNER_TEMP:?}"
one_of profile "${OPVALUE_PROFILE:=default}" quick default thorough
one_of contract "${OPVALUE_CONTRACT:=schema-4}" schema-4 session
package="${OPVALUE_PACKAGE:-opvalue}"
case "$package" in
  -*) fail "the input package must not begin with a dash" ;;
esac

# The folder is new, so nothing that an earlier step left can be in it.
place="$(mktemp -d "$RUNNER_TEMP/opvalue.XXXXXX")"
trap 'rm -rf "$place"' EXIT
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP PIP_CONFIG_FILE PIP_TARGET PIP_PREFIX PIP_USER BASH_ENV ENV
cd "$place"
"${OPVALUE_PYTHON:-python3}" -I -m venv "$place/venv"
"$place/venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-input "$package"

cd "$GITHUB_WORKSPACE"
scripts=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  case "$line" in
    "") continue ;;
    /* | -* | .. | ../* | */../* | */..) fail "paths are relative to the repository's root and stay in it" ;;
    *[*?[]*) found="$(compgen -G "$line" | LC_ALL=C sort || :)" ;;
    *) found="$line" ;;
  esac
  while IFS= read -r path; do
    [[ -z "$path" ]] || scripts+=("./$path")
  done <<<"$found"
done <<<"${OPVALUE_PATHS:-.github/graders/*.sh}"
if [[ ${#scripts[@]} -eq 0 ]]; then
  printf '::notice title=opvalue::no evaluator matches the paths\n'
  printf 'failed=false\n' >>"${GITHUB_OUTPUT:-/dev/null}"
  exit 0
fi

words=(verify --format annotations --contract "$OPVALUE_CONTRACT")
[[ "$OPVALUE_PROFILE" == default ]] || words+=("--$OPVALUE_PROFILE")
if truth "${OPVALUE_STRICT:-}"; then words+=(--strict); fi
if truth "${OPVALUE_HISTORY:-}"; then words+=(--checkout "$GITHUB_WORKSPACE"); fi
if truth "${OPVALUE_REQUIRE_SANDBOX:-}"; then words+=(--require-sandbox); fi
[[ -z "${OPVALUE_CASES:-}" ]] || words+=(--cases "./$OPVALUE_CASES")
[[ -z "${OPVALUE_SARIF:-}" ]] || words+=(--sarif "./$OPVALUE_SARIF")
[[ -z "${GITHUB_STEP_SUMMARY:-}" ]] || words+=(--step-summary "$GITHUB_STEP_SUMMARY")

status=0
"$place/venv/bin/python" -I -m opvalue "${words[@]}" -- "${scripts[@]}" || status=$?
if [[ $status -eq 0 ]]; then failed=false; else failed=true; fi
printf 'failed=%s\n' "$failed" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
