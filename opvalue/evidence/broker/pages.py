"""Chains of pages, as the server's ``Link`` headers name them. Pure state; the caller locks.

The next page of something declared is declared: GitHub names it below ``/repositories/ID``, and that it belongs to the
same repository is GitHub's own word. A next page that cannot be had, leads elsewhere or leads back breaks the chain.
"""

import re
from typing import Final

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.errors import BrokenPages
from opvalue.evidence.exchange import Exchange, Request, normalise
from opvalue.identity import Host

_LINK: Final = re.compile(r'<(?P<address>[^<>]*)>(?P<parameters>(?:\s*;\s*[a-z]+="[^"]*")*)')
_REST: Final = re.compile(r"/(?:repos/[^/]+/[^/]+|repositories/[0-9]+)(?P<rest>(?:/.*)?)")


class Pages:
    """The pages that the answers of one grading named."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._next: dict[str, str] = {}
        self._named: set[str] = set()
        self._declared: set[str] = set()

    def is_page(self, request: Request) -> bool:
        """Tell whether an answer named this as its next page."""
        return request.target in self._named

    def is_declared(self, request: Request) -> bool:
        """Tell whether this is the next page of something declared."""
        return request.target in self._declared

    def follow(self, exchange: Exchange, *, declared: bool) -> None:
        """Take the next page that an answer names, if it does. Raises ``BrokenPages``."""
        link = exchange.answer.header("link")
        address = None if link is None else next_address(link)
        if address is None:
            return
        page = exchange.request
        following = self._normalised(page, address)
        self._check_end(page.target, following.target)
        self._next[page.target] = following.target
        self._named.add(following.target)
        if declared and _same_thing(page.path, following.path):
            self._declared.add(following.target)

    def _normalised(self, page: Request, address: str) -> Request:
        try:
            return normalise("GET", address, host=self._host, accept="", api_version="", body=b"")
        except OpvalueError as error:
            raise BrokenPages(
                f"the next page of {page.described()} is not at the API: {error.message}", found=error.found
            ) from None

    def _check_end(self, page: str, following: str) -> None:
        place: str | None = following
        while place is not None:
            if place == page:
                raise BrokenPages("the pages of an answer lead back to themselves", found=page[:200])
            place = self._next.get(place)


def next_address(link: str) -> str | None:
    """Return the address of relation ``next`` in a ``Link`` header, or ``None``."""
    for found in _LINK.finditer(link):
        if re.search(r';\s*rel="next"', found["parameters"]):
            return found["address"]
    return None


def _same_thing(path: str, other: str) -> bool:
    one, two = _REST.fullmatch(path), _REST.fullmatch(other)
    return one is not None and two is not None and one["rest"] == two["rest"]
