"""Proxies by the usual variables."""

import ssl
import sys
from collections.abc import Callable

import pytest

from opvalue.errors import Kind
from tests.http.conftest import CANARY, MakeClient, Waits, fails
from tests.http.site import Reply, Site, json_reply

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_plain_reads_go_through_the_proxy(
    serve: Serve, make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    proxy, site = serve(lambda _: json_reply('"proxy"')), serve(lambda _: json_reply('"site"'))
    monkeypatch.setenv(name, proxy.root)
    assert make_client(site.root).get(f"{site.root}/x").body == b'"proxy"'
    assert [asked.path for asked in proxy.asked] == [f"{site.root}/x"]
    assert site.asked == []


@pytest.mark.parametrize("none", ["127.0.0.1", "*", "example.com,127.0.0.1"])
def test_no_proxy_is_heeded(serve: Serve, make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, none: str) -> None:
    proxy, site = serve(lambda _: json_reply('"proxy"')), serve(lambda _: json_reply('"site"'))
    monkeypatch.setenv("HTTP_PROXY", proxy.root)
    monkeypatch.setenv("NO_PROXY", none)
    assert make_client(site.root).get(f"{site.root}/x").body == b'"site"'
    assert proxy.asked == []


def test_encrypted_reads_pass_the_proxy_unread(
    serve: Serve, make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, private_site: ssl.SSLContext
) -> None:
    proxy, site = serve(lambda _: Reply()), serve(lambda _: json_reply('"site"'), private_site)
    monkeypatch.setenv("HTTPS_PROXY", proxy.root.replace("//", "//user:word@"))
    assert make_client(site.root).get(f"{site.root}/x").body == b'"site"'
    (asked,) = proxy.asked
    assert (asked.method, asked.path) == ("CONNECT", f"127.0.0.1:{site.port}")
    assert asked.headers["proxy-authorization"].startswith("Basic ")
    assert CANARY not in proxy.seen
    assert "proxy-authorization" not in site.asked[0].headers


@pytest.mark.parametrize("secure", [False, True])
def test_a_proxy_that_wants_a_login_is_named_once(
    serve: Serve,
    make_client: MakeClient,
    monkeypatch: pytest.MonkeyPatch,
    private_site: ssl.SSLContext,
    waits: Waits,
    *,
    secure: bool,
) -> None:
    proxy = serve(lambda _: Reply(407))
    site = serve(lambda _: json_reply(), private_site if secure else None)
    monkeypatch.setenv("HTTPS_PROXY" if secure else "HTTP_PROXY", proxy.root)
    client = make_client(site.root)
    error = fails("http.proxy-refused", lambda: client.get(f"{site.root}/x"))
    assert error.kind is Kind.NOT_OBSERVED
    assert (len(proxy.asked), site.asked, waits.seconds) == (1, [], [])


def test_a_proxy_that_does_not_connect_is_tried_again(
    serve: Serve, make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, private_site: ssl.SSLContext
) -> None:
    proxy, site = serve(lambda _: Reply(502)), serve(lambda _: json_reply(), private_site)
    monkeypatch.setenv("HTTPS_PROXY", proxy.root)
    client = make_client(site.root)
    error = fails("http.network-failed", lambda: client.get(f"{site.root}/x"))
    assert error.found == "the proxy refused to connect"
    assert len(proxy.asked) == 5


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTPS_PROXY", "ftp://user:hidden@proxy"),
        ("HTTPS_PROXY", "http://user:hidden@[::1"),
        ("HTTP_PROXY", "socks5://user:hidden@proxy:1"),
        ("NO_PROXY", "[::1]"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_said(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv(name, value)
    client = make_client("https://127.0.0.1:9")
    error = fails("http.proxy-unusable", lambda: client.get("https://127.0.0.1:9/x"))
    assert error.kind is Kind.USAGE
    assert "hidden" not in error.diagnostics()
