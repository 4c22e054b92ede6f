"""What the builders of made-up answers are given, and what they give. Values."""

from collections.abc import Callable
from typing import Any, NamedTuple

from verifier.simulated.things import Thing, Things


class Reply(NamedTuple):
    """What is answered: a document, or bytes of another kind."""

    document: Any = None
    raw: bytes | None = None
    paged: bool = False
    """Whether the document is a list that comes in pages, or holds one under ``items_in``."""
    items_in: str | None = None
    status: int = 200


class Asked(NamedTuple):
    """A request as a builder sees it."""

    things: Things
    parts: tuple[str, ...]
    """What the pattern caught."""
    query: dict[str, str]
    many: int
    """How long lists are."""
    accept: str


Builder = Callable[[Asked], Reply]


def wrapped(name: str, items: list[Thing]) -> Reply:
    """Return a list as an object holds it, with its count."""
    return Reply({"total_count": len(items), name: items}, paged=True, items_in=name)
