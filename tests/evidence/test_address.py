"""One spelling of an address, or none: what two readers could take differently is refused."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from opvalue.evidence.address import GRAPHQL_PATH, below_root, decoded, named_in
from opvalue.evidence.errors import OutsideHost, PathUnclear, RequestRefused
from opvalue.identity import GITHUB, Host
from opvalue.limits import Limits

ENTERPRISE = Host("ghe.example.com")
TENANT = Host("acme.ghe.com")
WITH_PORT = Host("ghe.example.com:8443")


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("/", "/", ""),
        ("/repos/acme/widgets/issues", "/repos/acme/widgets/issues", ""),
        ("/repos/acme/widgets/", "/repos/acme/widgets/", ""),
        ("/repos/Acme/Widgets?page=2", "/repos/Acme/Widgets", "page=2"),
        ("/repos/%61cme/%77idgets", "/repos/acme/widgets", ""),
        ("/repos/acme/widgets/contents/docs%2fa%20b.md", "/repos/acme/widgets/contents/docs%2Fa%20b.md", ""),
        ("/repos/acme/widgets/git/ref/heads%2Ffix", "/repos/acme/widgets/git/ref/heads%2Ffix", ""),
        ("/repos/acme/widgets/contents/%C3%A9.md", "/repos/acme/widgets/contents/%C3%A9.md", ""),
        ("/repos/acme/widgets/contents/%3Bx", "/repos/acme/widgets/contents/%3Bx", ""),
        ('/repos/acme/widgets/contents/"x"<^`{|}>', "/repos/acme/widgets/contents/%22x%22%3C%5E%60%7B%7C%7D%3E", ""),
        ("/search/issues?q=repo:acme/widgets+is%3aopen", "/search/issues", "q=repo:acme/widgets+is%3Aopen"),
        ("/x?labels[]=a&labels[]=b", "/x", "labels%5B%5D=a&labels%5B%5D=b"),
        ("/x?b=2&a=1&b=1", "/x", "b=2&a=1&b=1"),
        ("/x?q=a%0Ab%09c", "/x", "q=a%0Ab%09c"),
        ("/x??a", "/x", "?a"),
        ("/x?", "/x", ""),
        ("/repos/acme/...", "/repos/acme/...", ""),
    ],
)
def test_a_path_gets_its_one_spelling(target: str, path: str, query: str) -> None:
    assert below_root(target, GITHUB) == (path, query)


@pytest.mark.parametrize(
    "target",
    [
        "",
        "x",
        "repos/acme/widgets",
        "//api.github.com/x",
        "//repos/acme/widgets",
        "/repos//widgets",
        "/repos/acme/widgets//issues",
        "/repos/acme/widgets//",
        "/repos/acme/widgets/./issues",
        "/repos/acme/widgets/../other",
        "/repos/acme/..",
        "/repos/acme/widgets/%2e%2e/other",
        "/repos/acme/widgets/.%2E/other",
        "/repos/acme/%2e%2e",
        "/repos/acme/widgets/contents/a%2F..%2Fb",
        "/repos/acme/widgets/contents/a%2f%2e%2e",
        "/repos/acme/widgets/contents/a%2F%2Fb",
        "/repos/acme/widgets/contents/%252e%252e/x",
        "/repos/acme/widgets/contents/a%252F..%252Fb",
        "/repos/acme/widgets/contents/%25252e%25252e",
        "/repos/acme%2Fwidgets/issues",
        "/repos/acme/widgets%2F..%2Fother",
        "/repos/acme/widgets%2Fissues",
        "/repos%2Facme%2Fwidgets",
        "/%2Frepos/acme/widgets",
        "/search%2Fissues?q=x",
        "/repositories%2F12",
        "/repositories/12%2Fissues",
        "/repositories/0",
        "/repositories/012",
        "/repositories/+12",
        "/repositories/1e3",
        "/repositories/12345678901234567890",
        "/repositories/acme",
        "/repos/-acme/widgets",
        "/repos/acme/wid%20gets",
        "/repos/acme/wid%C3%A9ts",
        "/repos/acme@x/widgets",
        "/repos/acme/wid:gets",
        "/repos/acme/" + "w" * 101,
        "/repos/acme/widgets\\..\\other",
        "/repos/acme/widgets/contents/a%5Cb",
        "/repos/acme/widgets;x=1/issues",
        "/repos/acme/widgets/issues;x=1",
        "/x?a=1;b=2",
        "/x#fragment",
        "/x y",
        "/x\ty",
        "/x\ny",
        "/x\x00y",
        "/x\x7fy",
        "/é",
        "/x?q=é",
        "/repos/acme/widgets/contents/%00",
        "/repos/acme/widgets/contents/%0a",
        "/repos/acme/widgets/contents/%7F",
        "/x?q=%00",
        "/x?q=%1b",
        "/%",
        "/%2",
        "/%zz",
        "/x?q=%",
        "/x?q=%u0041",
        "/repos/acme/widgets/contents/%C0%AE%C0%AE",
        "/repos/acme/widgets/contents/%FF",
        "/x?q=%ED%A0%80",
        "/" + "x" * 8192,
        "https:/api.github.com/x",
        "https:api.github.com/x",
        "https://api.github.com//x",
        "https://api.github.com/repos/acme/../../x",
        "https://api.github.com/x#y",
    ],
)
def test_what_is_not_plain_is_refused(target: str) -> None:
    with pytest.raises(PathUnclear) as refused:
        below_root(target, GITHUB)
    assert refused.value.code == "evidence.path-unclear"


@pytest.mark.parametrize(
    ("host", "target", "path"),
    [
        (GITHUB, "https://api.github.com/repos/acme/widgets", "/repos/acme/widgets"),
        (GITHUB, "HTTPS://API.GitHub.com/user", "/user"),
        (GITHUB, "https://api.github.com:443/user", "/user"),
        (GITHUB, "https://api.github.com", "/"),
        (GITHUB, "https://api.github.com?x", "/"),
        (GITHUB, "https://api.github.com/graphql", GRAPHQL_PATH),
        (TENANT, "https://api.acme.ghe.com/user", "/user"),
        (TENANT, "https://api.acme.ghe.com/graphql", GRAPHQL_PATH),
        (ENTERPRISE, "https://ghe.example.com/api/v3/repos/acme/widgets", "/repos/acme/widgets"),
        (ENTERPRISE, "https://ghe.example.com/%61pi/v3/user", "/user"),
        (ENTERPRISE, "https://ghe.example.com/api/v3", "/"),
        (ENTERPRISE, "https://ghe.example.com/api/v3/", "/"),
        (ENTERPRISE, "https://ghe.example.com/api/graphql", GRAPHQL_PATH),
        (WITH_PORT, "https://ghe.example.com:8443/api/v3/user", "/user"),
        (Host("github.localhost"), "http://api.github.localhost/user", "/user"),
        (Host("github.localhost"), "http://api.github.localhost:80/user", "/user"),
    ],
)
def test_an_absolute_address_below_the_root_is_a_path(host: Host, target: str, path: str) -> None:
    assert below_root(target, host)[0] == path


@pytest.mark.parametrize(
    ("host", "target"),
    [
        (GITHUB, "http://api.github.com/user"),
        (GITHUB, "ftp://api.github.com/user"),
        (GITHUB, "https://github.com/acme/widgets"),
        (GITHUB, "https://api.github.com.evil.example/user"),
        (GITHUB, "https://api.github.com./user"),
        (GITHUB, "https://api-github.com/user"),
        (GITHUB, "https://xapi.github.com/user"),
        (GITHUB, "https://api.github.com:8443/user"),
        (GITHUB, "https://api.github.com:0443/user"),
        (GITHUB, "https://api.github.com:/user"),
        (GITHUB, "https://user@api.github.com/user"),
        (GITHUB, "https://user:pass@api.github.com/user"),
        (GITHUB, "https://api.github.com@evil.example/user"),
        (GITHUB, "https://evil.example/?https://api.github.com/user"),
        (GITHUB, "https://api%2Egithub.com/user"),
        (GITHUB, "https:///user"),
        (GITHUB, "https://127.0.0.1/user"),
        (GITHUB, "https://api.github.com,evil.example/user"),
        (ENTERPRISE, "https://ghe.example.com/acme/widgets"),
        (ENTERPRISE, "https://ghe.example.com/api/v33/user"),
        (ENTERPRISE, "https://ghe.example.com/api/V3/user"),
        (ENTERPRISE, "https://ghe.example.com/api%2Fv3/user"),
        (ENTERPRISE, "https://ghe.example.com/api"),
        (ENTERPRISE, "https://ghe.example.com/"),
        (ENTERPRISE, "https://ghe.example.com/api/graphql/x"),
        (ENTERPRISE, "https://api.github.com/user"),
        (ENTERPRISE, "https://ghe.example.com:8443/api/v3/user"),
        (WITH_PORT, "https://ghe.example.com/api/v3/user"),
        (WITH_PORT, "https://ghe.example.com:8443:443/api/v3/user"),
    ],
)
def test_any_other_absolute_address_is_outside(host: Host, target: str) -> None:
    with pytest.raises(OutsideHost) as refused:
        below_root(target, host)
    assert refused.value.code == "evidence.outside-host"


def test_a_refusal_shows_no_query() -> None:
    with pytest.raises(OutsideHost) as refused:
        below_root("https://evil.example/x?token=hidden", GITHUB)
    assert "hidden" not in refused.value.diagnostics()


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/repos/acme/widgets", ("acme", "widgets")),
        ("/repos/Acme/Widgets/issues/1", ("Acme", "Widgets")),
        ("/repos/acme/widgets/", ("acme", "widgets")),
        ("/repositories/12", ("12",)),
        ("/repositories/12/issues", ("12",)),
        ("/repositories", None),
        ("/repositories/", None),
        ("/repos/acme", None),
        ("/repos/acme/", None),
        ("/Repos/acme/widgets", None),
        ("/orgs/acme/repos", None),
        ("/", None),
    ],
)
def test_a_path_names_a_repository_or_none(path: str, named: tuple[str, ...] | None) -> None:
    assert named_in(below_root(path, GITHUB)[0]) == named


_ATOMS = r"""
/ // a repos repositories acme widgets 12 . .. %2e %2E %2f %2F %25 2e
%5c \ ; ? # & = + %20 %41 ~ %7e [ ] { %C3%A9 %c0%ae
@ : https:// api.github.com ghe.example.com /api/v3 /api/graphql graphql % é ' "
"""
_ATOM = st.sampled_from([*_ATOMS.split(), "\n", " "])
_TARGET = st.one_of(
    st.lists(_ATOM, max_size=12).map("".join),
    st.lists(_ATOM, max_size=10).map(lambda atoms: "/repos/acme/widgets/" + "".join(atoms)),
    st.lists(_ATOM, max_size=10).map(lambda atoms: "https://ghe.example.com/api/v3/" + "".join(atoms)),
    st.text(max_size=40),
    st.text(max_size=40).map(lambda text: "/" + text),
)


@given(_TARGET, st.sampled_from([GITHUB, ENTERPRISE]))
@example("/%252e%252e", GITHUB)
@example("https://ghe.example.com/api/v3/api/v3", ENTERPRISE)
def test_one_spelling_is_its_own_and_the_same_for_every_reader(target: str, host: Host) -> None:
    try:
        path, query = below_root(target, host)
    except RequestRefused:
        return
    again = f"{path}?{query}" if query else path
    assert below_root(again, host) == (path, query)
    root = host.graphql_url.removesuffix(GRAPHQL_PATH) if path == GRAPHQL_PATH else host.api_url
    assert below_root(root + again, host) == (path, query)
    assert re.fullmatch(r"/[!-~]*", path)
    assert not re.search(r"[#\\;?\"<>^`{|}]", path)
    assert urlsplit(root + again).path == urlsplit(root).path + path
    _means_one_thing(path)


def _means_one_thing(path: str) -> None:
    # A reader that decodes before it splits, even twice, finds neither dot segments nor empty ones.
    for text in (unquote(path), unquote(unquote(path))):
        segments = text.removesuffix("/").split("/")[1:]
        assert not {".", ".."}.intersection(segments)
    assert all(unquote(path).removesuffix("/").split("/")[1:]) or path == "/"
    assert decoded(path) == unquote(path)
    # Whoever splits first and whoever decodes first see the same repository.
    split_first = tuple(unquote(segment) for segment in named_in(path) or ())
    assert split_first == (named_in(unquote(path)) or ())


def test_the_longest_address_is_taken() -> None:
    longest = "/" + "x" * (Limits().target_characters - 1)
    assert below_root(longest, GITHUB) == (longest, "")
    with pytest.raises(PathUnclear):
        below_root(longest + "x", GITHUB)
