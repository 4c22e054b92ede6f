"""Made-up answers as a source of evidence, of two variants: some of everything, or nothing of anything. No network."""

from typing import Any, Final
from urllib.parse import urlencode

from opvalue.evidence.address import GRAPHQL_PATH
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.identity import Instant
from opvalue.strictjson import dumps_compact
from verifier.simulated.as_of import as_of, asks_for_ended
from verifier.simulated.asked import query_of
from verifier.simulated.reply import Reply
from verifier.simulated.rest import FEW, MANY, answer
from verifier.simulated.setting import DAY, Setting
from verifier.simulated.things import Things
from verifier.simulated.words import API

JSON: Final = "application/json; charset=utf-8"
_PER_PAGE: Final = 30
_MOST_PER_PAGE: Final = 100
_TURNING: Final = 3


class Simulated:
    """Answers everything that evaluators ask for, today or as of ``cutoff``.

    With every third seed lists are longer than a page.
    """

    def __init__(self, setting: Setting, seed: int, cutoff: Instant | None = None) -> None:
        self._setting = setting
        self._seed = seed
        self._cutoff = cutoff
        self._many = MANY if seed % _TURNING == _TURNING - 1 else FEW

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:  # noqa: ARG002 - nothing is secret here
        """Return the answer. Never raises."""
        if request.path == GRAPHQL_PATH:
            from verifier.simulated.graphql import answer_query  # noqa: PLC0415 - many scripts ask none

            found = answer_query(self._setting, self._seed, request.body)
            return exchange(self._setting, request, self._as_of(request, found))
        for kind in ("/tarball", "/zipball"):
            if kind in request.path:
                from verifier.simulated.tarball import tarball  # noqa: PLC0415

                things = Things(self._setting, self._seed, self._setting.repository)
                return exchange(self._setting, request, raw=tarball(things, request.path.partition(kind)[2]))
        reply = answer(self._setting, self._seed, request, many=self._many)
        return _page(self._setting, request, reply._replace(document=self._as_of(request, reply.document)))

    def _as_of(self, request: Request, document: Any) -> Any:
        """Return the document as of the cutoff, before pages are made of it."""
        return document if self._cutoff is None else as_of(document, self._cutoff, ended_only=asks_for_ended(request))


class Empty:
    """Answers in the right shape, and every list is empty: nothing has happened yet."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._source = Simulated(setting, 0)

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:  # noqa: ARG002
        """Return the answer. Never raises."""
        if request.path == GRAPHQL_PATH:
            from verifier.simulated.graphql import answer_query  # noqa: PLC0415

            return exchange(self._setting, request, answer_query(self._setting, 0, request.body, empty=True))
        if "ball" in request.path:
            return self._source.exchange(request, authorised=True)
        reply = answer(self._setting, 0, request)
        if isinstance(reply.document, list):
            reply = reply._replace(document=[])
        elif reply.items_in is not None:
            reply = reply._replace(document={**reply.document, "total_count": 0, reply.items_in: []})
        return _page(self._setting, request, reply)


def exchange(
    setting: Setting,
    request: Request,
    document: Any = None,
    *,
    raw: bytes | None = None,
    status: int = 200,
    link: str | None = None,
) -> Exchange:
    """Return an exchange with a JSON document, or with bytes of another kind."""
    body = raw if raw is not None else b"" if status == 204 else dumps_compact(document).encode()
    headers = {"content-type": "application/octet-stream" if raw is not None else JSON}
    if link is not None:
        headers["link"] = link
    observed = Instant(setting.matures.milliseconds + 60 * DAY)
    return Exchange(request, Answer(status, tuple(sorted(headers.items())), body), None, observed)


def _page(setting: Setting, request: Request, reply: Reply) -> Exchange:
    """Return the page that is asked for, with a link to the next."""
    if not reply.paged:
        return exchange(setting, request, reply.document, raw=reply.raw, status=reply.status)
    items = reply.document if reply.items_in is None else reply.document[reply.items_in]
    query = query_of(request)
    size = min(max(_number(query.get("per_page"), _PER_PAGE), 1), _MOST_PER_PAGE)
    page = max(_number(query.get("page"), 1), 1)
    shown = items[(page - 1) * size : page * size]
    following = urlencode({**query, "page": page + 1})
    link = f'<{API}{request.path}?{following}>; rel="next"' if page * size < len(items) else None
    document = shown if reply.items_in is None else {**reply.document, reply.items_in: shown}
    return exchange(setting, request, document, link=link)


def _number(text: str | None, usual: int) -> int:
    return int(text) if text and len(text) < 10 and text.isascii() and text.isdigit() else usual
