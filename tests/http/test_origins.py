"""Origins, and the API roots that are taken."""

import httpx
import pytest

from opvalue.errors import Kind
from opvalue.http.origins import Apis, Origin
from opvalue.identity import Host
from tests.http.conftest import HOST, MakeClient, fails

OTHER = Host("ghe.example.com")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://api.github.com/x?y#z", Origin("https", "api.github.com", 443)),
        ("HTTPS://API.GitHub.com:443", Origin("https", "api.github.com", 443)),
        ("http://api.github.com", Origin("http", "api.github.com", 80)),
        ("https://api.github.com:8443/", Origin("https", "api.github.com", 8443)),
        ("https://api.github.com./", Origin("https", "api.github.com.", 443)),
        ("https://[::1]:8443/", Origin("https", "::1", 8443)),
        ("https://bücher.example/", Origin("https", "xn--bcher-kva.example", 443)),
        ("https://u@api.github.com/", None),
        ("https://u:p@api.github.com/", None),
        ("https://api.github.com:0/", None),
        ("https://api.github.com:65979/", None),
        ("ftp://api.github.com/", None),
        ("/x", None),
    ],
)
def test_an_origin_is_scheme_host_and_port(address: str, expected: Origin | None) -> None:
    assert Origin.of(httpx.URL(address)) == expected


@pytest.mark.parametrize(
    ("origin", "text"),
    [
        (Origin("https", "a", 443), "https://a"),
        (Origin("https", "a", 80), "https://a:80"),
        (Origin("http", "::1", 80), "http://[::1]"),
    ],
)
def test_an_origin_is_written_as_an_address(origin: Origin, text: str) -> None:
    assert str(origin) == text


@pytest.mark.parametrize(
    "root",
    ["https://api.github.com", "http://127.0.0.1:1", "http://127.9.9.9", "http://[::1]:1", "http://api.localhost"],
)
def test_a_root_is_private(root: str) -> None:
    assert Apis({HOST: root}).target(f"{root}/x").host == HOST


@pytest.mark.parametrize(
    "root",
    ["http://api.github.com", "http://10.0.0.1", "http://localhost.example.com", "ftp://a", "", "api.github.com", "\n"],
)
def test_a_root_that_others_can_read_along_is_refused(make_client: MakeClient, root: str) -> None:
    client = make_client(root)
    assert fails("http.api-root", lambda: client.get("https://api.github.com/x")).kind is Kind.USAGE


def test_two_hosts_with_one_api_are_refused() -> None:
    # Which of their tokens would be sent could not be told.
    error = fails("http.api-root", lambda: Apis({HOST: "https://a/x", OTHER: "https://A:443/y"}))
    assert error.message == "ghe.example.com and github.com have one API"


def test_the_usual_roots() -> None:
    apis = Apis({HOST: HOST.api_url, OTHER: OTHER.api_url})
    assert apis.target("https://api.github.com/repos").host == HOST
    assert apis.target("https://ghe.example.com/api/graphql").host == OTHER
    assert fails("http.outside-api", lambda: apis.target("https://github.com/x")).found == "https://github.com"
    assert fails("http.outside-api", lambda: Apis({}).target("https://github.com/x")).expected == "no address at all"
