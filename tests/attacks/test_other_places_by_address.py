"""Addresses and headers that would lead a request elsewhere than they say: nothing is sent, and it sticks."""

import pytest

from tests.evidence.broker.online import made_up, online
from tests.evidence.broker.scene import REPOSITORY, codes

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

TARGETS = [
    "http://127.0.0.1:1/x",
    "http://169.254.169.254/latest/meta-data/",
    "https://github.com/acme/secret",
    "https://api.github.com@evil.example/x",
    "https://evil.example#@api.github.com/x",
    "https://evil.example\\@api.github.com/x",
    "https://api.github.com:444/x",
    "https://api.github.com.evil.example/x",
    "https://api.github.com%2eevil.example/x",
    "https://api.github.com%00.evil.example/",
    "http://api.github.com/x",
    "//evil.example/x",
    "///evil.example/x",
    "file:///etc/passwd",
    "gopher://127.0.0.1:70/x",
    "/repos/acme/widgets/../secret",
    "/repos/acme/widgets/..%2fsecret",
    "/repos/acme/widgets/%2e%2e/secret",
    "/repos/acme/widgets/%252e%252e/secret",
    "/repos/acme/widgets/.%2e/secret/contents/x",
    "/repos/acme/./secret",
    "/repos/acme//secret",
    "/repos/acme%2fsecret",
    "/repos/acme/widgets/contents/a\\..\\..\\secret",
    "/repos/acme/widgets/contents/%5c..%5c",
    "/repos/acme/widgets;/../secret",
    "/repos/acme/widgets%0d%0aHost:%20evil.example",
    "/repos/acme/widgets/issues?x=1%0d%0aX:%20y%00",
    "/repos/acme/widgets/issues#/../secret",
    "/repos/acme/widgets/%ff",
    "/repos/acme/widgets/%zz",
    "repos/acme/widgets",
    "*",
    "api.github.com:443",
]


@pytest.mark.parametrize("target", TARGETS)
def test_an_address_that_is_not_plain(target: str) -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        assert child.get(target).status == 599
    assert sim.requests == []
    assert codes(broker)[0] in {"evidence.path-unclear", "evidence.outside-host"}


INJECTED = [
    b"GET /repos/acme/widgets\r\nX: y HTTP/1.1\r\nHost: github.com\r\n\r\n",
    b"GET /repos/acme/widgets HTTP/1.1\r\nHost: github.com\r\nAccept: a\nAuthorization: b\r\n\r\n",
    b"GET /repos/acme/widgets HTTP/1.1\r\nHost: github.com\r\nAccept: a\rAuthorization: b\r\n\r\n",
    b"GET /repos/acme/widgets HTTP/1.1\r\nHost: github.com\r\nHost: evil.example\r\n\r\n",
    b"GET /repos/acme/widgets HTTP/1.1\r\nHost: github.com\r\n Host: evil.example\r\n\r\n",
    b"GET /repos/acme/widgets HTTP/1.1\r\nHost: github.com\r\nContent-Length: 3\r\nContent-Length: 0\r\n\r\n...",
    b"GET /repos/acme/widgets HTTP/1.1\r\nHost: github.com\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /repos/acme/widgets HTTP/1.1\r\nHost: github.com\r\n\r\nGET /repos/acme/secret HTTP/1.1\r\n\r\n",
    b"GET /repos/acme/widgets HTTP/1.1\nHost: github.com\n\n",
    b"GET http://evil.example/ HTTP/1.0\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]


@pytest.mark.parametrize("data", INJECTED)
def test_a_request_in_a_request(data: bytes) -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        child.raw(data)
    assert sim.requests == []
    assert codes(broker)[0] in {"evidence.request-unclear", "evidence.request-cut"}


HEADERS = [
    ("Host", "evil.example"),
    ("Host", "api.github.com"),
    ("Host", "github.com:8443"),
    ("Host", ""),
    ("X-Forwarded-Host", "evil.example"),
    ("X-Host", "evil.example"),
    ("Forwarded", "host=evil.example"),
    ("X-Original-URL", "/repos/acme/secret"),
    ("X-Rewrite-URL", "/repos/acme/secret"),
    ("Authorization", "Bearer x"),
    ("Cookie", "user_session=x"),
    ("Proxy-Authorization", "Basic x"),
    ("Connection-Upgrade", "h2c"),
    ("Upgrade", "h2c"),
]


@pytest.mark.parametrize(("name", "value"), HEADERS)
def test_a_header_that_leads_elsewhere(name: str, value: str) -> None:
    sim = made_up()
    with online(sim) as (broker, child, _):
        assert child.get(f"{REPOSITORY}/issues", **{name: value}).status == 599
    assert sim.requests == []
    assert codes(broker)[0] in {"evidence.other-host", "evidence.header-refused"}
