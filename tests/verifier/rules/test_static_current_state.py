"""Today's state read as that of the cutoff."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-current-state"
_GH = 'x="$(gh api "repos/$r/issues/$n")"\n'


@pytest.mark.parametrize(
    "text",
    [
        _GH + 'jq \'if §.state == "closed" then 1 else 0 end\' <<<"$x"\n',
        _GH + 'jq \'(§.state | ascii_downcase) == "open"\' <<<"$x"\n',
        _GH + 'y="$(jq -r §.state <<<"$x")"\n[[ "$y" == closed ]]\n',
        _GH + 'y="$(jq -r \'§.state // "open"\' <<<"$x")"\ncase "$y" in open|closed) echo 1 ;; esac\n',
        _GH + 'y="$(jq -r §.state <<<"$x")"\nif [ "$y" = "OPEN" ]; then echo 1; fi\n',
        _GH + "jq -e 'select(§.closed_at <= $c)' <<<\"$x\"\n",
        _GH + "jq '.a,\n  §.stateReason' <<<\"$x\"\n",
        'x="$(gh api "repos/$r/pulls/$n" --jq \'§.merged\')"\n',
        'x="$(gh api "repos/$r/pulls/$n" --jq §.state)"\n',
        'x="$(gh api --paginate §"repos/$r/issues?state=closed&per_page=100")"\n',
        'x="$(gh api --method GET §"repos/$r/pulls" -f state=open --paginate)"\n',
        _GH + "# /timeline\njq -n '\"/timeline\"'\njq '§.closed_at' <<<\"$x\"\n",
        _GH + "jq '[¶.labels[].name]' <<<\"$x\"\n",
        _GH + "jq '¶.milestone.title' <<<\"$x\"\n",
        _GH + "jq '¶.assignees | length' <<<\"$x\"\n",
        'x="$(gh api §"repos/$r/contents/README.md")"\n',
        'x="$(gh api -X GET §"repos/a/b/contents/x.json" -f ref=main)"\n',
        'x="$(gh api §"repos/$o/$n/readme" --jq .size)"\n',
        'x="$(gh api ¶"repos/$r/contents/$path")"\n',
        'x="$(gh api §"repos/$r/git/trees/main?recursive=1")"\n',
        'x="$(gh api §"repos/$r/git/ref/heads/main")"\n',
        'x="$(gh api §"repos/$r/commits/HEAD")"\n',
        'x="$(gh api §"repos/$r/branches/main" --jq .commit.sha)"\n',
        'gh api §"repos/$r/tarball" >"$x"\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        _GH + 'y="$(gh api --paginate "repos/$r/issues/$n/timeline")"\njq \'.state == "closed", .closed_at\' <<<"$x"\n',
        _GH + 'jq \'.state == "APPROVED"\' <<<"$x"\n',
        _GH + "jq '.merged_at != null and .merged_at <= $c and .merged' <<<\"$x\"\n",
        _GH + "jq '.closed_at_all, .statement, .merged_by' <<<\"$x\"\n",
        _GH + "# jq '.closed_at'\necho '.state == \"closed\"'\n",
        'jq \'.state == "closed"\' <<<"$x"\n',
        _GH + 'y="$(jq -r .state <<<"$x")"\n[[ "$y" == APPROVED ]]\n',
        _GH + 'y="$(jq -r .statement <<<"$x")"\n[[ "$y" == closed ]]\n',
        'x="$(gh api "repos/$r/branches/main/protection")"\ny="$(gh api "repos/$r/branches/$b")"\n',
        'x="$(gh api --paginate "repos/$r/issues?state=all&per_page=100")"\n',
        'x="$(gh api "repos/$r/deployments/1/statuses" --jq .state)"\n',
        'x="$(gh api "repos/$r/contents/README.md?ref=$sha")"\n',
        'x="$(gh api -X GET repos/a/b/contents/x.json -f ref="$sha")"\n',
        'x="$(gh api "repos/$r/git/trees/$sha?recursive=1")"\ny="$(gh api "repos/$r/commits/$sha")"\n',
        'x="$(gh api "repos/$r/commits?sha=main&until=$c&per_page=1")"\n',
        'gh api "repos/$r/tarball/$sha" >"$x"\n',
        'x="$(gh api "repos/$r/commits/main/check-runs?filter=all")"\n',
        'x="$(gh api "repos/$r/contents/$path" "${more[@]}")"\n',
        'x="$(gh api graphql -f query=\'{ a { timelineItems(first: 9) { nodes { id } } } }\')"\njq .closedAt <<<"$x"\n',
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
