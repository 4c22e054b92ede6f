"""Failures of evidence, one kind at a time: what a real ``gh`` hands a script when GitHub does not answer. No network.

``ODD_SHAPE`` and ``INCOMPLETE`` fail with a success: a list that is an object with a message, a query without data, a
search that says itself that it is not whole. Single things are answered as usual then.
"""

import enum
import json

from opvalue.evidence.address import GRAPHQL_PATH
from opvalue.evidence.broker import Source
from opvalue.evidence.broker.errors import NotObserved
from opvalue.evidence.exchange import Exchange, Request
from opvalue.strictjson import dumps_compact
from verifier.simulated.setting import Setting
from verifier.simulated.source import exchange


class FailureKind(enum.Enum):
    """A kind of failure, described as a finding tells it."""

    REFUSED = "GitHub answers every request with status 500, and every query with errors"
    CUT = "no connection to GitHub comes about"
    ODD_SHAPE = "lists come as an object with a message, queries without data, searches incomplete"
    DENIED = "GitHub answers every request with status 403"
    LIMITED = "GitHub answers every request with status 429, a rate limit"
    SHAPELESS_SEARCH = "searches come without items and count"
    HALF = "answers are cut in the middle"
    LATER = "the first answer comes, and every later one with status 502"


class Cut(NotObserved):
    """There is no connection, as the verifier makes believe."""

    code = "verify.made-up-failure"


_STATUS = {
    FailureKind.REFUSED: (500, "Server Error"),
    FailureKind.DENIED: (403, "Resource not accessible by integration"),
    FailureKind.LIMITED: (429, "API rate limit exceeded"),
    FailureKind.LATER: (502, "Server Error"),
}


class Failing:
    """Another source whose answers fail."""

    def __init__(self, source: Source, setting: Setting, kind: FailureKind) -> None:
        self._source = source
        self._setting = setting
        self._kind = kind
        self._first: str | None = None
        self.hit = False
        """Whether an answer failed."""

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:
        """Return the failing answer. Raises ``Cut``."""
        found = self._failing(request, authorised=authorised)
        self.hit = self.hit or found is not None
        return self._source.exchange(request, authorised=authorised) if found is None else found

    def _failing(self, request: Request, *, authorised: bool) -> Exchange | None:
        if self._kind is FailureKind.CUT:
            self.hit = True
            raise Cut("the connection was refused")
        if self._kind in _STATUS:
            return self._status(request)
        usual = self._source.exchange(request, authorised=authorised)
        if self._kind is FailureKind.HALF:
            body = usual.answer.body
            return usual._replace(answer=usual.answer._replace(body=body[: len(body) // 2], headers=()))
        return self._odd(request, usual)

    def _status(self, request: Request) -> Exchange | None:
        if self._kind is FailureKind.LATER:
            self._first = self._first or request.target
            if request.target == self._first:
                return None
        status, message = _STATUS[self._kind]
        if request.path == GRAPHQL_PATH and self._kind in {FailureKind.REFUSED, FailureKind.LATER}:
            errors = [{"type": "SERVICE_UNAVAILABLE", "message": "Something went wrong"}]
            return exchange(self._setting, request, {"data": None, "errors": errors})
        return exchange(
            self._setting,
            request,
            {"message": message, "documentation_url": "https://docs.github.com/rest"},
            status=status,
        )

    def _odd(self, request: Request, usual: Exchange) -> Exchange | None:
        searched = request.path.startswith("/search/")
        if self._kind is FailureKind.SHAPELESS_SEARCH:
            return exchange(self._setting, request, {"message": "Validation Failed"}) if searched else None
        if request.path == GRAPHQL_PATH:
            return exchange(self._setting, request, {"data": None})
        try:
            document = json.loads(usual.answer.body)
        except ValueError:
            return None
        if searched:
            body = dumps_compact({**document, "incomplete_results": True}).encode()
            return usual._replace(answer=usual.answer._replace(body=body))
        if isinstance(document, list):
            return exchange(self._setting, request, {"message": "Server Error"})
        return None
