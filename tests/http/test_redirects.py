"""AR-10: the token goes to the exact scheme, host and port of the API, and nowhere else."""

import io
import ssl
from collections.abc import Callable
from contextlib import suppress

import pytest

from opvalue.http import Credentials, HttpxClient, RedirectUnusable
from opvalue.identity import Host
from opvalue.limits import Limits
from tests.http.conftest import CANARY, SIGNATURE, MakeClient, fails
from tests.http.site import Asked, Reply, Site, json_reply, redirect

pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "127.0.0.2"])

Serve = Callable[..., Site]
Read = Callable[[HttpxClient, str], bytes]


def by_get(client: HttpxClient, url: str) -> bytes:
    return client.get(url).body


def by_download(client: HttpxClient, url: str) -> bytes:
    into = io.BytesIO()
    client.download(url, into, cap=1000)
    return into.getvalue()


either = pytest.mark.parametrize("read", [by_get, by_download])


def path_to(replies: dict[str, Reply]) -> Callable[[Asked], Reply]:
    return lambda asked: replies[asked.path.partition("?")[0]]


@either
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_within_the_api_the_token_stays(serve: Serve, make_client: MakeClient, read: Read, status: int) -> None:
    site: Site = serve(
        path_to({"/repos/old": redirect("/repositories/1", status), "/repositories/1": json_reply("[1]")})
    )
    assert read(make_client(site.root), f"{site.root}/repos/old") == b"[1]"
    assert [asked.headers.get("authorization") for asked in site.asked] == [f"Bearer {CANARY}"] * 2


@either
def test_another_port_gets_no_token_and_the_link_as_it_is(serve: Serve, make_client: MakeClient, read: Read) -> None:
    query = f"sig={SIGNATURE}%2Fb+c%3D&se=2026-01-01T00%3A00%3A00Z&rscd=attachment%3B+filename%3D%22a.zip%22"
    storage = serve(lambda _: Reply(200, (), b"zip"))
    site: Site = serve(lambda _: redirect(f"{storage.root}/blob?{query}"))
    assert read(make_client(site.root), f"{site.root}/zip") == b"zip"
    (asked,) = storage.asked
    assert asked.path == f"/blob?{query}"
    assert CANARY not in storage.seen
    assert not {"authorization", "x-github-api-version", "referer", "cookie"} & set(asked.headers)
    assert asked.headers["accept"] == "*/*"


@either
def test_another_host_gets_no_token(serve: Serve, make_client: MakeClient, read: Read) -> None:
    def answer(asked: Asked) -> Reply:
        return redirect(f"http://localhost:{site.port}/x") if asked.path == "/" else json_reply("[2]")

    site: Site = serve(answer)
    site_name = site.root.replace("127.0.0.1", "localhost")
    assert read(make_client(site_name), f"{site_name}/x") == b"[2]"
    site.asked.clear()
    assert read(make_client(site.root), f"{site.root}/") == b"[2]"
    assert [CANARY in asked.text for asked in site.asked] == [True, False]


@either
def test_a_second_hop_gets_no_token_not_even_back_at_the_api(serve: Serve, make_client: MakeClient, read: Read) -> None:
    storage = serve(lambda _: redirect(f"{site.root}/back"))

    def answer(asked: Asked) -> Reply:
        return json_reply("[3]") if asked.path == "/back" else redirect(f"{storage.root}/first")

    site: Site = serve(answer)
    assert read(make_client(site.root), f"{site.root}/go") == b"[3]"
    assert CANARY not in storage.seen
    assert [CANARY in asked.text for asked in site.asked] == [True, False]


@either
def test_a_chain_of_two_foreign_hops_gets_no_token(serve: Serve, make_client: MakeClient, read: Read) -> None:
    last = serve(lambda _: json_reply("[4]"))
    middle = serve(lambda _: redirect(last.root))
    site: Site = serve(lambda _: redirect(middle.root))
    assert read(make_client(site.root), site.root) == b"[4]"
    assert CANARY not in middle.seen + last.seen


@either
def test_a_higher_scheme_is_another_origin(
    serve: Serve, make_client: MakeClient, read: Read, private_site: ssl.SSLContext
) -> None:
    secure = serve(lambda _: json_reply("[5]"), private_site)
    site: Site = serve(lambda _: redirect(secure.root))
    assert read(make_client(site.root), site.root) == b"[5]"
    assert CANARY not in secure.seen


@either
def test_a_higher_scheme_on_the_same_port_is_another_origin(
    serve: Serve, make_client: MakeClient, read: Read, private_site: ssl.SSLContext
) -> None:
    def answer(asked: Asked) -> Reply:
        secure = site.root.replace("http", "https")
        return redirect(f"{secure}/secure") if asked.path == "/plain" else json_reply("[5]")

    site: Site = serve(answer)
    site.context = private_site
    assert read(make_client(site.root), f"{site.root}/plain") == b"[5]"
    assert [CANARY in asked.text for asked in site.asked] == [True, False]


