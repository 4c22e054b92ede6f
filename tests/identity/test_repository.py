import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.identity import Host, Repository, RepositoryRefused
from opvalue.identity.repository import GITHUB

GHE = Host("ghe.example.com")
ACME = Repository(GITHUB, "acme", "widgets")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("github.com", "github.com"),
        ("GitHub.COM", "github.com"),
        ("ghe.example.com:8443", "ghe.example.com:8443"),
        ("github.com:443", "github.com"),
        ("localhost", "localhost"),
        ("a", "a"),
        ("10.0.0.1", "10.0.0.1"),
        ("acme.ghe.com", "acme.ghe.com"),
    ],
)
def test_hosts(text: str, name: str) -> None:
    assert Host.parse(text).name == name
    assert str(Host.parse(text)) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "a..b",
        "-a",
        "a-",
        "a.",
        ".a",
        "a b",
        "a/b",
        "user@github.com",
        "github.com:",
        "github.com:x",
        "github.com:0",
        "github.com:65536",
        "github.com:123456",
        "[::1]",
        "github.com\n",
        "g\u0131thub.com",
        "github.com\x00",
        "https://github.com",
    ],
)
def test_no_hosts(text: str) -> None:
    with pytest.raises(RepositoryRefused) as caught:
        Host.parse(text)
    assert caught.value.code == "identity.repository"


@pytest.mark.parametrize(
    ("host", "server", "api", "graphql"),
    [
        ("github.com", "https://github.com", "https://api.github.com", "https://api.github.com/graphql"),
        ("acme.ghe.com", "https://acme.ghe.com", "https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql"),
        (
            "ghe.example.com",
            "https://ghe.example.com",
            "https://ghe.example.com/api/v3",
            "https://ghe.example.com/api/graphql",
        ),
        ("notghe.com", "https://notghe.com", "https://notghe.com/api/v3", "https://notghe.com/api/graphql"),
        (
            "github.com.evil.com",
            "https://github.com.evil.com",
            "https://github.com.evil.com/api/v3",
            "https://github.com.evil.com/api/graphql",
        ),
    ],
)
def test_addresses(host: str, server: str, api: str, graphql: str) -> None:
    found = Host.parse(host)
    assert (found.server_url, found.api_url, found.graphql_url) == (server, api, graphql)


@pytest.mark.parametrize(
    ("text", "repository"),
    [
        ("acme/widgets", ACME),
        ("github.com/acme/widgets", ACME),
        ("GHE.example.com/Acme/Wid.gets_2-x", Repository(GHE, "Acme", "Wid.gets_2-x")),
        ("ghe.example.com:8443/a/b", Repository(Host("ghe.example.com:8443"), "a", "b")),
        ("octo_corp/x", Repository(GITHUB, "octo_corp", "x")),
        ("old-/x", Repository(GITHUB, "old-", "x")),
        ("acme/.github", Repository(GITHUB, "acme", ".github")),
        ("acme/-", Repository(GITHUB, "acme", "-")),
        ("acme/" + "x" * 100, Repository(GITHUB, "acme", "x" * 100)),
    ],
)
def test_repositories(text: str, repository: Repository) -> None:
    assert Repository.parse(text) == repository


def test_default_host_serves_the_short_form_only() -> None:
    assert Repository.parse("acme/widgets", default_host=GHE).host == GHE
    assert Repository.parse("github.com/acme/widgets", default_host=GHE).host == GITHUB


@pytest.mark.parametrize(
    "text",
    [
        "",
        "acme",
        "/",
        "acme/",
        "/widgets",
        "a/b/c/d",
        "//acme/widgets",
        "acme//widgets",
        "acme/widgets/",
        "acme/.",
        "acme/..",
        "-acme/widgets",
        "ac.me/widgets",
        "acme/wid gets",
        "acme/widgets\n",
        "acme/widgets?x",
        "acme/wid\u200bgets",
        "\u0430cme/widgets",
        "https://github.com/acme/widgets",
        "acme/" + "x" * 101,
        "bad host/acme/widgets",
        "acme/%2e%2e",
        "{owner}/{repo}",
    ],
)
def test_no_repositories(text: str) -> None:
    with pytest.raises(RepositoryRefused) as caught:
        Repository.parse(text)
    assert caught.value.code == "identity.repository"
    assert "OWNER/REPO" in caught.value.hint


