"""Which remote is trusted, and which local refs are its branches and tags."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.checkout.errors import AmbiguousRepository, NoTrustedRemote
from opvalue.checkout.remotes import Refspec, Remote, Settings, Trusted, choose, read_settings
from opvalue.identity import Repository

WIDGETS = Repository.parse("acme/widgets")
DEFAULT = "+refs/heads/*:refs/remotes/origin/*"


def remote(name: str, *urls: str, fetch: tuple[str, ...] = (), tags: bool = True) -> Remote:
    specs = [Refspec.parse(text) for text in fetch]
    return Remote(name, urls, tuple(spec for spec in specs if spec), tags)


def settings(*lines: tuple[str, str, str]) -> Settings:
    return read_settings("".join(f"{scope}\0{key}\n{value}\0" for scope, key, value in lines).encode())


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/widgets",
        "https://github.com/acme/widgets.git",
        "https://user:secret@github.com/Acme/Widgets.git/",
        "git@github.com:acme/widgets.git",
        "ssh://git@github.com/acme/widgets",
        "ssh://git@ssh.github.com:443/acme/widgets.git",
        "git://github.com/acme/widgets",
    ],
)
def test_spellings_of_the_requested_repository(url: str) -> None:
    trusted = choose([remote("up", url)], WIDGETS, bare=False)
    assert trusted.repository == WIDGETS
    assert [chosen.name for chosen in trusted.remotes] == ["up"]
    assert choose([remote("up", url)], None, bare=False).repository.same_as(WIDGETS)


@pytest.mark.parametrize(
    "urls",
    [
        (),
        ("https://github.com/acme/other",),
        ("https://ghe.example.com/acme/widgets",),
        ("https://github.com.evil.example/acme/widgets",),
        ("https://evil.example/github.com/acme/widgets",),
        ("https://github.com@evil.example/acme/widgets",),
        ("/srv/git/acme/widgets", "../acme/widgets"),
        ("file:///github.com/acme/widgets",),
        ("https://github.com/acme/widgets", "https://github.com/mallory/widgets"),
        ("https://github.com/acme/widgets", "/srv/widgets"),
        ("",),
    ],
)
def test_other_repositories_are_refused(urls: tuple[str, ...]) -> None:
    with pytest.raises(NoTrustedRemote) as refused:
        choose([remote("origin", *urls)], WIDGETS, bare=False)
    assert refused.value.expected == "acme/widgets"


def test_what_was_seen_is_listed_without_credentials() -> None:
    remotes = [remote("a", "https://u:s3cr3t@github.com/x/y"), remote("b", "/srv/x"), remote("c")]
    with pytest.raises(NoTrustedRemote) as refused:
        choose(remotes, WIDGETS, bare=False)
    assert refused.value.found == "a = https://***@github.com/x/y; b = /srv/x"
    with pytest.raises(NoTrustedRemote) as refused:
        choose([], None, bare=False)
    assert refused.value.found == "no remotes"


def test_host_is_compared() -> None:
    enterprise = Repository.parse("ghe.example.com/acme/widgets")
    remotes = [remote("origin", "https://github.com/acme/widgets"), remote("ghe", "git@ghe.example.com:acme/widgets")]
    assert choose(remotes, WIDGETS, bare=False).remotes[0].name == "origin"
    assert choose(remotes, enterprise, bare=False).remotes[0].name == "ghe"


def test_without_a_request_the_only_repository_or_none() -> None:
    fork = remote("fork", "https://github.com/mallory/widgets")
    origin = remote("origin", "https://github.com/acme/widgets")
    with pytest.raises(AmbiguousRepository) as refused:
        choose([fork, origin], None, bare=False)
    assert refused.value.found == "fork = https://github.com/mallory/widgets; origin = https://github.com/acme/widgets"
    both = choose([origin, remote("ssh", "git@github.com:ACME/widgets"), remote("local", "/x")], None, bare=False)
    assert (both.repository, len(both.remotes), len(both.others)) == (WIDGETS, 2, 1)


def trusted(*fetch: str, others: tuple[Remote, ...] = (), bare: bool = False, tags: bool = True) -> Trusted:
    origin = remote("origin", "https://github.com/acme/widgets", fetch=fetch, tags=tags)
    return choose([origin, *others], WIDGETS, bare=bare)


@pytest.mark.parametrize(
    ("fetch", "ref", "name"),
    [
        ((DEFAULT,), "refs/remotes/origin/main", "refs/heads/main"),
        ((DEFAULT,), "refs/remotes/origin/a/b", "refs/heads/a/b"),
        ((DEFAULT,), "refs/tags/v1", "refs/tags/v1"),
        ((DEFAULT,), "refs/heads/main", None),
        ((DEFAULT,), "refs/remotes/origin", None),
        ((DEFAULT,), "refs/remotes/originals/main", None),
        (("refs/heads/main:refs/remotes/origin/main",), "refs/remotes/origin/main", "refs/heads/main"),
        (("refs/heads/main:refs/remotes/origin/main",), "refs/remotes/origin/side", None),
        (("refs/heads/rel-*:refs/remotes/origin/r/*-x",), "refs/remotes/origin/r/1-x", "refs/heads/rel-1"),
        (("refs/heads/*:refs/remotes/origin/a*a",), "refs/remotes/origin/a", None),
        (("+refs/*:refs/*",), "refs/heads/main", "refs/heads/main"),
        (("+refs/*:refs/*",), "refs/pull/7/head", None),
        (("+refs/*:refs/*",), "refs/notes/x", None),
        (("+refs/*:refs/mirror/*",), "refs/mirror/heads/main", "refs/heads/main"),
        ((DEFAULT, "+refs/pull/*/head:refs/remotes/origin/pr/*"), "refs/remotes/origin/pr/7", None),
        ((DEFAULT, "+refs/pull/*/head:refs/remotes/origin/pr/*"), "refs/remotes/origin/main", "refs/heads/main"),
        ((DEFAULT, "^refs/heads/main"), "refs/remotes/origin/main", "refs/heads/main"),
        (("refs/heads/main",), "refs/remotes/origin/main", None),
        ((DEFAULT, "refs/heads/x:refs/remotes/origin/y"), "refs/remotes/origin/y", "refs/heads/x"),
        (("refs/heads/y:refs/remotes/origin/x", DEFAULT), "refs/remotes/origin/x", "refs/heads/x"),
        (("main:refs/remotes/origin/main",), "refs/remotes/origin/main", None),
        (("refs/heads/main:remotes/origin/main",), "refs/remotes/origin/main", "refs/heads/main"),
        (("refs/heads/main:copy",), "refs/heads/copy", "refs/heads/main"),
        (("refs/tags/v1:refs/tags/v1",), "refs/tags/v1", "refs/tags/v1"),
        (("+refs/pull/*:refs/tags/*",), "refs/tags/7", None),
    ],
)
def test_names(fetch: tuple[str, ...], ref: str, name: str | None) -> None:
    assert trusted(*fetch).name_of(ref) == name


def test_bare_clone_without_refspec_keeps_the_remotes_branches() -> None:
    assert trusted(bare=True).name_of("refs/heads/main") == "refs/heads/main"
    assert trusted(bare=False).name_of("refs/heads/main") is None
    assert trusted(DEFAULT, bare=True).name_of("refs/heads/main") is None


def test_another_repositorys_refspecs_and_tags() -> None:
    fork = remote("fork", "https://github.com/mallory/widgets", fetch=("+refs/heads/*:refs/remotes/origin/f/*",))
    with_fork = trusted(DEFAULT, others=(fork,))
    assert with_fork.name_of("refs/remotes/origin/f/x") is None
    assert with_fork.name_of("refs/remotes/origin/main") == "refs/heads/main"
    assert with_fork.name_of("refs/tags/v1") is None
    assert trusted(DEFAULT, others=(fork._replace(follows_tags=False),)).name_of("refs/tags/v1") == "refs/tags/v1"
    assert trusted(DEFAULT, tags=False).name_of("refs/tags/v1") is None


def test_settings() -> None:
    read = settings(
        ("global", "remote.origin.fetch", "+refs/pull/*/head:refs/remotes/origin/pr/*"),
        ("global", "remote.elsewhere.url", "https://github.com/x/y"),
        ("system", "remote.unused.fetch", "refs/heads/*:refs/x/*"),
        ("local", "remote.origin.url", "https://github.com/acme/widgets"),
        ("local", "remote.origin.fetch", DEFAULT),
        ("local", "remote.origin.tagopt", "--tags"),
        ("worktree", "remote.a.b.url", "/x\ny"),
        ("local", "remote.a.b.tagopt", "--no-tags"),
        ("local", "remote.a.b.fetch", "refs/heads/x"),
    )
    assert read.partial is False
    assert read.remotes == (
        remote("elsewhere"),
        remote(
            "origin",
            "https://github.com/acme/widgets",
            fetch=("+refs/pull/*/head:refs/remotes/origin/pr/*", DEFAULT),
        ),
        remote("a.b", "/x\ny", tags=False),
        remote("unused", fetch=("refs/heads/*:refs/x/*",), tags=False),
    )


def test_a_remote_that_is_its_own_address_may_write_refs_too() -> None:
    read = settings(
        ("local", "remote.origin.url", "https://github.com/acme/widgets"),
        ("local", "remote.origin.fetch", DEFAULT),
        ("local", "remote.../fork.fetch", "+refs/heads/*:refs/remotes/origin/f/*"),
    )
    found = choose(read.remotes, WIDGETS, bare=False)
    assert found.name_of("refs/remotes/origin/main") == "refs/heads/main"
    assert found.name_of("refs/remotes/origin/f/x") is None
    assert found.name_of("refs/tags/v1") == "refs/tags/v1"


def test_partial_clones() -> None:
    assert settings(("local", "extensions.partialclone", "origin")).partial
    assert settings(("local", "remote.origin.promisor", "true")).partial
    assert read_settings(b"") == Settings((), partial=False)
    assert read_settings(b"local\0remote.origin.url\0") == Settings((remote("origin", ""),), partial=False)


segment = st.text("ab/-*", max_size=6)


@given(segment, segment, st.text("ab/-", max_size=6))
def test_a_refspec_maps_back_what_it_maps(before: str, after: str, star: str) -> None:
    before, after = before.replace("*", ""), after.replace("*", "")
    spec = Refspec(f"refs/heads/{before}*{after}", f"refs/remotes/o/{after}*{before}")
    assert spec.source_of(f"refs/remotes/o/{after}{star}{before}") == f"refs/heads/{before}{star}{after}"


@given(st.binary(max_size=60))
def test_any_output_is_read(noise: bytes) -> None:
    assert isinstance(read_settings(b"local\0remote.origin.fetch\n" + noise), Settings)
