"""Where a request goes: scheme, host and port. A token belongs to one such origin and goes to no other (AR-10).

Works on httpx's own addresses, because those are what is connected to: a second parser could disagree with it.
"""

import ipaddress
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import httpx

from opvalue.http.errors import ApiRootRefused, OutsideApi, RedirectDowngraded, RedirectUnusable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opvalue.identity import Host

_PORTS: Final = {"https": 443, "http": 80}
_MAX_PORT: Final = 65_535


class Origin(NamedTuple):
    """Scheme, host and port of an address. Two origins are equal only when all three are."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: httpx.URL) -> Self | None:
        """Return the origin of an address, or ``None`` for one that is no plain web address (a login included)."""
        host = url.raw_host.decode("ascii", "replace").lower()
        if url.scheme not in _PORTS or not host or url.userinfo:
            return None
        port = _PORTS[url.scheme] if url.port is None else url.port
        # The system takes a port beyond the last one modulo 65,536.
        return cls(url.scheme, host, port) if 0 < port <= _MAX_PORT else None

    @property
    def is_private(self) -> bool:
        """Tell whether nobody in between can read along: encrypted, or within this machine."""
        return self.scheme == "https" or _is_loopback(self.host)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


class Target(NamedTuple):
    """An address at the API of a host."""

    url: httpx.URL
    origin: Origin
    host: "Host"


class Apis:
    """The APIs in use, by origin."""

    def __init__(self, roots: "Mapping[Host, str]") -> None:
        """Take each host's API root. Raises ``ApiRootRefused``."""
        self._hosts: dict[Origin, Host] = {}
        for host, root in roots.items():
            url = _parse(root)
            origin = None if url is None else Origin.of(url)
            if origin is None or not origin.is_private:
                raise ApiRootRefused(f"the API of {host} cannot be used", expected="an https address")
            if origin in self._hosts:
                raise ApiRootRefused(f"{host} and {self._hosts[origin]} have one API", found=str(origin))
            self._hosts[origin] = host

    def target(self, address: str) -> Target:
        """Return the place in an API that an absolute address names. Raises ``OutsideApi``."""
        url = _parse(address)
        origin = None if url is None else Origin.of(url)
        if url is None or origin is None or origin not in self._hosts:
            raise OutsideApi(
                "an address outside the API in use is not read",
                expected=" or ".join(map(str, self._hosts)) or "no address at all",
                found="not a web address" if origin is None else str(origin),
            )
        return Target(url, origin, self._hosts[origin])


def next_hop(url: httpx.URL, location: str | None) -> tuple[httpx.URL, Origin]:
    """Return where a redirect leads. Raises ``RedirectUnusable`` and ``RedirectDowngraded``."""
    here = Origin.of(url)
    if location is None:
        raise RedirectUnusable(f"{here} redirected without saying where to")
    following = _parse(location, base=url)
    origin = None if following is None else Origin.of(following)
    if following is None or origin is None:
        raise RedirectUnusable(f"{here} redirected to something that is not a web address")
    if url.scheme == "https" and origin.scheme != "https":
        raise RedirectDowngraded(f"{here} redirected to an unencrypted address", expected="https", found=str(origin))
    return following, origin


def _parse(address: str, *, base: httpx.URL | None = None) -> httpx.URL | None:
    try:
        return httpx.URL(address) if base is None else base.join(address)
    except (httpx.InvalidURL, ValueError):
        return None


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
