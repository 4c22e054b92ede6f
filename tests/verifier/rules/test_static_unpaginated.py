"""Lists of which the first page is read alone."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing, findings_of, subject_of

_ID = "static-unpaginated"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api §"repos/$r/issues/$n/timeline")"\n',
        'x="$(gh api §"repos/$r/issues/$n/comments?per_page=100")"\n',
        'x="$(gh api -X GET §"repos/$r/pulls" -f state=all -f per_page=100)"\n',
        'x="$(gh api -H "Accept: application/json" §"/repos/$r/commits/$s/check-runs")"\n',
        'url="repos/$r/pulls/1/files"\nx="$(gh api §repos/a/b/pulls/1/files)"\n',
        'x="$(gh api --paginate=false §"repos/$r/issues")"\n',
        'all() { gh api "$@"; }\nx="$(all §"repos/$r/issues" --jq length)"\n',
        'one() { gh api "repos/a/b/$1"; }\nx="$(one §issues)"\ny="$(one "issues/$n")"\n',
        'one() { gh api "$1" --jq length; }\nx="$(one §"repos/$r/pulls/1/files")"\n',
        'one() { local path="$2"; gh api "$path"; }\nx="$(one a §"repos/$r/pulls/1/files")"\n',
        'retry() { "$@" || "$@"; }\nx="$(retry gh api §"repos/$r/issues")"\n',
        'gh() { command gh "$@"; }\nx="$(gh api §"repos/$r/issues")"\n',
        'x="$(gh api §"repos/$r/issues?per_page=30")"\n',
        'x="$(gh api -XGET §"repos/$r/issues" -F per_page=100)"\n',
        'x="$(gh api §"repos/$r/issues" -X)"\n',
        'P=repos/a/b/tags\nx="$(gh api §"$P")"\n',
        'x="$(gh api §"https://api.github.com/repos/$r/releases")"\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api ¶"repos/$r/pulls?head=a:$b")"\n',
        'q=\'{ a { b(first: 50) { nodes { id } } } }\'\nx="$(¶gh api graphql -f query="$q")"\n',
        "x=\"$(¶gh api graphql -f query='{ a { b(first: 100) { nodes { id } } } }')\"\n",
    ],
)
def test_what_may_be_meant_is_a_note(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api --paginate "repos/$r/issues/$n/timeline")"\n',
        'x="$(gh api "repos/$r/issues?per_page=29")"\n',
        'one() { gh api "$1"; }\ntwo() { gh api --paginate "$1"; }\nx="$(two "repos/$r/issues")"\n',
        'one() { gh api --paginate "$1"; }\nx="$(one "repos/$r/issues")"\n',
        'one() { local n="$1"; shift; gh api "$@"; }\nx="$(one "repos/$r/issues")"\n',
        'one() { local x="$1" x=b; gh api "$x" "$3"; }\nx="$(one "repos/$r/issues")"\n',
        'page() { gh api "$1&page=$2"; }\nx="$(page "repos/$r/issues?per_page=100" 2)"\n',
        'x="$(gh api --paginate=true "repos/$r/issues/$n/timeline")"\n',
        'x="$(gh api --paginate --slurp "repos/$r/issues?per_page=100")"\n',
        'while :; do x="$(gh api "repos/$r/issues?per_page=100&page=$p")"; done\n',
        'x="$(gh api -X GET "repos/$r/issues" -F per_page=100 -F page="$p")"\n',
        'x="$(gh api "repos/$r/pulls?per_page=1&sort=updated")"\n',
        'x="$(gh api "repos/$r/issues/$n")"\n',
        'x="$(gh api "repos/$r/contents/docs/comments")"\n',
        'x="$(gh api "repos/$r/issues/$n/comments" -f body=hello)"\n',
        'x="$(gh api "${options[@]}" "repos/$r/issues")"\n',
        'api() { gh api --paginate "$@"; }\nx="$(api "repos/$r/issues")"\n',
        'x="$(gh api "$url")"\n',
        'x="$(gh api "repos/$r/actions/runs/$id/jobs")"\njq -e \'.total_count == (.jobs | length)\' <<<"$x"\n',
        'x="$(gh api "repos/$r/issues?per_page=100")"\n[ "$(jq length <<<"$x")" -lt 100 ] || exit 1\n',
        "x=\"$(gh api graphql --paginate -f query='{ a { b(first: 100, after: $endCursor) { nodes { id } } } }')\"\n",
        "x=\"$(gh api graphql -f query='{ a { b(first: 100) { pageInfo { hasNextPage } } } }')\"\n",
        "x=\"$(gh api graphql -f query='{ viewer { login } }')\"\n",
        "# gh api repos/a/b/issues\necho 'gh api repos/a/b/issues'\n",
        "gh api\n",
        "gh api -i --hostname=x --jq\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)


def test_the_number_is_named() -> None:
    (found,) = findings_of(_ID, subject_of("gh api repos/a/b/issues\n"))
    assert found.message == "only the first 30 of issues are read"
