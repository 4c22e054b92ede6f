"""One call to the made-up API, and how listings are cut into pages. Pure."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from urllib.parse import urlencode

from tests.sim.wire import Reply, Request
from tests.sim.world import SimRepository

if TYPE_CHECKING:
    from tests.sim.sim import Sim

Item = TypeVar("Item")

_MAX_PER_PAGE: Final = 100
_USUAL_PER_PAGE: Final = 30

NOT_FOUND: Final = Reply.problem(404, "Not Found")


class Call(NamedTuple):
    """A request that found its repository and its route."""

    sim: "Sim"
    request: Request
    root: str
    """What links in answers begin with: the API as this client reached it."""
    repository: SimRepository
    parts: tuple[str, ...]
    """What the route's pattern caught."""


def paged(call: Call, key: str, items: Sequence[Item], total: int, render: Callable[[Item], Any]) -> Reply:
    """Return the page asked for, of a listing that counts its items."""
    page, links = cut(call.request, items)
    return _linked(Reply.of({"total_count": total, key: [render(one) for one in page]}), links)


def listed(call: Call, items: Sequence[Item], render: Callable[[Item], Any]) -> Reply:
    """Return the page asked for, of a bare list."""
    page, links = cut(call.request, items)
    return _linked(Reply.of([render(one) for one in page]), links)


def cut(request: Request, items: Sequence[Item]) -> tuple[Sequence[Item], str]:
    """Return the items of the page asked for, and the ``Link`` header, empty when there is one page."""
    size = min(int(request.argument("per_page", str(_USUAL_PER_PAGE))), _MAX_PER_PAGE)
    page = max(int(request.argument("page", "1")), 1)
    last = max(-(-len(items) // size), 1)
    places = {"first": 1, "prev": page - 1, "next": page + 1, "last": last}
    others = [place for place in ("prev", "next", "last", "first") if 1 <= places[place] <= last]
    links = ", ".join(f'<{_page_url(request, places[place])}>; rel="{place}"' for place in others)
    return items[(page - 1) * size : page * size], links if last > 1 else ""


def _linked(reply: Reply, links: str) -> Reply:
    return reply.with_header("link", links) if links else reply


def _page_url(request: Request, page: int) -> str:
    query = [*((name, value) for name, value in request.query if name != "page"), ("page", str(page))]
    return f"{request.origin}{request.path}?{urlencode(query)}"
