"""Answers from GitHub itself, each asked for once in a snapshot, redacted before anybody sees them (DESIGN 5).

Not decided here: what may be asked for, and with the credential. Nothing of where the API was reached stays in an
exchange: addresses below a root of tests or a proxy are written below the one the host has by rule.
"""

from collections.abc import Callable
from threading import Lock
from typing import Final

from opvalue.evidence.address import GRAPHQL_PATH
from opvalue.evidence.broker.snapshot import Snapshot
from opvalue.evidence.exchange import Answer, Exchange, Request, http_date, kept_headers
from opvalue.evidence.redaction import check_request, redact_answer
from opvalue.http.client import Ask, Client, Response
from opvalue.identity import Host, Instant
from opvalue.limits import Limits

_REST_OF_ENTERPRISE: Final = "/v3"


class Live:
    """Asks GitHub over ``client``. May be shared by threads and brokers; they then share one snapshot."""

    def __init__(
        self,
        client: Client,
        host: Host,
        *,
        now: Callable[[], Instant],
        api_url: str | None = None,
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
    ) -> None:
        """Ask nothing yet. ``api_url`` is where the API of ``host`` is reached when that is not ``host.api_url``."""
        self._client = client
        self._host = host
        self._now = now
        self._root = host.api_url if api_url is None else api_url.rstrip("/")
        self._limits = limits
        self._snapshot = Snapshot()
        self._looking = Lock()

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:
        """Return the answer, the same for the same request. See ``Source.exchange``.

        Raises what ``Client.exchange`` does, ``SecretInRequest`` and ``SecretNotRemovable``.

        What was read with the credential is never given to a request without.
        """
        return self._snapshot.get((request.key(), authorised), lambda: self._ask(request, authorised=authorised))

    def _ask(self, request: Request, *, authorised: bool) -> Exchange:
        check_request(request, self._secrets())
        ask = Ask(request.method, self._address(request), request.accept, request.api_version, request.body)
        response = self._client.exchange(ask, anonymous=not authorised, cap=self._limits.evidence_answer_bytes)
        observed = self._now()
        return Exchange(request, self._answer(response), http_date(response.headers.get("date")), observed)

    def _address(self, request: Request) -> str:
        if request.path != GRAPHQL_PATH:
            return self._root + request.target
        root = self._root if self._host.is_cloud else self._root.removesuffix(_REST_OF_ENTERPRISE)
        return root + GRAPHQL_PATH

    def _answer(self, response: Response) -> Answer:
        headers = kept_headers(response.headers.items(), host=self._host, root=self._root)
        return redact_answer(Answer(response.status, headers, self._moved(response)), self._secrets())

    def _secrets(self) -> tuple[bytes, ...]:
        # Looking for a token may start gh: once, not in every thread of the first moment.
        with self._looking:
            token = self._client.credentials.token_for(self._host)
        return () if token is None else (token.reveal().encode(),)

    def _moved(self, response: Response) -> bytes:
        """Return the body with its addresses below the root that the host has by rule."""
        text = response.media_type.startswith("text/") or response.media_type.endswith("json")
        if self._root == self._host.api_url or not text:
            return response.body
        return response.body.replace(f"{self._root}/".encode(), f"{self._host.api_url}/".encode())
