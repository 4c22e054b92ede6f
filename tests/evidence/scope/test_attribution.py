"""Whose evidence a path or a search is, and what the definition says of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.evidence.exchange import Request, normalise
from opvalue.evidence.scope import Attribution, Scope, Standing, attribute, check_read
from opvalue.evidence.scope.search import searched
from opvalue.identity import GITHUB

UNATTRIBUTED = Attribution((), True)


def get(target: str) -> Request:
    return normalise("GET", target, host=GITHUB, accept="", api_version="", body=b"")


def search(text: str) -> str:
    return "/search/issues?q=" + "".join(f"%{byte:02X}" for byte in text.encode())


@pytest.mark.parametrize(
    ("target", "repositories", "unattributed"),
    [
        ("/repos/acme/widgets", ["acme/widgets"], False),
        ("/repos/ACME/Widgets/issues/1/timeline?page=2", ["acme/widgets"], False),
        ("/repos/%41cme/wid%67ets/", ["acme/widgets"], False),
        ("/repos/acme/widgets/contents/repos%2Fother%2Fplace", ["acme/widgets"], False),
        ("/repositories/12/issues", ["#12"], False),
        ("/repos/acme/widgets/compare/main...fix", ["acme/widgets"], False),
        ("/repos/acme/widgets/compare/main...evil:fix", ["acme/widgets"], True),
        ("/repos/acme/widgets/compare/main...evil%3Afix", ["acme/widgets"], True),
        ("/repositories/12/compare/a:b...c", ["#12"], True),
        ("/repos/acme/widgets/forks?sort=newest", ["acme/widgets"], True),
        ("/repositories/12/forks/", ["#12"], True),
        ("/repos/acme/widgets/contents/forks", ["acme/widgets"], False),
        ("/repos/acme", [], True),
        ("/user", [], True),
        ("/orgs/acme/repos", [], True),
        ("/rate_limit", [], True),
        ("/Repos/acme/widgets", [], True),
        ("/networks/acme/widgets/events", [], True),
        ("/search/issues", [], True),
        ("/search/issues?q=repo:acme/widgets+is:open", ["acme/widgets"], False),
        ("/search/issues/?q=repo:acme/widgets", ["acme/widgets"], False),
        ("/search/code?q=x+repo:acme/widgets", ["acme/widgets"], False),
        ("/search/commits?q=repo:acme/widgets", ["acme/widgets"], False),
        ("/search/repositories?q=repo:acme/widgets", ["acme/widgets"], False),
        ("/search/users?q=repo:acme/widgets", [], True),
        ("/search/topics?q=repo:acme/widgets", [], True),
        ("/search/issues?per_page=1&q=repo%3Aacme%2Fwidgets", ["acme/widgets"], False),
        ("/search/issues?%71=repo:acme/widgets", ["acme/widgets"], False),
        ("/search/issues?q=repo:acme/widgets&q=x", ["acme/widgets"], True),
        ("/search/issues?q=repo:acme/widgets&q=repo:evil/place", ["acme/widgets", "evil/place"], True),
        ("/search/issues?q=repo:acme/widgets&q[]=x", ["acme/widgets"], True),
        ("/search/issues?q=repo:acme/widgets&+Q=x", ["acme/widgets"], True),
        ("/search/labels?repository_id=12&q=bug", ["#12"], False),
        ("/search/labels?q=bug", [], True),
        ("/search/labels?repository_id=12&repository_id=13", [], True),
        ("/search/labels?repository_id=012", [], True),
        ("/repos/acme/widgets/contents/a:b", ["acme/widgets"], False),
        ("/repos/acme/widgets/issues/7/sub_issues", ["acme/widgets"], True),
        ("/repos/acme/widgets/issues/7/parent?x=1", ["acme/widgets"], True),
        ("/repositories/12/issues/7/dependencies/blocked_by", ["#12"], True),
        ("/repositories/12/issues/7/dependencies/blocking", ["#12"], True),
        ("/repos/acme/widgets/issues/7/timeline", ["acme/widgets"], False),
        ("/repos/acme/parent/issues/7/comments", ["acme/parent"], False),
        ("/repos/acme/widgets/contents/issues/parent", ["acme/widgets"], False),
        ("/search/labels?repository_id=" + "1" * 5000, [], True),
    ],
)
def test_a_request_names_repositories(target: str, repositories: list[str], unattributed: bool) -> None:
    assert attribute(get(target)) == Attribution(tuple(repositories), unattributed)


@pytest.mark.parametrize(
    ("text", "repositories"),
    [
        ("repo:acme/widgets", ["acme/widgets"]),
        ("REPO:Acme/Widgets", ["acme/widgets"]),
        ('repo:"acme/widgets"', ["acme/widgets"]),
        ("  repo:acme/widgets\tis:open\n", ["acme/widgets"]),
        ("fix repo:acme/widgets or not", ["acme/widgets"]),
        ('"a phrase (with repo:x/y)" repo:acme/widgets', ["acme/widgets"]),
        ("repo:acme/widgets -repo:evil/place", ["acme/widgets"]),
        ("repo:acme/widgets NOT repo:evil/place", ["acme/widgets"]),
        ("repo:acme/widgets AND is:open", ["acme/widgets"]),
        ("repo:acme/widgets repo:evil/place", ["acme/widgets", "evil/place"]),
        ("org:acme", ["acme/*"]),
        ("user:acme repo:acme/widgets", ["acme/*", "acme/widgets"]),
        ("owner:acme", ["acme/*"]),
        ("repo:acme/widgets -org:evil", ["acme/widgets"]),
        ("NOT x repo:acme/widgets", ["acme/widgets"]),
        ("repo:acme/widgets NOT x repo:evil/place", ["acme/widgets", "evil/place"]),
        ("repo:acme/widgets in:title,body created:>2026-01-01 author:app/x", ["acme/widgets"]),
    ],
)
def test_a_search_is_confined_by_its_qualifiers(text: str, repositories: list[str]) -> None:
    assert attribute(get(search(text))) == Attribution(tuple(repositories), False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "is:open",
        "xrepo:acme/widgets",
        '"repo:acme/widgets"',
        "-repo:acme/widgets",
        "NOT repo:acme/widgets",
        "repo:acme/widgets OR is:open",
        "repo:acme/widgets OR repo:evil/place",
        "(repo:acme/widgets)",
        "repo:acme/widgets (is:open OR x)",
        "repo:acme/widgets,evil/place",
        "repo:acme/*",
        "repo:acme",
        "repo:",
        "repo: acme/widgets",
        "repo:acme/widgets/x",
        "repo:acme\\/widgets",
        "org:@me",
        "enterprise:acme",
        '"unclosed repo:acme/widgets',
        'repo:acme/widgets "unclosed',
        'x"repo:acme/widgets"',
        '"a"repo:acme/widgets',
        "x\u3000repo:acme/widgets",
        "repo:acme/widgets x\u00a0OR\u00a0y",
        "repo:acme/widgets enterprise:acme",
        "repo:acme/widgets\u00a0is:open",
        "\u201c repo:acme/widgets \u201d",
        "x:repo:acme/widgets",
    ],
)
def test_a_search_that_is_not_surely_confined_is_unattributed(text: str) -> None:
    assert attribute(get(search(text))).unattributed
    assert DECLARED.judge(attribute(get(search(text)))) is not Standing.DECLARED


@given(st.text(max_size=60))
def test_any_search_text_is_read(text: str) -> None:
    found = searched(text)
    assert found.unattributed or found.repositories


@given(st.lists(st.sampled_from(["repo:acme/widgets", "is:open", "x", '"y z"', "label:bug", "AND"]), min_size=1))
def test_plain_terms_do_not_widen_a_search(terms: list[str]) -> None:
    confined = "repo:acme/widgets" in terms
    assert searched(" ".join(terms)) == Attribution(("acme/widgets",) if confined else (), not confined)


DECLARED = Scope(frozenset({"acme/widgets", "acme/gadgets"}), frozenset({12}))


@pytest.mark.parametrize(
    ("repositories", "unattributed", "standing"),
    [
        (["acme/widgets"], False, Standing.DECLARED),
        (["acme/gadgets", "acme/widgets"], False, Standing.DECLARED),
        (["#12"], False, Standing.DECLARED),
        (["#13"], False, Standing.UNDECLARED),
        (["evil/place"], False, Standing.UNDECLARED),
        (["acme/widgets", "evil/place"], False, Standing.UNDECLARED),
        (["acme/*"], False, Standing.UNDECLARED),
        (["evil/place"], True, Standing.UNDECLARED),
        (["acme/widgets"], True, Standing.UNATTRIBUTED),
        ([], True, Standing.UNATTRIBUTED),
        ([], False, Standing.UNATTRIBUTED),
    ],
)
def test_one_repository_that_is_not_declared_decides(
    repositories: list[str], unattributed: bool, standing: Standing
) -> None:
    assert DECLARED.judge(Attribution.of(repositories, unattributed=unattributed)) is standing


def test_what_is_outside_is_named() -> None:
    assert DECLARED.undeclared(Attribution.of(["evil/place", "acme/widgets", "#13", "#12"])) == {"#13", "evil/place"}
    assert DECLARED.undeclared(Attribution.of(["acme/widgets"], unattributed=True)) == {"unattributed"}
    assert DECLARED.undeclared(Attribution.of(["acme/widgets"])) == set()


def test_an_attribution_is_sorted_and_to_none_is_none() -> None:
    assert Attribution.of(["b/b", "a/a", "b/b"]) == Attribution(("a/a", "b/b"), False)
    assert Attribution.of() == UNATTRIBUTED


def test_an_attribution_to_too_many_is_unattributed() -> None:
    names = [f"acme/{number:04}" for number in range(1001)]
    assert Attribution.of(names[:1000]) == Attribution(tuple(names[:1000]), False)
    assert Attribution.of(reversed(names)) == Attribution(tuple(names[:1000]), True)


def test_a_get_only_reads() -> None:
    check_read(get("/repos/acme/widgets"))
