"""Where answers come from: a recorded bundle, or nowhere. ``Live`` in ``opvalue.evidence.broker.live`` asks GitHub.

No connection here. A source says what it has; whether that may be asked for is decided before.
"""

from typing import TYPE_CHECKING, Protocol

from opvalue.evidence.broker.errors import EvidenceNotOffered, ReplayMiss
from opvalue.evidence.exchange import Exchange, Request

if TYPE_CHECKING:
    from opvalue.evidence.bundle import Bundle


class Source(Protocol):
    """Answers requests, from many threads at a time."""

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:
        """Return the answer to ``request``; with the credential only where ``authorised``.

        Raises an ``OpvalueError`` when there is none. Statuses of errors are answers here.
        """
        ...


class Recorded:
    """The answers of a bundle, and no others. Not checked: that the bundle is of this run and fresh enough."""

    def __init__(self, bundle: "Bundle") -> None:
        self._exchanges = {exchange.request.key(): exchange for exchange in bundle.exchanges}

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:  # noqa: ARG002 - what was recorded decides
        """Return the recorded answer. Raises ``ReplayMiss``."""
        found = self._exchanges.get(request.key())
        if found is None:
            raise ReplayMiss("the bundle has no answer to this request", found=request.described())
        return found


class Nothing:
    """No evidence at all."""

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:  # noqa: ARG002
        """Raise ``EvidenceNotOffered``."""
        raise EvidenceNotOffered("no evidence is offered to this evaluator", found=request.described())
