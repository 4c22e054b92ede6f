"""Listings page by page until the stated total is met, or refused (AR-04). No connection here: a reader is given.

Pages are asked for by number, 100 items each, so that no link of the answer decides where a request goes.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

from opvalue.github.errors import ListingMismatch, ListingTooLong

PER_PAGE: Final = 100
MAX_ITEMS: Final = 10_000


class _Identified(Protocol):
    @property
    def id(self) -> object: ...


Item = TypeVar("Item", bound=_Identified)
_Item_co = TypeVar("_Item_co", bound=_Identified, covariant=True)


class Page(Protocol[_Item_co]):
    """One page: its items and the total the listing states."""

    @property
    def total(self) -> int:
        """The number of all items, as stated."""
        ...

    @property
    def items(self) -> Sequence[_Item_co]:
        """What this page holds."""
        ...


def read_pages(read: Callable[[int], Page[Item]], what: str, *, first: Page[Item] | None = None) -> tuple[Item, ...]:
    """Return all items of a listing, in its order. ``read`` gets a page by its number, from 1.

    ``first`` is page 1, where it was read already. Raises ``ListingTooLong`` and ``ListingMismatch``.
    """
    page = read(1) if first is None else first
    total = page.total
    if total > MAX_ITEMS:
        raise ListingTooLong(f"the listing of {what} is too long", expected=f"at most {MAX_ITEMS}", found=str(total))
    items = list(page.items)
    pages = max(-(-total // PER_PAGE), 1)
    for number in range(2, pages + 1):
        page = read(number)
        if page.total != total:
            raise ListingMismatch(
                f"the listing of {what} changed while it was read",
                expected=f"{total} in all, as page 1 states",
                found=f"{page.total} on page {number}",
            )
        items += page.items
    distinct = len({item.id for item in items})
    if not len(items) == distinct == total:
        raise ListingMismatch(
            f"the listing of {what} does not add up",
            expected=f"{total} in all",
            found=f"{len(items)}, of which {distinct} are different, on {pages} pages",
        )
    return tuple(items)
