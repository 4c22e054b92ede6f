"""Searches whose completeness nobody asks for."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-search-incomplete"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api -X GET §search/issues -f q="repo:$r is:pr" --jq .total_count)"\n',
        'x="$(gh api --paginate §"/search/code?q=$q")"\n',
        '# incomplete_results\nx="$(gh api §"search/issues?q=$q" | jq \'.items | length\')"\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'x="$(gh api "search/issues?q=$q" | jq \'if .incomplete_results then null else .total_count end\')"\n',
        'x="$(gh api "repos/$r/contents/search/issues")"\n',
        "# gh api search/issues\necho 'gh api search/issues'\n",
        "gh api rate_limit --jq .resources.search\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
