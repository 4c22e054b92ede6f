"""Requests over httpx, one hop at a time (AR-10). The one module that opens connections.

The token goes along only while every hop so far lay at the API's own origin: not to another scheme, host or port,
and not back to the API after a detour. No cookies, no .netrc, no redirect is followed by the library itself.
Proxies come from the usual variables (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY), as httpx reads them.

Not bounded: a server that sends its *header* a byte at a time, each before the silence limit.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final, NamedTuple

import httpx

import opvalue
from opvalue.http.certificates import trusted
from opvalue.http.credentials import Token
from opvalue.http.errors import ProxyUnusable, RedirectUnusable, TooManyRedirects
from opvalue.http.origins import Target, next_hop
from opvalue.limits import Limits

API_VERSION: Final = "2022-11-28"

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_LOCATION: Final = "opvalue.location"


class Answer(NamedTuple):
    """The answer at the end of the redirects, its body not read yet."""

    response: httpx.Response
    at_api: bool
    """Whether no hop has left the API's origin."""


class Session:
    """Connections that are kept open between requests."""

    def __init__(self, limits: Limits) -> None:
        """Read the environment. Raises ``CertificatesUnusable`` and ``ProxyUnusable``."""
        self._redirects = limits.redirects
        client = _connections(limits)
        if client is None:
            raise ProxyUnusable(
                "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY or NO_PROXY cannot be used",
                expected="http://HOST:PORT, and names or addresses without brackets in NO_PROXY",
            )
        self._client = client

    @contextmanager
    def open(
        self,
        target: Target,
        everywhere: Mapping[str, str],
        at_api: Mapping[str, str],
        token: Token | None,
        posted: bytes | None = None,
    ) -> Iterator[Answer]:
        """Ask for an address and follow where it leads, within the block.

        Headers ``everywhere`` go with every hop, those ``at_api`` and the token to the API's own origin alone.
        What is ``posted`` goes to the address itself and nowhere else: a redirect of it is refused.
        Raises ``RedirectUnusable``, ``RedirectDowngraded``, ``TooManyRedirects``, and what httpx raises.
        """
        home, away = _headers(everywhere, at_api, token), {"accept": "*/*", **everywhere}
        url, stayed = target.url, True
        method = "GET" if posted is None else "POST"
        for _ in range(self._redirects + 1):
            headers = home if stayed else away
            with self._client.stream(method, url, headers=headers, content=posted, auth=None) as response:
                if response.status_code not in _REDIRECTS:
                    yield Answer(response, stayed)
                    return
                if posted is not None:
                    raise RedirectUnusable(f"{target.origin} redirected a query; what was posted is not sent on")
                url, origin = next_hop(url, response.extensions[_LOCATION])
                stayed = stayed and origin == target.origin
        raise TooManyRedirects(f"{target.origin} led through more redirects than {self._redirects}")

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


def _connections(limits: Limits) -> httpx.Client | None:
    """Return the library's client, or ``None`` when it cannot use the proxies of the environment.

    Its exception is not kept: the text repeats the proxy's address, which may hold a login.
    """
    try:
        return httpx.Client(
            verify=trusted(os.environ),
            headers={"user-agent": f"opvalue/{opvalue.__version__}"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            event_hooks={"response": [_take_location]},
            timeout=httpx.Timeout(limits.silence_seconds, connect=limits.connect_seconds),
        )
    except (ValueError, ImportError, httpx.InvalidURL):
        return None


def _take_location(response: httpx.Response) -> None:
    """Keep a redirect's address from the library, which would prepare the next request and fail on a bad one."""
    if response.status_code in _REDIRECTS:
        response.extensions[_LOCATION] = response.headers.pop("location", None)


def _headers(everywhere: Mapping[str, str], at_api: Mapping[str, str], token: Token | None) -> dict[str, str]:
    authorization = {} if token is None else {"authorization": f"Bearer {token.reveal()}"}
    return {"x-github-api-version": API_VERSION, **everywhere, **at_api, **authorization}
