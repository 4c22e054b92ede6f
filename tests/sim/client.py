"""The made-up server as a ``Client``, without sockets: for tests of what stands above the connection.

Redirects, tokens and refusals are told apart by the rules of ``opvalue.http``. It never waits and tries nothing
twice, except that a dead signed link is asked for anew once; retries are tested on the real client.
"""

import hashlib
from collections.abc import Mapping
from typing import BinaryIO, Final

from opvalue.http import (
    GITHUB_JSON,
    AnonymousRefused,
    AnswerTooLarge,
    Ask,
    Credentials,
    Download,
    DownloadAnswered,
    DownloadTooLarge,
    Forbidden,
    LinkRefused,
    NetworkFailed,
    OutsideApi,
    RateLimited,
    RedirectDowngraded,
    RedirectUnusable,
    Response,
    SecondaryLimited,
    ServerFailed,
    TokenMissing,
    TooManyRedirects,
    Unauthorized,
    media_type,
)
from opvalue.identity import Digest, Host
from opvalue.identity.repository import GITHUB
from tests.sim.sim import Sim
from tests.sim.wire import FaultKind, Reply, Request

API_VERSION: Final = "2022-11-28"
_MAX_HOPS: Final = 5
_MAX_BODY: Final = 16 * 1024 * 1024
_DEAD_LINK: Final = frozenset({403, 404})


class SimClient:
    """Reads ``sim`` as the client of ``host``. ``environ`` is where tokens are looked for; gh is never asked."""

    def __init__(self, sim: Sim, environ: Mapping[str, str] | None = None, *, host: Host = GITHUB) -> None:
        self.sim = sim
        self.host = host
        self.credentials = Credentials(environ or {})
        self._root = Request.to(host.api_url)
        sim.api_origins.add(self._root.origin)

    def get(self, url: str, *, accept: str = GITHUB_JSON, etag: str | None = None) -> Response:
        """Read ``url``, following redirects."""
        reply, _ = self._follow(url, {"accept": accept} | ({"if-none-match": etag} if etag else {}))
        if len(reply.body) > _MAX_BODY:
            raise AnswerTooLarge("the answer is too large")
        self._judge(reply)
        return Response(reply.status, reply.headers, bytes(reply.body))

    def exchange(self, ask: Ask, *, anonymous: bool, cap: int) -> Response:
        """Read on somebody else's behalf, following the redirects of a ``GET``."""
        headers = {"accept": ask.accept, "x-github-api-version": ask.api_version or API_VERSION}
        request = Request.to(ask.url, headers, method=ask.method, body=ask.body)
        reply, at_api = self._follow_request(request, anonymous=anonymous)
        if len(reply.body) > cap:
            raise AnswerTooLarge("the answer is too large")
        if not at_api and reply.status in {401, 403}:
            raise LinkRefused("the storage refused its signed link")
        self._judge(reply, anonymous=anonymous)
        return Response(reply.status, reply.headers, bytes(reply.body))

    def download(self, url: str, into: BinaryIO, *, cap: int) -> Download:
        """Read what lies behind ``url`` into a file; a dead link is replaced once."""
        for _ in range(2):
            reply, at_api = self._follow(url, {"accept": "*/*"})
            if at_api or reply.status not in _DEAD_LINK:
                break
        else:
            raise LinkRefused("the storage refused its signed link twice")
        if at_api:
            self._judge(reply)
        if reply.status != 200:
            response = Response(reply.status, reply.headers, bytes(reply.body))
            raise DownloadAnswered("the download was answered otherwise", response, at_api=at_api)
        if len(reply.body) > cap:
            raise DownloadTooLarge("the download is larger than its cap", expected=str(cap), found=str(len(reply.body)))
        into.write(reply.body)
        digest = Digest(hashlib.sha256(reply.body).hexdigest())
        return Download(len(reply.body), digest, media_type(reply.headers.get("content-type", "")))

    def _follow(self, url: str, headers: Mapping[str, str]) -> tuple[Reply, bool]:
        return self._follow_request(Request.to(url, headers))

    def _follow_request(self, request: Request, *, anonymous: bool = False) -> tuple[Reply, bool]:
        headers = request.headers
        if request.origin != self._root.origin:
            raise OutsideApi(f"{request.origin} is not the API of {self.host}")
        for _ in range(_MAX_HOPS + 1):
            at_api = request.origin == self._root.origin
            reply = self.sim.handle(self._with_token(request) if at_api and not anonymous else request)
            _check_transport(reply)
            location = reply.headers.get("location")
            if reply.status not in {301, 302, 303, 307, 308} or location is None:
                return reply, at_api
            if request.method != "GET":
                raise RedirectUnusable("a query was redirected")
            following = Request.to(location, headers)
            if request.scheme == "https" and following.scheme != "https":
                raise RedirectDowngraded(f"{request.origin} redirected to {following.origin}")
            request = following
        raise TooManyRedirects("redirected too often")

    def _with_token(self, request: Request) -> Request:
        token = self.credentials.token_for(self.host)
        if token is None:
            return request
        return request._replace(headers={**request.headers, "authorization": f"Bearer {token.reveal()}"})

    def _judge(self, reply: Reply, *, anonymous: bool = False) -> None:
        if reply.status >= 500:
            raise ServerFailed("the server failed", found=f"status {reply.status}")
        if reply.status == 401 and anonymous:
            raise AnonymousRefused(f"{self.host} does not show this to everybody")
        if reply.status == 401:
            if self.credentials.token_for(self.host) is None:
                raise TokenMissing(f"{self.host} wants a token", expected=_looked_for(self))
            raise Unauthorized(f"{self.host} does not accept the token")
        if reply.status in {403, 429}:
            if reply.headers.get("x-ratelimit-remaining") == "0":
                raise RateLimited("the hourly limit is used up")
            if "retry-after" in reply.headers or b"secondary rate limit" in bytes(reply.body):
                raise SecondaryLimited("the server asks to slow down")
            if anonymous:
                raise AnonymousRefused(f"{self.host} does not show this to everybody")
            raise Forbidden(f"{self.host} denies this read", found=reply.json()["message"])


def _check_transport(reply: Reply) -> None:
    if reply.fault is not None and reply.fault.kind is FaultKind.ENDLESS:
        raise AnswerTooLarge("the answer does not end")
    cut = reply.length is not None and reply.length > len(reply.body)
    if cut or (reply.fault is not None and reply.fault.kind is not FaultKind.DELAYED):
        raise NetworkFailed("no whole answer came")


def _looked_for(client: SimClient) -> str:
    return ", ".join(client.credentials.looked_for(client.host))
