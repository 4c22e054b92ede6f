"""Failures of gh that end as a value."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-swallowed-failure"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(«gh api repos/a/b || echo 0)"\n',
        'x="$(«gh api repos/a/b --jq length 2>/dev/null || printf "0\\n")"\n',
        'x="$(«gh api repos/a/b)" || x=0\n',
        'x="$(«gh api repos/a/b | jq length)" || { echo no >&2; x=1; }\n',
        "«gh api repos/a/b && echo 1 || echo 0\n",
        'count() { gh api a | jq length; }\nx="$(«count || echo 0)"\n',
        'gh() { command gh "$@"; }\nx="$(«gh api a || echo 0)"\n',
        'g=gh\nx="$(«$g api a || echo 0)"\n',
        'x="$(«gh api a || jq -n 0)"\n',
        'x="$(«gh api a)" || y=0\necho "$y"\n',
        'gh api b\nx="$(«gh api a)" || x=0\n[[ "$x" == 0 ]]\n',
        'safe() { shift; «"$@" || echo 0; }\nx="$(safe a gh api a)"\n',
        'x="$(«gh api a)" || { echo no >&2; x=0; }\n',
        'count() { local y; y="$(gh api a)" || return 1; jq length <<<"$y"; }\nx="$(«count)" || x=0\n',
    ],
)
def test_a_number_for_a_failure_is_an_error(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'x="$(§gh api repos/a/b || echo \'[]\')"\njq length <<<"$x"\n',
        'x="$(§gh api repos/a/b || true)"\njq length <<<"$x"\n',
        'x="$(§gh api repos/a/b 2>/dev/null)" || :\njq length <<<"$x"\n',
        'api() { §gh api "$@" 2>/dev/null || true; }\nx="$(api a)"\njq length <<<"$x"\n',
        'f() { local x="$(§gh api repos/a/b)"; echo "$x"; }\nf\n',
        'export x="$(§gh api repos/a/b)"\n',
        'echo "$(§gh api repos/a/b --jq length)"\n',
        'jq length <<<"$(§gh api repos/a/b)"\n',
        '[[ -n "$(§gh api repos/a/b)" ]]\n',
        "for x in $(§gh api repos/a/b --jq '.[]'); do echo \"$x\"; done\n",
        'while read -r x; do echo "$x"; done < <(§gh api repos/a/b)\n',
        'x="$(§gh api repos/a/b; echo done)"\n',
        'x="$(§gh api a --jq .locked || echo false)"\n[[ "$x" == true ]] && echo 1\n',
        'safe() { §"$@" 2>/dev/null || echo "[]"; }\nx="$(safe gh api a)"\njq length <<<"$x"\n',
        'f() { x="$(§gh api a | jq .)"; }\nset +o pipefail\nf\n',
        'retry() { "$@" || "$@"; }\nx="$(retry §gh api a || true)"\njq . <<<"$x"\n',
        'gh() { command §gh "$@" || echo "{}"; }\nx="$(gh api a)"\njq .a <<<"$x"\n',
        'x="$(§gh api a || jq -n -c \'[]\')"\njq length <<<"$x"\n',
        'x="$(§gh api a)" || echo no >&2\njq length <<<"$x"\n',
        'x="$(§gh api a)" || { echo no >&2; }\njq length <<<"$x"\n',
        '§gh api a >"$d/a.json" || echo "[]" >"$d/a.json"\njq length "$d/a.json"\n',
        'set +e\nx="$(§gh api a 2>/dev/null)"\nset -e\njq . <<<"$x"\n',
        'f() {\n  set +e\n  x="$(§gh api a 2>/dev/null)"\n  jq . <<<"$x"\n}\nf\n',
        'set +o pipefail\nx="$(§gh api a | jq .)"\n',
        'x="$(§gh api repos/a/b || echo \'{"items":[],"total_count":0}\')"\njq length <<<"$x"\n',
        'pages() { gh api --paginate "$1" | jq -s add; }\nf() { local x="$(§pages a)"; echo "$x"; }\nf\n',
        'pages() { gh api "$1"; }\nwhile read -r x; do echo "$x"; done < <(§pages a)\n',
        'f() {\n  if ! echo "$(§gh api a)"; then return 1; fi\n}\njq . <<<"$(f)"\n',
        'die() { exit 1; }\none() { gh api a || die; }\ntwo() { one || return 1; }\njq length <<<"$(§two)"\n',
    ],
)
def test_a_lost_status_is_a_warning(text: str) -> None:
    expect_marked(_ID, text)


def test_a_pipeline_without_pipefail() -> None:
    expect_marked(_ID, "set -eu\nx=\"$(§gh api repos/a/b | jq -s 'add')\"\n", strict=False)


def test_a_silenced_call_without_errexit() -> None:
    expect_marked(_ID, 'set -uo pipefail\nx="$(§gh api a 2>/dev/null)"\necho 1\n', strict=False)
    expect_marked(_ID, 'set -uo pipefail\nx="$(gh api a)"\necho 1\n', strict=False)


@pytest.mark.parametrize(
    "text",
    [
        'f() { local x="$(¶jq -r .a)"; echo "$x"; }\nf\n',
        'f() { gh api a; }\nx="$(¶f || echo \'{}\')"\njq length <<<"$x"\n',
        'x="$(¶jq length <<<"$y" || echo 0)"\n',
        "if ¶gh api a >/dev/null 2>&1; then has=1; else has=0; fi\n",
        'if ! x="$(¶gh api a)"; then x=\'[]\'; fi\njq length <<<"$x"\n',
        'if ! ¶gh api a >"$d/a"; then echo "[]" >"$d/a"; fi\n',
        "if ¶gh api a >/dev/null; then has=true; else has=false; fi\n",
        'if ! x="$(¶gh api a)"; then\n  echo no >&2\n  x=0\nfi\n',
        'if ! x="$(¶gh api a)"; then x=0; fi\n',
        'f() {\n  local x\n  x="$(¶gh api a)"\n  jq length <<<"$x"\n}\ny="$(f)"\n',
        'g() {\n  ¶gh api a >"$1"\n  echo 1\n}\nf() { g x; }\nif f; then echo 1; fi\n',
    ],
)
def test_what_may_be_meant_is_a_note(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api repos/a/b)"\njq length <<<"$x"\n',
        'x="$(gh api repos/a/b)" || exit 1\n',
        'x="$(gh api repos/a/b 2>/dev/null)" || fail "no answer"\n',
        'x="$(gh api repos/a/b || echo null)"\n',
        'x="$(gh api repos/a/b || true)"\n[[ -n "$x" ]] || exit 1\n',
        'x="$(gh api repos/a/b || true)"\nif [ -z "${x:-}" ]; then exit 1; fi\n',
        'x="$(gh api repos/a/b || true)"\ny="${x:?no answer}"\n: "${x:?no answer}"\n',
        'x="$(gh api repos/a/b || true)"\ncase "$x" in "") exit 1 ;; esac\n',
        'if ! x="$(gh api repos/a/b 2>/dev/null)"; then fail "no answer"; fi\n',
        'if x="$(gh api repos/a/b)"; then echo "$x"; else echo null; fi\n',
        'x="$(gh api --paginate repos/a/b | jq -s add)"\n',
        'gh api repos/a/b | while read -r x; do echo "$x"; done\n',
        'set +e\nx="$(gh api a 2>/dev/null)"\nstatus=$?\nset -e\n',
        'set +e\nx="$(gh api a 2>/dev/null)"\nset -e\n[[ -n "$x" ]] || exit 1\n',
        '( set +e; echo )\nx="$(gh api a 2>/dev/null)"\njq . <<<"$x"\n',
        'f() { set +e; }\nx="$(gh api a 2>/dev/null)"\njq . <<<"$x"\n',
        'set +e\nset -e\nx="$(gh api a 2>/dev/null)"\njq . <<<"$x"\n',
        'x="$(gh api a)" || { echo 0; exit 1; }\n',
        'if ! x="$(gh api a)"; then\n  x=0\n  exit 1\nfi\n',
        'x="$(gh api a || jq -n null)"\n',
        'failed=0\nx="$(gh api a)" || failed=1\n[[ "$failed" == 0 ]] || exit 1\n',
        'failed=0\nx="$(gh api a)" || failed=1\n(( failed == 0 )) || exit 1\n',
        'ok=true\nx="$(gh api a)" || { echo no >&2; ok=false; }\nif [ "$ok" = false ]; then exit 1; fi\n',
        'safe() { "$@" || echo "[]"; }\nx="$(safe jq . <<<"$y")"\njq length <<<"$x"\n',
        'f() { x="$(gh api a | jq .)"; }\nset +o pipefail\nset -o pipefail\nf\n',
        'if ! x="$(gh api a)"; then x=\'\'; fi\n[[ -n "$x" ]] || exit 1\n',
        "if gh api a >/dev/null; then echo 1; else has=null; fi\n",
        'x="$(gh api a || jq .a <<<"$y")"\n',
        'gh api a >"$d/a.json" || true\n[[ -s "$d/a.json" ]] || exit 1\n',
        'read_to() { gh api "$1" >"$2" || true; }\nread_to a "$f"\n[[ -s "$f" ]] || exit 1\n',
        'api() { gh api "$@" 2>/dev/null; }\nx="$(api a)" || exit 1\n',
        'f() { local x; x="$(gh api a)" || return 1; echo "$x"; }\ny="$(f)" || exit 1\n',
        'f() {\n  local x\n  x="$(gh api a)"\n  echo "$x"\n}\nf\n',
        "# x=$(gh api a || echo 0)\n",
        "echo 'gh api a || echo 0'\n",
        "cat <<'END'\nx=$(gh api a || echo 0)\nEND\n",
        'rm -f "$x" || true\n',
        'y="$(sed -n 1p file || true)"\n',
        'echo "$(gh --version)"\n',
        'x="$(gh api a || { echo failed >&2; exit 1; })"\n',
        'x="$(gh api a 2>&1)" || status=$?\n',
        'f() { gh api a; }\nx="$(f)" || x=null\n',
        'f() { gh api a; }\nif ! x="$(f)"; then exit 1; fi\n',
        'f() { local x; x="$(gh api a)" || x=null; echo "$x"; }\necho "$(f)"\n',
        'f() { gh --version; }\necho "$(f)"\n',
        'x="$(gh api repos/a/b || echo \'{"state":"unknown"}\')"\n',
    ],
)
def test_what_is_right(text: str) -> None:
    expect_nothing(_ID, text)