def test_names_compare_without_case_and_print_as_given() -> None:
    other = Repository.parse("GitHub.com/ACME/Widgets")
    assert ACME.same_as(other)
    assert str(other) == other.slug == "ACME/Widgets"
    assert not ACME.same_as(Repository(GHE, "acme", "widgets"))
    assert not ACME.same_as(Repository(GITHUB, "acme", "widget"))
    assert str(Repository(GHE, "acme", "widgets")) == "ghe.example.com/acme/widgets"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/widgets",
        "https://github.com/acme/widgets.git",
        "https://github.com/acme/widgets/",
        "https://github.com/acme/widgets.git/",
        "https://github.com:443/acme/widgets.git",
        "HTTPS://GitHub.com/acme/widgets",
        "http://github.com/acme/widgets",
        "http://github.com:80/acme/widgets",
        "https://user@github.com/acme/widgets",
        "https://user:secret@github.com/acme/widgets.git",
        "git@github.com:acme/widgets.git",
        "github.com:acme/widgets",
        "org-123@github.com:acme/widgets.git",
        "ssh://git@github.com/acme/widgets.git",
        "ssh://git@github.com:22/acme/widgets.git",
        "ssh://git@ssh.github.com:443/acme/widgets.git",
        "git+ssh://git@github.com/acme/widgets.git",
        "git://github.com/acme/widgets.git",
        "  https://github.com/acme/widgets.git\n",
    ],
)
def test_remotes_of_one_repository(url: str) -> None:
    assert Repository.from_remote(url) == ACME


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("git@ghe.example.com:acme/widgets.git", "ghe.example.com/acme/widgets"),
        ("ssh://git@ghe.example.com:2222/acme/widgets.git", "ghe.example.com/acme/widgets"),
        ("https://ghe.example.com:8443/acme/widgets", "ghe.example.com:8443/acme/widgets"),
        ("https://github.com@evil.com/acme/widgets", "evil.com/acme/widgets"),
        ("https://github.com.evil.com/acme/widgets", "github.com.evil.com/acme/widgets"),
        ("https://github.com:8443/acme/widgets", "github.com:8443/acme/widgets"),
        ("https://github.com/acme/widgets.git.git", "acme/widgets.git"),
    ],
)
def test_other_remotes(url: str, text: str) -> None:
    found = Repository.from_remote(url)
    assert str(found) == text
    assert found is not None
    assert not found.same_as(ACME)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/widgets.git",
        "../widgets.git",
        "./github.com/acme/widgets",
        "file:///github.com/acme/widgets",
        "github.com/acme/widgets",
        "C:/repos/acme/widgets",
        "https://github.com",
        "https://github.com/",
        "https://github.com/acme",
        "https://github.com/acme/widgets/tree/main",
        "https://github.com/acme//widgets",
        "https://github.com/acme/widgets?ref=x",
        "https://github.com/acme/widgets#x",
        "https://github.com/acme/%77idgets",
        "https://github.com/acme/..",
        "https://github.com:x/acme/widgets",
        "https://github.com:99999/acme/widgets",
        "https:///acme/widgets",
        "https://[::1]/acme/widgets",
        "https://[::1/acme/widgets",
        "ftp://github.com/acme/widgets",
        "ext::sh -c x github.com/acme/widgets",
        "https://github.com/acme/wid\ngets",
        "https://github.com/acme/wid\tgets",
        "https://git\nhub.com/acme/widgets",
        "https://evil.com\\@github.com/acme/widgets",
        "git@github.com:acme/wid\x00gets",
    ],
)
def test_remotes_that_name_no_repository(url: str) -> None:
    assert Repository.from_remote(url) is None


@pytest.mark.parametrize(
    "url", ["acme:widgets.git", "git@acme:widgets", "ssh://git@acme/widgets.git", "https://acme/widgets"]
)
def test_a_lone_name_on_a_short_host_is_no_repository_of_github(url: str) -> None:
    assert Repository.from_remote(url) is None


_OWNERS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True)
_NAMES = st.from_regex(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}", fullmatch=True).filter(
    lambda name: not name.endswith(".git")
)


@given(_OWNERS, _NAMES, st.sampled_from([GITHUB, GHE]))
def test_every_spelling_of_a_remote_is_one_repository(owner: str, name: str, host: Host) -> None:
    repository = Repository(host, owner, name)
    assert Repository.parse(str(repository)) == repository
    for url in (
        f"https://{host}/{owner}/{name}.git",
        f"git@{host}:{owner}/{name}.git",
        f"ssh://git@{host}/{owner}/{name}",
    ):
        assert Repository.from_remote(url) == repository


@given(st.text() | st.text(alphabet="htps:/@[]github.com\\\n\t%#?-"))
def test_any_remote_is_read_or_not(url: str) -> None:
    found = Repository.from_remote(url)
    assert found is None or Repository.parse(f"{found.host}/{found.slug}") == found


@given(st.text())
def test_any_text_is_a_repository_or_refused(text: str) -> None:
    try:
        Repository.parse(text)
    except RepositoryRefused:
        return
