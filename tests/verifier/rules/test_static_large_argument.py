"""Whole lists that are arguments of programs."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-large-argument"
_JOIN = "jq -s 'if all(type == \"array\") then add else null end'"
_READ = f'pages() {{ gh api --paginate "repos/$1/issues/$2/events" | {_JOIN}; }}\n'


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api --paginate "repos/$r/labels")"\njq -n --argjson seen §"$x" 1\n',
        'x="$(gh api "repos/$r/issues/$n/timeline?per_page=100")" || x="[]"\njq -n --arg seen §"$x" 1\n',
        'x="$(gh api --paginate repos/a/b/tags 2>"$TMPDIR/x")"\njq -n --argjson seen §"$x" 1\n',
        'jq -n --argjson seen §"$(gh api --paginate repos/a/b/tags)" 1\n',
        _READ + 'f() {\n  local x\n  x=$(pages "$r" "$n")\n  jq -c --argjson seen §"$x" 1 <<<"$request"\n}\n',
        _READ + 'f() { jq -n --argjson seen §"$2" 1; }\nx="$(pages a 1)"\nf "$n" "$x"\n',
        _READ + 'f() { local y="$1"; jq -n --argjson seen §"$y" 1; }\nif ! x="$(pages a 1)"; then exit 1; fi\nf "$x"\n',
        'x="$(gh api --paginate repos/a/b/tags)"\ny="$(jq -s \'add // []\' <<<"$x")"\npython3 -c 1 §"$y"\n',
        'x="$(gh api --paginate repos/a/b/tags)"\ny="$(printf "%s\\n" "$x" | jq -s add)"\njq -n 1 --args §"${y:-[]}"\n',
        'x="$(gh api --paginate repos/a/b/tags)"\nx="$(jq -s add <<<"$x")"\njq -n --argjson seen §"$x" 1\n',
        'x="$(for p in 1 2; do gh api "repos/a/b/tags?page=$p"; done)"\nenv jq -n --jsonargs 1 §"$x"\n',
        'x=""\nx="$(gh api --paginate repos/a/b/tags || true)"\ngh api repos/a/b -f §body="$x"\n',
    ],
)
def test_a_whole_list_as_an_argument_is_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api --paginate repos/a/b/tags)"\njq 1 <<<"$x"\nprintf "%s\\n" "$x" | jq -s add\n[[ -n "$x" ]]\n',
        'x="$(gh api --paginate repos/a/b/tags)"\n[ "$x" = "[]" ] || echo "$x" >&2\ntest -n "$x"\n',
        'x="$(gh api --paginate repos/a/b/tags --jq length)"\njq -n --argjson seen "$x" 1\n',
        'x="$(gh api repos/a/b/issues/1)"\njq -n --argjson seen "$x" 1\n',
        'x="$(gh api "repos/a/b/tags?per_page=1")"\njq -n --argjson seen "$x" 1\n',
        'x="$(gh api --paginate repos/a/b/tags | jq -s "add | length")"\njq -n --argjson seen "$x" 1\n',
        'x="$(gh api --paginate repos/a/b/tags)"\nx="$(jq length <<<"$x")"\njq -n --argjson seen "$x" 1\n',
        'x="$(gh api --paginate repos/a/b/tags)"\njq -n --argjson n "${#x}" --argjson m "$(jq length <<<"$x")" 1\n',
        _READ + 'f() { jq length <<<"$1"; }\nx="$(pages a 1)"\njq -n --argjson seen "$(f "$x")" 1\n',
        _READ + 'f() { shift; jq -n --arg n "$1" 1; }\nf "$(pages a 1)" 2\n',
        'f() { local x; x="$(gh api --paginate repos/a/b/tags)"; jq length <<<"$x"; }\ng() { jq -n --arg x "$x" 1; }\n',
        'gh api --paginate repos/a/b/tags >"$TMPDIR/x"\njq -n --slurpfile x "$TMPDIR/x" \'$x\'\n',
        'x="$(gh api --paginate repos/a/b/tags >"$TMPDIR/x")"\njq -n --argjson seen "$x" 1\n',
        'x="$(cat)"\njq -n --argjson seen "$x" 1\n',
    ],
)
def test_what_is_small_or_goes_by_standard_input_is_fine(text: str) -> None:
    expect_nothing(_ID, text)