@either
def test_a_lower_scheme_is_not_followed(
    serve: Serve, make_client: MakeClient, read: Read, private_site: ssl.SSLContext
) -> None:
    plain = serve(lambda _: json_reply())
    secure = serve(lambda _: redirect(f"{plain.root}/?sig={SIGNATURE}"), private_site)
    client = make_client(secure.root)
    error = fails("http.redirect-downgraded", lambda: read(client, secure.root))
    assert error.found == plain.root
    assert (len(secure.asked), plain.asked) == (1, [])


@either
def test_a_lower_scheme_is_not_followed_at_the_second_hop_either(
    serve: Serve, make_client: MakeClient, read: Read, private_site: ssl.SSLContext
) -> None:
    plain = serve(lambda _: json_reply())
    secure = serve(lambda _: redirect(plain.root), private_site)
    site: Site = serve(lambda _: redirect(secure.root))
    client = make_client(site.root)
    fails("http.redirect-downgraded", lambda: read(client, site.root))
    assert plain.asked == []


@either
@pytest.mark.parametrize(("hops", "followed"), [(5, True), (6, False)])
def test_hops_are_counted(serve: Serve, make_client: MakeClient, read: Read, *, hops: int, followed: bool) -> None:
    def answer(asked: Asked) -> Reply:
        number = int(asked.path[1:])
        return json_reply("[6]") if number == hops else redirect(f"/{number + 1}")

    site: Site = serve(answer)
    client = make_client(site.root)
    if followed:
        assert read(client, f"{site.root}/0") == b"[6]"
    else:
        error = fails("http.too-many-redirects", lambda: read(client, f"{site.root}/0"))
        assert error.kind.exit_status == 9
    assert len(site.asked) == 6


def test_a_circle_ends(serve: Serve, make_client: MakeClient) -> None:
    site: Site = serve(lambda _: redirect("/"))
    client = make_client(site.root, limits=Limits(redirects=2))
    fails("http.too-many-redirects", lambda: client.get(site.root))
    assert len(site.asked) == 3


@either
@pytest.mark.parametrize(
    "location",
    [
        None,
        "ftp://127.0.0.1/x",
        "file:///etc/passwd",
        "data:text/plain,x",
        f"http://user:{SIGNATURE}@127.0.0.1/x",
        "http://[::1",
        "http://127.0.0.1:99999/x",
        "mailto:a@b",
        "http://a\tb/",
    ],
)
def test_a_redirect_to_nowhere_is_refused(
    serve: Serve, make_client: MakeClient, read: Read, location: str | None
) -> None:
    site: Site = serve(lambda _: Reply(302) if location is None else redirect(location))
    client = make_client(site.root)
    error = fails("http.redirect-unusable", lambda: read(client, site.root))
    assert error.kind.exit_status == 9
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    "trick",
    [
        "http://127.0.0.1:{api}@127.0.0.1:{other}/",
        "//127.0.0.1:{other}/",
        "http://127.0.0.1:{other}\\@127.0.0.1:{api}/",
        "http://127.0.0.1:{other}#@127.0.0.1:{api}/",
        "http://127.0.0.1:{other}?@127.0.0.1:{api}/",
        "HTTP://127.0.0.1:{other}/",
        "http://127.0.0.1:0{other}/",
    ],
)
def test_spellings_that_parsers_read_differently_get_no_token(
    serve: Serve, make_client: MakeClient, trick: str
) -> None:
    other = serve(lambda _: json_reply())
    site: Site = serve(
        lambda asked: redirect(trick.format(api=site.port, other=other.port)) if asked.path == "/" else Reply()
    )
    # Refused or followed: nothing may leak.
    with suppress(RedirectUnusable):
        make_client(site.root).get(f"{site.root}/")
    assert len(site.asked) in {1, 2}
    assert CANARY not in other.seen


def test_each_of_two_hosts_gets_its_own_token(serve: Serve) -> None:
    cloud, enterprise = serve(lambda _: json_reply()), serve(lambda _: json_reply())
    credentials = Credentials({"GH_TOKEN": CANARY, "GH_ENTERPRISE_TOKEN": "ghp_other"})
    roots = {Host("github.com"): cloud.root, Host("ghe.example.com"): f"{enterprise.root}/api/v3"}
    with HttpxClient(credentials, api_origins=roots) as client:
        client.get(f"{cloud.root}/x")
        client.get(f"{enterprise.root}/api/v3/x")
        cloud.answer = lambda _: redirect(f"{enterprise.root}/y")
        client.get(f"{cloud.root}/z")
    assert [asked.headers.get("authorization") for asked in cloud.asked] == [f"Bearer {CANARY}"] * 2
    assert [asked.headers.get("authorization") for asked in enterprise.asked] == ["Bearer ghp_other", None]
